/** What a session is called until somebody names it: the first line of the first message. */

const MAX_CHARS = 60;

export function titleFrom(text: string): string {
  // A text that was pasted begins with its fence.
  const line =
    text
      .replace(/\[Picture \d+: [^[\]]*\]/g, "")
      .trim()
      .replace(/^`{3,}\s*\n\s*/, "")
      .split("\n", 1)[0] ?? "";
  if (line.length <= MAX_CHARS) return line;
  // What is one character to a person (an emoji, a letter with its marks) is kept or left as a whole.
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(line.slice(0, 2 * MAX_CHARS))) {
    if (kept.length + segment.length >= MAX_CHARS) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
