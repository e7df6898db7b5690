/** Blocks of code in Markdown: what stands in them is quoted, and nothing to follow. Pure. */

/** In quotes and lists too. */
const FENCE = /^(?:\s*(?:>|(?:[-*+]|\d{1,9}[.)])\s))*\s*(`{3,}|~{3,})(.*)/;

/** @param open the marks that opened the block that a line is in; undefined: in none. @returns the same behind the line */
export function fenceAfter(open: string | undefined, line: string): string | undefined {
  const [, marks = "", rest = ""] = FENCE.exec(line) ?? [];
  if (open !== undefined)
    return marks.startsWith(open) && rest.trim() === "" && new Set(marks).size === 1 ? undefined : open;
  return marks === "" || (marks.startsWith("`") && rest.includes("`")) ? undefined : marks;
}

/**
 * A block of code that nothing in the text ends, without a line end behind it.
 * @param language in its first line
 * @param mark what its fences are made of
 */
export function fenced(text: string, language = "", mark: "~" | "`" = "~"): string {
  const runs = text.match(mark === "~" ? /~{3,}/g : /`{3,}/g) ?? [];
  const fence = mark.repeat(Math.max(2, ...runs.map(run => run.length)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
