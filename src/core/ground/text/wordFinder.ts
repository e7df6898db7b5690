/**
 * Finds many words in a line at once, in any case: one look at each character, however many words there are. (Of hundreds of
 * words, a regular expression tries each at every place: ten times as long.)
 */

interface MarkWords {
  /** a bit of its own */
  mark: number;
  /** with no letter beside them, or at a hump of `camelCase`; divided by ", " */
  whole?: string;
  /** as parts of words, too */
  part?: string;
}

interface WordEntry {
  text: string;
  mark: number;
  isWhole: boolean;
}

/** Words are looked up by their first four characters, those of CJK by two. */
const GRAM = 4;
const PAIR = 2;
const GRAM_PLACES = 1 << 16;
const CJK = 0x2e80;

/** Four letters of ASCII are a gram of their own. */
const nextGram = (gram: number, unit: number) => (gram << 8) ^ unit;
/** Spread over the table: few grams of other words share a place. */
const placeOf = (gram: number) => Math.imul(gram, 0x9e3779b1) >>> 16;
const toPair = (before: number, unit: number) => ((before << 8) ^ unit) & 0xffff;

/** The mark of lines with other characters than those of ASCII. */
export const NOT_ASCII = 1 << 30;

export class WordFinder {
  private readonly byGram = new Map<number, WordEntry[]>();
  private readonly byPair = new Map<number, WordEntry[]>();
  private readonly hasGram = new Uint8Array(GRAM_PLACES);

  constructor(lists: readonly MarkWords[]) {
    for (const { mark, whole = "", part = "" } of lists) {
      for (const text of whole.split(", ")) this.add({ text, mark, isWhole: true });
      for (const text of part.split(", ")) this.add({ text, mark, isWhole: false });
    }
  }

  /** The marks of all words in it. */
  find(text: string): number {
    let marks = 0;
    let gram = 0;
    let before = 0;
    let all = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = lower(text.charCodeAt(at));
      all |= unit;
      gram = nextGram(gram, unit);
      if (this.hasGram[placeOf(gram)] === 1) marks |= match(text, at - GRAM + 1, this.byGram.get(gram));
      if (unit >= CJK) marks |= match(text, at - PAIR + 1, this.byPair.get(toPair(before, unit)));
      before = unit;
    }
    return all > 0x7f ? marks | NOT_ASCII : marks;
  }

  private add(entry: WordEntry): void {
    const units = [...entry.text].map(letter => letter.charCodeAt(0));
    const first = units[0];
    if (first === undefined) return;
    if (first >= CJK) {
      push(this.byPair, toPair(first, units[1] ?? 0), entry);
      return;
    }
    const gram = units.slice(0, GRAM).reduce(nextGram, 0);
    this.hasGram[placeOf(gram)] = 1;
    push(this.byGram, gram, entry);
  }
}

function push(table: Map<number, WordEntry[]>, key: number, entry: WordEntry): void {
  table.set(key, [...(table.get(key) ?? []), entry]);
}

function match(line: string, from: number, entries: readonly WordEntry[] | undefined): number {
  let marks = 0;
  for (const { text, mark, isWhole } of entries ?? []) {
    if (startsAt(line, from, text) && (!isWhole || standsAlone(line, from, from + text.length))) marks |= mark;
  }
  return marks;
}

function startsAt(line: string, from: number, text: string): boolean {
  if (from < 0 || from + text.length > line.length) return false;
  for (let at = 0; at < text.length; at += 1) {
    if (lower(line.charCodeAt(from + at)) !== text.charCodeAt(at)) return false;
  }
  return true;
}

const standsAlone = (line: string, from: number, end: number) => isEdge(line, from) && isEdge(line, end);

/** No letter stands before the place or none behind it, or a hump begins there. */
function isEdge(line: string, at: number): boolean {
  if (at <= 0 || at >= line.length) return true;
  const [before, unit] = [line.charCodeAt(at - 1), line.charCodeAt(at)];
  return !isLetter(before) || !isLetter(unit) || (isUpper(unit) && !isUpper(before));
}

const isUpper = (unit: number) => unit >= 0x41 && unit <= 0x5a;

const isLetter = (unit: number) => isUpper(unit) || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xc0 && unit < 0x2000);

/** Of Latin and Cyrillic letters. */
function lower(unit: number): number {
  if (unit < 0x41) return unit;
  if (unit <= 0x5a) return unit + 0x20;
  if (unit < 0xc0) return unit;
  if (unit <= 0xde || (unit >= 0x410 && unit <= 0x42f)) return unit + 0x20;
  return unit === 0x401 ? 0x451 : unit;
}
