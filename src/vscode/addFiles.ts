/** "Add File to Strata": what is selected in the explorer, a tab or the active editor's file, as mentions in the composer. */
import * as vscode from "vscode";
import type { EditorInUse } from "./editorInUse";
import type { VSCodeFiles } from "./files";
import { mentionOfPlace } from "./panel/mentionHandlers";

/**
 * The mentions of what a menu was opened on, and how many things there have none.
 * @param argument what a menu gives first: the item that was clicked
 * @param more what the explorer gives then: all selected items, that one among them
 */
export async function mentionsOf(
  argument: unknown,
  more: unknown,
  { files, inUse }: { files: VSCodeFiles; inUse: Pick<EditorInUse, "uri"> },
): Promise<{ mentions: string[]; left: vscode.Uri[] }> {
  const mentions: string[] = [];
  const left: vscode.Uri[] = [];
  for (const uri of chosen(argument, more, inUse)) {
    const ref = await files.refIfAny(uri);
    const mention = ref && (await mentionOfPlace(ref, files));
    if (mention === undefined) left.push(uri);
    else mentions.push(mention);
  }
  return { mentions: [...new Set(mentions)], left };
}

/** Why nothing is said of some files; undefined: all of them are mentioned. */
export function whyLeft(mentions: readonly string[], left: readonly vscode.Uri[]): string | undefined {
  const [first] = left;
  if (!first) return mentions.length > 0 ? undefined : "Open a file, or choose files in the explorer, to mention them.";
  const name = first.path.slice(first.path.lastIndexOf("/") + 1);
  const others = left.length === 1 ? "" : ` and ${left.length - 1} more`;
  return `${name}${others} cannot be mentioned: only files and folders in the folders of this workspace can.`;
}

function chosen(argument: unknown, more: unknown, inUse: Pick<EditorInUse, "uri">): vscode.Uri[] {
  const selected = Array.isArray(more) ? more.filter(each => each instanceof vscode.Uri) : [];
  if (selected.length > 0) return selected;
  const one = argument instanceof vscode.Uri ? argument : inUse.uri();
  return one ? [one] : [];
}
