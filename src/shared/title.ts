/** What a session is called until somebody names it: the first line of the first message. */

const MOST_CHARS = 60;

export function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS - 1).trimEnd()}…` : line;
}
