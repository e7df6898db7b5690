/** The block that a message with file mentions gets after its text (CONTEXT.md, section 9). Pure. */
import { reminder } from "../context/layers";

const MOST = 5;

/**
 * @param paths of files that exist in the workspace, in the order they were named
 * @returns undefined where there is none
 */
export function mentionReminder(paths: readonly string[]): string | undefined {
  const unique = [...new Set(paths)];
  if (unique.length === 0) return undefined;
  const lines = unique.slice(0, MOST).map(path => `The user mentioned @${path}.`);
  if (unique.length > MOST) lines.push(`(and ${unique.length - MOST} more…)`);
  lines.push(
    unique.length === 1
      ? "You MUST read this file with the Read tool before answering."
      : "You MUST read these files with the Read tool, one by one in this order, before answering.",
  );
  return reminder(lines.join("\n"));
}
