/** A place in a file as it is mentioned in a message. Pure. */
import type { LineRange } from "../../shared/mentions/parse";
import { writeMention } from "../../shared/mentions/write";

/** What VS Code's selection covers: one that ends before the first character of a line does not include that line. */
export function selectedLines(start: { line: number }, end: { line: number; character: number }): LineRange {
  const first = start.line + 1;
  const reachesLast = end.character > 0 || end.line === start.line;
  return { first, last: reachesLast ? end.line + 1 : end.line };
}

/** `@src/a.ts:10-40`, `@src/a.ts:10`, `@"my notes.md":3`, `@a.ipynb`; the path as mentions have it. */
export const lineMention = (path: string, lines?: LineRange): string => writeMention(path, { range: lines });
