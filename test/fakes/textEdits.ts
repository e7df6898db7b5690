import type { ApplyEdits } from "../../src/core/ground/ports";

/** What the port asks for, and a check that the caller keeps its side of it. */
export function applyEdits(base: string, edits: ApplyEdits["edits"]): string {
  let out = "";
  let at = 0;
  for (const edit of edits) {
    if (edit.start < at || edit.end < edit.start || edit.end > base.length)
      throw new Error("edits overlap or leave the text");
    out += base.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + base.slice(at);
}
