/** A recorded unified diff, taken apart again: what stood before and after an edit. Pure. */

/** Lines with their ends; the last of a file may have none. */
interface Hunk {
  /** 1-based line of the new text where it begins */
  newStart: number;
  before: string[];
  after: string[];
}

/** undefined: this is no diff, or it was cut and a part is missing */
function parseHunks(diff: string): Hunk[] | undefined {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  let sides: string[][] = [];
  for (const line of diff.split("\n").slice(2)) {
    const head = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (head) {
      // A side without lines names the line before it.
      hunk = { newStart: Number(head[1]) + (head[2] === "0" ? 1 : 0), before: [], after: [] };
      hunks.push(hunk);
    } else if (!hunk || (line.startsWith("\\") && !line.startsWith("\\ No newline"))) {
      return undefined;
    } else if (line.startsWith("\\")) {
      for (const side of sides) side.push((side.pop() ?? "").slice(0, -1));
    } else {
      sides = [...(line.startsWith("+") ? [] : [hunk.before]), ...(line.startsWith("-") ? [] : [hunk.after])];
      for (const side of sides) side.push(`${line.slice(1)}\n`);
    }
  }
  return hunks.length > 0 ? hunks : undefined;
}

/**
 * What the file held before the edit, where `current` still holds every changed place exactly as the edit left it, at the
 * same line. undefined: it changed since.
 */
export function textBefore(diff: string, current: string): string | undefined {
  const hunks = parseHunks(diff);
  if (!hunks) return undefined;
  const lines = current.replaceAll("\r\n", "\n").split(/(?<=\n)/);
  for (const { newStart, before, after } of hunks.toReversed()) {
    const at = newStart - 1;
    if (after.some((line, index) => lines[at + index] !== line)) return undefined;
    lines.splice(at, after.length, ...before);
  }
  const text = lines.join("");
  return current.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

/** The changed places alone, for a file that changed since; undefined: the diff was cut. */
export function changedPlaces(diff: string): { before: string; after: string } | undefined {
  const hunks = parseHunks(diff);
  if (!hunks) return undefined;
  const side = (name: "before" | "after") => hunks.map(hunk => hunk[name].join("")).join("⋯\n");
  return { before: side("before"), after: side("after") };
}
