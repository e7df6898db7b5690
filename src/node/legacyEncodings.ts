/**
 * Encodings from before Unicode: which one bytes are in, and what they say in it. A file of its own when the product is built,
 * loaded with the first file that needs it: what tells encodings apart by is a megabyte.
 */
import { decode, encode, encodingExists } from "iconv-lite";
import { detectAll } from "jschardet";

export { decode as decodeAs, encode as encodeAs, encodingExists };

/** What people have files in, by the names that the detector has for it: one that is hardly used would only be taken for another. */
const BY_SCRIPT = {
  wide: {
    gb18030: "GB18030",
    big5: "Big5",
    cp932: "Shift_JIS",
    shift_jis: "Shift_JIS",
    "euc-jp": "EUC-JP",
    cp949: "EUC-KR",
    "euc-kr": "EUC-KR",
  },
  narrow: {
    "windows-1250": "Windows-1250",
    "windows-1251": "Windows-1251",
    "windows-1252": "Windows-1252",
    "windows-1253": "Windows-1253",
    "windows-1254": "Windows-1254",
    "windows-1255": "Windows-1255",
    "windows-1256": "Windows-1256",
    "windows-1257": "Windows-1257",
    ibm866: "CP866",
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    "tis-620": "TIS-620",
    "iso-8859-2": "ISO-8859-2",
    "iso-8859-5": "ISO-8859-5",
  },
};
const WIDE = new Map<string, string>(Object.entries(BY_SCRIPT.wide));
const NARROW = new Map<string, string>(Object.entries(BY_SCRIPT.narrow));

/** All that is guessed, and what a text may have been stored in. */
export const LEGACY_ENCODINGS: readonly string[] = ["GBK", ...new Set([...WIDE.values(), ...NARROW.values()])];

/** Bytes that are looked at: more of them tell no more. */
const SAMPLE = 64 * 1024;
/** Characters beyond ASCII that it takes to tell: two are a word in several of these. */
const LEAST_WIDE = 3;
const LEAST_NARROW = 4;
/** How near a second one of the kind may come, as a part of the first one's confidence. */
const TOO_NEAR = 0.6;
/** With no more characters beyond ASCII what is told of bytes is often wrong. */
const SHORT = 8;
const AS_GOOD = 0.5;
const WEST = "Windows-1252";
const WEST_NEAR = 0.5;

interface Guess {
  name: string;
  confidence: number;
  isWide: boolean;
  /** the sample in it */
  text: string;
}

/** The text of bytes that are the same in this encoding again; undefined: they are not. */
export function decodeExactly(bytes: Buffer, encoding: string): string | undefined {
  const text = decode(bytes, encoding);
  return !text.includes("\uFFFD") && encode(text, encoding).equals(bytes) ? text : undefined;
}

/** What has nothing that only GB18030 has is in GBK to all who read it: more must not get in. */
export const narrowest = (bytes: Buffer, text: string, encoding: string): string =>
  encoding === "GB18030" && decodeExactly(bytes, "GBK") === text ? "GBK" : encoding;

/**
 * The encoding that bytes are in, most likely, and in which they are these bytes again; undefined: it cannot be told.
 * @param others what most other files are in: that of a few characters, where it is as good as any, or nothing else is
 */
export function guessEncoding(bytes: Buffer, others?: string): string | undefined {
  const sample = linesBeyondAscii(bytes);
  const ranked = guesses(sample);
  const told = guessAlone(sample, ranked);
  if (others === undefined) return told;
  if (told === undefined) return fits(sample, others) ? others : undefined;
  // The same, as far as such a file goes.
  const name = others === "GBK" ? "GB18030" : others;
  const asOthers = ranked.find(guess => guess.name === name);
  const isShort = asOthers !== undefined && beyondAscii(asOthers.text) <= SHORT;
  return isShort && asOthers.confidence >= AS_GOOD * (ranked[0]?.confidence ?? 0) ? name : told;
}

function fits(sample: Buffer, name: string): boolean {
  const text = decodeExactly(sample, name);
  return text !== undefined && (!isNarrow(name) || !mixesScripts(text));
}

const isNarrow = (name: string) => Object.values<string>(BY_SCRIPT.narrow).includes(name);

const beyondAscii = (text: string): number => text.match(/[^\0-\x7f]/gu)?.length ?? 0;

function guessAlone(sample: Buffer, ranked: readonly Guess[]): string | undefined {
  const [first] = ranked;
  if (!first || (!first.isWide && endsWithin(sample))) return undefined;
  const { text, confidence } = first;
  const beyond = beyondAscii(text);
  if (first.isWide) {
    const next = ranked.find(guess => guess.isWide && guess.text !== text);
    return beyond < LEAST_WIDE || (next && next.confidence > confidence * TOO_NEAR) ? undefined : first.name;
  }
  // Most of what has a few such letters is of the West, and most of them are the same in its neighbours' encodings.
  const west = ranked.find(({ name }) => name === WEST);
  if (west?.text === text) return WEST;
  if (beyond >= LEAST_NARROW) return first.name;
  return west && west.confidence >= confidence * WEST_NEAR ? WEST : undefined;
}

/** The likeliest first. */
function guesses(sample: Buffer): Guess[] {
  return detectAll(sample, { minimumThreshold: 0.0001 }).flatMap(({ encoding, confidence }) => {
    const key = encoding?.toLowerCase() ?? "";
    const isWide = WIDE.has(key);
    const name = WIDE.get(key) ?? NARROW.get(key);
    const text = name === undefined ? undefined : decodeExactly(sample, name);
    if (name === undefined || text === undefined || (!isWide && mixesScripts(text))) return [];
    return [{ name, confidence, isWide, text }];
  });
}

/** Words of two scripts, as "dйjа": what is really Latin letters with accents. */
function mixesScripts(text: string): boolean {
  const foreign = text.match(/(?!\p{sc=Latn})[^\P{L}\0-\xff]/gu)?.length ?? 0;
  const mixed =
    text.match(/(?<=[A-Za-z])(?!\p{sc=Latn})[^\P{L}\0-\xff]|(?!\p{sc=Latn})[^\P{L}\0-\xff](?=[A-Za-z])/gu)?.length ?? 0;
  return mixed * 4 > foreign;
}

/** Whether the last character is cut in two, where it has two bytes: the others would be taken for letters of the West. */
const endsWithin = (sample: Buffer): boolean =>
  (sample.at(-1) ?? 0) > 0x7f && guesses(sample.subarray(0, -1))[0]?.isWide === true;

/** Code between comments is in every encoding, and would count for those of languages that look like it. */
function linesBeyondAscii(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE; ) {
    const end = bytes.indexOf(10, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end + 1);
    if (line.some(byte => byte > 0x7f)) {
      lines.push(line);
      size += line.length;
    }
    start += line.length;
  }
  return Buffer.concat(lines);
}
