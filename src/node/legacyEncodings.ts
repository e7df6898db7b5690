/**
 * Guesses which encoding from before Unicode bytes are in. A file of its own when the product is built, loaded with the first file
 * that needs it: the detector's models are a megabyte.
 */
import { detect } from "jschardet";

/** The detector's names of what people have files in: a rare one would only be taken for another. */
const ENCODINGS = [
  ...["GB18030", "Big5", "SHIFT_JIS", "EUC-JP", "EUC-KR", "IBM866", "KOI8-R", "KOI8-U", "TIS-620", "ISO-8859-2"],
  ...["ISO-8859-5", ...["0", "1", "2", "3", "4", "5", "6", "7"].map(last => `windows-125${last}`)],
];
/** Bytes that are looked at. */
const SAMPLE = 64 * 1024;
/** Words of two scripts ("dйjа") are Latin letters with accents. */
const MIXED = /[A-Za-z](?!\p{sc=Latn})[\u0370-\u06ff]|(?!\p{sc=Latn})[\u0370-\u06ff][A-Za-z]/u;

/** @returns a name that `TextDecoder` knows; undefined: it cannot be told */
export function guessEncoding(bytes: Buffer): string | undefined {
  const { encoding } = detect(linesBeyondAscii(bytes), { detectEncodings: ENCODINGS });
  if (!encoding) return undefined;
  // Written as GBK, which all who read GB18030 know, too.
  const label = { GB18030: "gbk", "TIS-620": "windows-874" }[encoding] ?? encoding;
  return MIXED.test(new TextDecoder(label).decode(bytes)) ? "windows-1252" : label;
}

/** Code between comments is the same in every encoding, and would count for languages that look like it. */
function linesBeyondAscii(bytes: Buffer): Buffer {
  const lines = bytes
    .subarray(0, SAMPLE)
    .toString("latin1")
    .split(/(?<=\n)/);
  return Buffer.from(lines.filter(line => /[^\0-\x7f]/.test(line)).join(""), "latin1");
}
