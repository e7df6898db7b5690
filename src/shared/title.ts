/** What a session is called until somebody names it: the first line of the first message. */

const MAX_CHARS = 60;

export function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1).trimEnd()}…` : line;
}
