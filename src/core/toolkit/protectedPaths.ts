/** Protected files below a folder that a search or listing reaches: they are asked about one by one, by name. */
import type { FileRef } from "../ports";
import { counted } from "../text/format";
import type { CallContext } from "./tool";

/**
 * Which files below a folder are shown: not the protected ones. What a protected folder itself is asked for (`.vscode`, one
 * outside the workspace) was asked with it.
 * @param hidden gets the paths of those that are not
 */
export function protectionFilter(place: FileRef, call: CallContext, hidden: Set<string>): (file: FileRef) => boolean {
  const asked = call.protectedBecause(place);
  return file => {
    const reason = call.protectedBecause(file);
    const shown = reason === undefined || reason === asked;
    if (!shown) hidden.add(file.path);
    return shown;
  };
}

/** @param parameter what names a file in the tool's input */
export function leftOutNote(hidden: ReadonlySet<string>, parameter: string): string {
  const sorted = [...hidden].sort();
  const names = sorted.slice(0, 5).join(", ") + (sorted.length > 5 ? ", …" : "");
  return `${counted(sorted.length, "protected file")} left out (${names}): name the file as ${parameter} to ask for it.`;
}
