/** How paths compare: whatever their case, accents and and composition, and by their letters. Pure. */

import { isAscii } from "../../shared/glob";

export const compose = (text: string) => (isAscii(text) ? text : text.normalize("NFC"));

/** Without capitals and accents, composed (macOS gives names decomposed). */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const bare = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  return bare.normalize("NFC").toLowerCase();
}

/** A bit for each letter, one for all digits, one for other ASCII, one for all else: 31 at most. */
export function lettersOf(folded: string, from = 0): number {
  let bits = 0;
  for (let at = from; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else bits |= 1 << (code >= 48 && code <= 57 ? 26 : code < 128 ? 27 : 28);
  }
  return bits;
}

/** @param letters of a folded text */
export const isAsciiIn = (letters: number) => (letters & (1 << 28)) === 0;

/** From offsets in the composed path to offsets in the path as it is. */
export function origins(path: string, positions: readonly number[]): readonly number[] {
  if (isAscii(path)) return positions;
  const found: number[] = [];
  for (let at = 0; at < path.length; at++) found[path.slice(0, at + 1).normalize("NFC").length - 1] ??= at;
  return positions.flatMap(at => found[at] ?? []);
}
