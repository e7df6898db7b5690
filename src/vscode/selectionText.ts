/** A place in a file as it is mentioned in a message (CONTEXT.md, section 9). Pure. */

export interface Lines {
  /** 1-based, inclusive */
  first: number;
  last: number;
}

/** What VS Code's selection covers: one that ends before the first character of a line does not include that line. */
export function selectedLines(start: { line: number }, end: { line: number; character: number }): Lines {
  const first = start.line + 1;
  const reachesLast = end.character > 0 || end.line === start.line;
  return { first, last: reachesLast ? end.line + 1 : end.line };
}

/** `@src/a.ts:10-40`, `@src/a.ts:10`, `@"my notes.md":3`; the path as FileRef.path. */
export function mentionOf(path: string, lines: Lines): string {
  const name = /^[a-zA-Z0-9/._:-]+$/.test(path) && /[a-zA-Z0-9]$/.test(path) ? path : `"${path}"`;
  return `@${name}:${lines.first === lines.last ? lines.first : `${lines.first}-${lines.last}`}`;
}
