/** Which lines of an output are alike. */

/** `src/a.ts:3:5`, `src/a.ts(3,5):`: the text before it and in quotes differs from line to line, the message does not. */
const DIAGNOSTIC = /:\d+:(?:\d+:?)?\s|\(\d+,\d+\)|^\s*\d+:\d+\s/;
const QUOTED = /'[^']{0,80}'|"[^"]{0,80}"|`[^`]{0,80}`/g;
/** `error: 'the price is required'`: the message is in the quotes. (Letters in a row, in one expression for all scripts, take 170 ms to compile.) */
const isSentence = (quoted: string): boolean =>
  /\S\S \S\S+ \S\S/.test(quoted) && /aa a{2,30} aa/.test(quoted.replace(/\p{L}/gu, "a"));
const NUMBERS = /0x[0-9a-f]+|\d+/gi;
/** Paths, addresses, `name@1.2`: a word with something in it that no word has. */
const NAMES = /(?<!\S)\S*[/\\@_.#]\S+/g;
const KIND = 120;

/** Alike but for their numbers. */
export const alike = (text: string): string => text.slice(0, KIND).replace(NUMBERS, "#");

/** Alike but for numbers, files, names and quoted texts, unless those are sentences. */
const saying = (text: string): string =>
  text
    .slice(0, 2 * KIND)
    .replace(QUOTED, quoted => (isSentence(quoted) ? quoted : "q"))
    .replace(NUMBERS, "#")
    .replace(NAMES, "p")
    .replace(/\s+/g, " ");

/** The same for two lines that say the same thing. Of a verdict the names count: which tests failed is what matters. */
export const lineKind = (text: string, isVerdict: boolean): string =>
  isVerdict && !DIAGNOSTIC.test(text) ? alike(text) : saying(text);

const LETTERS = 1;
const DIGITS = 2;
const SPACE = 3;

/** How far into a line `shapeOf` looks. */
const SHAPE = 100;

/** The same number for lines of the same shape: the same punctuation, words and numbers at the same places. */
export function shapeOf(text: string): number {
  let shape = 17;
  let last = 0;
  const end = Math.min(text.length, SHAPE);
  for (let at = 0; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    const sign = signOf(unit);
    // Several words are as one, letters and digits in one word as letters.
    if (sign === last || (sign === SPACE && last === LETTERS) || (sign === DIGITS && last === LETTERS)) continue;
    last = sign;
    shape = (Math.imul(shape, 31) + sign) | 0;
  }
  return shape;
}

function signOf(unit: number): number {
  if (unit === 0x20 || unit === 0x09) return SPACE;
  if (unit >= 0x30 && unit <= 0x39) return DIGITS;
  if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f) return LETTERS;
  return unit < 0xc0 || isSymbol(unit) ? unit : LETTERS;
}

/** Punctuation, arrows, lines, ticks; that of CJK, and full-width forms. */
const isSymbol = (unit: number) =>
  (unit >= 0x2000 && unit <= 0x2bff) || (unit >= 0x3000 && unit <= 0x303f) || unit >= 0xff00;
