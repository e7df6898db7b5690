/** How a text reads without tools' escapes (`\/`, `\u002b`, `%2b`, `&#43;`, base64 over lines): one reading for all, around places that differ by a secret's character. Why: C-199. */

/** 1 for each UTF-16 unit in a secret or in an escape. */
export type Letters = Uint8Array;

export function lettersOf(words: Iterable<string>): Letters {
  const letters = new Uint8Array(1 << 16);
  for (const word of ["\\%&", ...words]) for (let at = 0; at < word.length; at += 1) letters[word.charCodeAt(at)] = 1;
  return letters;
}

/** In numbers, since a text may have millions: where each begins and ends, and which character it is (`NONE`: none). */
type EscapedUnits = { starts: number[]; ends: number[]; codes: number[] };

/** undefined: as written */
export function reading(text: string, letters: Letters) {
  const { starts, ends, codes } = unitsIn(text, letters);
  if (starts.length === 0) return undefined;
  let read = "";
  /** of each unit, behind it in the reading */
  const behind: number[] = [];
  for (let at = 0; at < starts.length; at += 1) {
    const code = codes[at] ?? NONE;
    read += text.slice(ends[at - 1] ?? 0, starts[at]) + (code === NONE ? "" : String.fromCodePoint(code));
    behind.push(read.length);
  }
  read += text.slice(ends.at(-1));
  /** how many units end at or before this place of the reading */
  const unitsBefore = (place: number) => {
    let [low, high] = [0, behind.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((behind[middle] ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** Where in the text a character of the reading begins. */
  const startOf = (place: number) => {
    const count = unitsBefore(place);
    const at = (ends[count - 1] ?? 0) + place - (behind[count - 1] ?? 0);
    // Within what one character is written as.
    return Math.min(at, starts[count] ?? at);
  };
  /** Behind what of the text the characters before this place of the reading end. */
  const endOf = (place: number) => {
    const count = unitsBefore(place - 1);
    const end = startOf(place - 1) + 1;
    return end > (starts[count] ?? end) ? (ends[count] ?? end) : end;
  };
  return { text: read, startOf, endOf };
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AND = 0x26;
const NONE = -1;
/** characters of a line of base64, at least */
const BASE64_LINE = 60;
/** Between two of them, plain or escaped; the second may be indented. */
const LINE_END = /(?:\r?\n|\\r\\{1,8}n|\\n)[ \t]{0,64}(?=[A-Za-z0-9+/_=-])/y;
const IN_HTML = /&(?:amp;){0,8}(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/iy;
const NAMED: Readonly<Record<string, number>> = { amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 };

/** From left to right, those that read as one of the letters, and ends of lines of base64. */
function unitsIn(text: string, letters: Letters): EscapedUnits {
  const units: EscapedUnits = { starts: [], ends: [], codes: [] };
  const hasLines = hasBase64Line(text);
  // Of several in a row the last one, whatever tools wrote them.
  const marks = hasLines ? /\\+|[%&]|\r?\n/g : /\\+|[%&]/g;
  const unit: EscapedUnit = { end: 0, code: NONE };
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const { index: start } = mark;
    const last = marks.lastIndex - 1;
    const sign = text.charCodeAt(start);
    const isLineEnd = hasLines && readLineEnd(unit, text, start, sign === BACKSLASH ? last : start);
    if (!isLineEnd && !readUnit(unit, text, sign, last)) continue;
    marks.lastIndex = unit.end;
    if (isLineEnd) unit.code = NONE;
    else if (letters[unit.code > 0xffff ? 0xd800 + ((unit.code - 0x10000) >> 10) : unit.code] !== 1) continue;
    units.starts.push(start);
    units.ends.push(unit.end);
    units.codes.push(unit.code);
  }
  return units;
}

function readUnit(unit: EscapedUnit, text: string, sign: number, last: number): boolean {
  if (sign === BACKSLASH) return readBackslash(unit, text, last);
  return sign === PERCENT ? readPercent(unit, text, last) : sign === AND && readHtml(unit, text, last);
}

/** Reused for each unit: an object for each would take most of the time. */
type EscapedUnit = { end: number; code: number };

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;
const isLetter = (unit: number) => (unit | 32) >= 0x61 && (unit | 32) <= 0x7a;
const isBase64 = (unit: number) =>
  isDigit(unit) || isLetter(unit) || unit === 0x2b || unit === 0x2f || unit === 0x2d || unit === 0x5f;

/** So many of its characters stand in a row somewhere. */
function hasBase64Line(text: string): boolean {
  for (let probe = BASE64_LINE - 1; probe < text.length; probe += BASE64_LINE) {
    let [start, end] = [probe, probe];
    while (end - start < BASE64_LINE && isBase64(text.charCodeAt(start))) start -= 1;
    while (start < probe && end - start <= BASE64_LINE && isBase64(text.charCodeAt(end))) end += 1;
    if (end - start > BASE64_LINE) return true;
  }
  return false;
}

function readLineEnd(unit: EscapedUnit, text: string, start: number, last: number): boolean {
  for (let before = 1; before <= BASE64_LINE; before += 1) if (!isBase64(text.charCodeAt(start - before))) return false;
  LINE_END.lastIndex = last;
  if (!LINE_END.test(text)) return false;
  unit.end = LINE_END.lastIndex;
  return true;
}

/** Bytes, UTF-16 units and code points alike: of several bytes that are one character each is one here. */
function take(unit: EscapedUnit, end: number, code: number): boolean {
  unit.end = end;
  unit.code = code;
  return code >= 0 && code <= 0x10ffff;
}

function readBackslash(unit: EscapedUnit, text: string, last: number): boolean {
  const sign = text.charCodeAt(last + 1);
  if (sign === 0x75) return take(unit, last + 6, digits(text, last + 2, 4, 16));
  if (sign === 0x78) return take(unit, last + 4, digits(text, last + 2, 2, 16));
  if (sign >= 0x30 && sign <= 0x33) return take(unit, last + 4, digits(text, last + 1, 3, 8));
  return sign > 0x20 && !isDigit(sign) && !isLetter(sign) && take(unit, last + 2, sign);
}

/** Written again by another tool, too: `%25252F`. */
function readPercent(unit: EscapedUnit, text: string, start: number): boolean {
  let code = digits(text, start + 1, 2, 16);
  let end = start + 3;
  for (let more = code; more >= 0 && code === PERCENT; ) {
    more = digits(text, end, 2, 16);
    if (more >= 0) [code, end] = [more, end + 2];
  }
  return take(unit, end, code);
}

function readHtml(unit: EscapedUnit, text: string, start: number): boolean {
  IN_HTML.lastIndex = start;
  const found = IN_HTML.exec(text);
  if (!found) return false;
  const [, ten, sixteen = "", name] = found;
  const code = name === undefined ? undefined : NAMED[name.toLowerCase()];
  return take(unit, IN_HTML.lastIndex, code ?? (ten === undefined ? Number.parseInt(sixteen, 16) : Number(ten)));
}

/** -1: others stand there */
function digits(text: string, at: number, count: number, base: number): number {
  let number = 0;
  for (let end = at + count; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    const digit = isDigit(unit) ? unit - 0x30 : isLetter(unit) ? (unit | 32) - 0x57 : base;
    if (digit >= base) return -1;
    number = number * base + digit;
  }
  return number;
}
