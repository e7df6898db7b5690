/** The block that a message with mentions of files and folders gets after its text (CONTEXT.md, section 9). Pure. */

import { reminder } from "../context/layers";
import { sanitizeText } from "../text/format";
import type { MentionedPlace } from "./find";
import { remindedLine } from "./reminded";

const MOST = 5;

/**
 * @param places what is there in the workspace, each once, in the order it was named
 * @returns undefined where there is none
 */
export function mentionReminder(places: readonly MentionedPlace[]): string | undefined {
  if (places.length === 0) return undefined;
  const shown = places.slice(0, MOST);
  const lines = shown.map(({ name }) => remindedLine(sanitizeText(name)));
  if (places.length > MOST) lines.push(`(and ${places.length - MOST} more…)`);
  return reminder([...lines, whatToDo(shown)].join("\n"));
}

function whatToDo(shown: readonly MentionedPlace[]): string {
  const [one] = shown;
  const kinds = new Set(shown.map(({ kind }) => kind));
  if (kinds.size > 1) {
    return "You MUST look at these before answering, one by one in this order: files with the Read tool, folders (their names end with /) with the LS tool.";
  }
  if (one?.kind === "folder") {
    return shown.length === 1
      ? "You MUST look into this folder with the LS tool before answering."
      : "You MUST look into these folders with the LS tool, one by one in this order, before answering.";
  }
  return shown.length === 1
    ? "You MUST read this file with the Read tool before answering."
    : "You MUST read these files with the Read tool, one by one in this order, before answering.";
}
