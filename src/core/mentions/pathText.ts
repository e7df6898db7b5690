/** How paths compare: whatever their case, accents and composition, by their letters, and by how alike they are. Pure. */

import { isAscii } from "../../shared/glob";
import { editDistance } from "../../shared/nearestNames";

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

/** What a slip in the name costs, another ending, and what a folder in common counts. */
const SLIP = 10;
const ENDING = 8;
const COMMON = 4;
/** Separators and letters of its ending that one of two names may have more than the other. */
const MAX_LONGER = 12;
const MAX_NAME = 200;

/** Without what is neither letter nor digit: `path-index.ts` and `pathIndex.ts` are the same. */
interface NameStem {
  stem: string;
  ending: string;
}

/**
 * How alike paths are to one that is not there: a slip of the fingers, another ending, another folder. The higher the more;
 * undefined where the name differs in too many letters.
 */
export function similarityTo(
  path: string,
): (name: string, letters: number, folders: () => string) => number | undefined {
  const folders = segmentsOf(path.replaceAll("\\", "/").replace(/^(?:\.{0,2}\/)+/, ""));
  const wanted = folders.pop();
  if (!wanted || wanted.stem.length > MAX_NAME) return () => undefined;
  const most = Math.min(3, 1 + Math.floor(wanted.stem.length / 5));
  const length = wanted.stem.length + wanted.ending.length;
  const letters = lettersOf(wanted.stem);
  return (name, nameLetters, around) => {
    if (countBits(letters & ~nameLetters) > most || Math.abs(name.length - length) > most + MAX_LONGER)
      return undefined;
    const own = segmentOf(fold(name));
    if (countBits(lettersOf(own.stem) & ~letters) > most) return undefined;
    const slips = editDistance(wanted.stem, own.stem, most);
    if (slips === undefined) return undefined;
    const above = new Set(segmentsOf(fold(around())).map(whole));
    const common = folders.filter(folder => above.has(whole(folder))).length;
    return COMMON * common - SLIP * slips - (own.ending === wanted.ending ? 0 : ENDING);
  };
}

function segmentsOf(path: string): NameStem[] {
  return path
    .split("/")
    .map(segmentOf)
    .filter(segment => whole(segment) !== "");
}

function segmentOf(name: string): NameStem {
  const dot = name.lastIndexOf(".");
  const letters = (part: string) => part.replace(/[^a-z0-9\u0080-\uffff]+/g, "");
  return { stem: letters(dot > 0 ? name.slice(0, dot) : name), ending: dot > 0 ? letters(name.slice(dot)) : "" };
}

const whole = ({ stem, ending }: NameStem) => stem + ending;

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
