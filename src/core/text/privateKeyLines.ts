/**
 * Private keys have many lines, and an excerpt that begins behind the first one cannot be told from other text: so they are
 * found in the whole text, before anything of it is shown. Pure.
 */
import { findPrivateKeys } from "./privateKeys";

/** What stands for a line of a private key. */
export const KEY_LINE = "[line of a private key]";

const none: ReadonlySet<number> = new Set();

/** The lines (1-based) on which a private key of several lines stands. */
export function privateKeyLines(text: string): ReadonlySet<number> {
  if (!text.includes("PRIVATE KEY")) return none;
  const lines = new Set<number>();
  for (const { start, end } of findPrivateKeys(text)) {
    const first = lineAt(text, start);
    const last = lineAt(text, end);
    if (first === last) continue;
    for (let line = first; line <= last; line += 1) lines.add(line);
  }
  return lines;
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split(/\r\n?|\n/).length;
