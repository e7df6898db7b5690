/**
 * A path as it is compared: without case and accents, composed (macOS gives names decomposed). Pure.
 */

/** What stands at an offset of a path, lowest bits; `UPPER` may be added. */
export const Mark = { inWord: 0, hump: 1, afterSeparator: 2, afterSlash: 3, nameStart: 4, kinds: 7, upper: 8 } as const;

export interface Folded {
  /** UTF-16 units as they are compared */
  readonly units: Uint16Array;
  /** a `Mark` for each of them */
  readonly marks: Uint8Array;
  readonly length: number;
  /** whether the path can be had back from units and marks alone */
  readonly plain: boolean;
}

/** Units of `/` and `.`. */
export const SLASH = 47;
export const DOT = 46;

/** Folds paths into arrays that are used again: what it returns holds until the next call. */
export class Folder {
  private units = new Uint16Array(512);
  private marks = new Uint8Array(512);

  /** @param path may end with `/` */
  fold(path: string): Folded {
    if (this.units.length < path.length * 3) {
      this.units = new Uint16Array(path.length * 4);
      this.marks = new Uint8Array(path.length * 4);
    }
    const plain = this.foldPlain(path);
    const length = plain ? path.length : this.foldWide(path);
    this.markStarts(length);
    return { units: this.units, marks: this.marks, length, plain };
  }

  private foldPlain(path: string): boolean {
    const { units, marks } = this;
    for (let at = 0; at < path.length; at++) {
      const unit = path.charCodeAt(at);
      if (unit > 126) return false;
      const upper = unit >= 65 && unit <= 90;
      units[at] = upper ? unit + 32 : unit;
      marks[at] = upper ? Mark.upper : 0;
    }
    return true;
  }

  private foldWide(path: string): number {
    let length = 0;
    for (const { folded, upper } of foldedParts(path)) {
      for (let at = 0; at < folded.length; at++) {
        this.units[length] = folded.charCodeAt(at);
        this.marks[length++] = upper ? Mark.upper : 0;
      }
    }
    return length;
  }

  /** Where words begin: `src/fooBar-baz2.ts` at s, f, B, b, 2, t, and `HTTPBody` at H and B. */
  private markStarts(length: number): void {
    const { units, marks } = this;
    const name = nameStart(units, 0, length);
    let before = SLASH;
    let upperBefore = false;
    for (let at = 0; at < length; at++) {
      const unit = units[at] ?? 0;
      const upper = ((marks[at] ?? 0) & Mark.upper) !== 0;
      let mark: number = Mark.inWord;
      if (before === SLASH) mark = at === name ? Mark.nameStart : Mark.afterSlash;
      else if (!isSeparator(unit)) {
        if (isSeparator(before)) mark = Mark.afterSeparator;
        else if (isDigit(unit) !== isDigit(before)) mark = Mark.hump;
        else if (upper && (!upperBefore || this.lowerAt(at + 1, length))) mark = Mark.hump;
      }
      marks[at] = (upper ? Mark.upper : 0) | mark;
      before = unit;
      upperBefore = upper;
    }
  }

  private lowerAt(at: number, length: number): boolean {
    return at < length && ((this.marks[at] ?? 0) & Mark.upper) === 0 && isLetter(this.units[at] ?? 0);
  }
}

/** The offset of the last segment, whether or not a `/` follows it. */
export function nameStart(units: Uint16Array, from: number, to: number): number {
  let at = units[to - 1] === SLASH ? to - 2 : to - 1;
  while (at >= from && units[at] !== SLASH) at--;
  return at + 1;
}

/**
 * The parts of a path that fold by themselves: a character with its accents, a Hangul syllable.
 * @returns `at`: the part's offset in the path
 */
export function foldedParts(path: string): { at: number; folded: string; upper: boolean }[] {
  const parts = path.matchAll(/[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|\P{M}\p{M}*|\p{M}+/gsu);
  return [...parts].map(({ index, 0: part }) => {
    const bare = part
      .normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .normalize("NFC");
    const folded = bare.toLowerCase();
    return { at: index, folded, upper: folded !== bare };
  });
}

/** Separators, and all that is neither letter nor digit among ASCII: `/ . _ - +  ( [`. */
export function isSeparator(unit: number): boolean {
  return unit < 48 || (unit > 57 && unit < 97) || (unit > 122 && unit < 128);
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetter(unit: number): boolean {
  return unit >= 97 && (unit <= 122 || unit >= 128);
}

/** A bit for each letter, one for all digits, and a few for the rest: what has not all bits of a query cannot match it. */
export function maskOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return 1 << (unit - 97);
  if (unit >= 48 && unit <= 57) return 1 << 26;
  if (unit === 46) return 1 << 27;
  if (unit === SLASH) return 1 << 28;
  if (unit < 128) return 1 << 29;
  return unit & 1 ? 1 << 30 : 1 << 31;
}

/** A bit of 128 for two characters that follow each other; several pairs share one. */
export function pairBit(one: number, other: number): number {
  return Math.imul(one * 131 + other, 0x9e3779b1) >>> 25;
}
