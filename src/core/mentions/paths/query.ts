/** What was typed, as it is compared with paths. Pure. */
import { Folder, Mark, maskOf, SLASH } from "./fold";

export interface Query {
  readonly units: Uint16Array;
  /** 1 where a capital letter was typed */
  readonly upper: Uint8Array;
  /** how many those are */
  readonly capitals: number;
  readonly length: number;
  /** all bits that what it finds must have */
  readonly mask: number;
  /** it ends with `/` */
  readonly wantsFolder: boolean;
  /** where the part after the last `/` begins (before a `/` at its very end) */
  readonly tail: number;
}

/** Longer ones are no query: nobody has such paths. */
const LONGEST = 1024;

/**
 * `./` and `/` at its beginning count for nothing, `\` as `/`; blanks only separate, so that `my no` finds `my notes.md` and
 * `my-notes.md`.
 * @returns undefined where nothing can match: `../x` lies outside
 */
export function queryOf(typed: string): Query | undefined {
  if (typed.length > LONGEST) return undefined;
  const path = typed
    .replaceAll("\\", "/")
    .replace(/\s+/g, "")
    .replace(/^(?:\.?\/)+/, "");
  if (/^\.\.\/|^\.\.$/.test(path)) return undefined;
  const { units, marks, length } = new Folder().fold(path);
  const upper = marks.slice(0, length).map(mark => (mark & Mark.upper ? 1 : 0));
  let mask = 0;
  let tail = 0;
  for (let at = 0; at < length; at++) {
    mask |= maskOf(units[at] ?? 0);
    if (units[at] === SLASH && at < length - 1) tail = at + 1;
  }
  const wantsFolder = units[length - 1] === SLASH && length > 0;
  return {
    units: units.slice(0, length),
    wantsFolder,
    upper,
    capitals: upper.reduce((sum, one) => sum + one, 0),
    length,
    mask,
    tail,
  };
}
