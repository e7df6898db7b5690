/** Bytes of files as text and back, without loss: by mark, setting, what the file was in before, or the detector's guess. */
import { isAscii, isUtf8 } from "node:buffer";
import { FileError, type TextFile } from "../core/ground/ports";
import { unlessFails } from "./errno";

/** How far a NUL byte is looked for: what has one there is no text (git and ripgrep judge alike). */
const SNIFF_BYTES = 8192;

const BOM = "\uFEFF";
const REPLACEMENT = "\uFFFD";
const LF = 10;

export interface DecodedText {
  text: string;
  encoding: string;
  reading?: TextFile["reading"];
}

/**
 * Text without its BOM; undefined: no text
 * @param set the encoding that settings have for the file @param own what it was read or written in before
 */
export async function decode(bytes: Buffer, set?: string, own?: string): Promise<DecodedText | undefined> {
  if (mediaTypeOf(bytes)?.startsWith("image/")) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, "utf16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, "utf16be");
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return undefined;
  const isUnicode = isUtf8(bytes);
  const asSet = isUnicode && (isAscii(bytes) || hasBom(bytes)) ? undefined : decodeAs(bytes, webEncoding(set), "set");
  if (asSet) return asSet;
  const asBefore = isUnicode && !isAscii(bytes) ? undefined : decodeAs(bytes, webEncoding(own), "guessed");
  if (asBefore) return asBefore;
  if (!isUnicode) return decodeOther(bytes);
  const text = bytes.toString("utf8");
  return text.startsWith(BOM) ? { text: text.slice(1), encoding: "utf8bom" } : { text, encoding: "utf8" };
}

const hasBom = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from(BOM));

function decodeUtf16(bytes: Buffer, encoding: "utf16le" | "utf16be"): DecodedText | undefined {
  // Half a character at the end could not be written back; a NUL behind the mark is UTF-32.
  if (bytes.length % 2 !== 0 || bytes.subarray(2, 4).equals(Buffer.of(0, 0))) return undefined;
  const body = bytes.subarray(2);
  return { text: (encoding === "utf16be" ? Buffer.from(body).swap16() : body).toString("utf16le"), encoding };
}

const OTHER_NAMES: Record<string, string> = {
  big5hkscs: "big5",
  cp866: "ibm866",
  cp950: "big5",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  koi8r: "koi8-r",
  koi8u: "koi8-u",
  macroman: "macintosh",
  shiftjis: "shift_jis",
};

/** The web's name for what `files.encoding` or a stamp says; undefined: Unicode, or one that `TextDecoder` does not know. */
export function webEncoding(set: string | undefined): string | undefined {
  const name = set?.toLowerCase().replace(/[-_]/g, "") ?? "";
  const [, family, number] = /^(windows|iso8859)(\d+)$/.exec(name) ?? [];
  const label = OTHER_NAMES[name] ?? (family ? `${family.replace("iso", "iso-")}-${number}` : name);
  const encoding = unlessFails(() => new TextDecoder(label).encoding, "utf-8");
  return /^utf-/.test(encoding) ? undefined : encoding;
}

/** undefined: the bytes are no text in that encoding */
function decodeAs(bytes: Buffer, encoding: string | undefined, reading: "set" | "guessed"): DecodedText | undefined {
  const text = encoding === undefined ? REPLACEMENT : new TextDecoder(encoding).decode(bytes);
  return encoding === undefined || text.includes(REPLACEMENT) ? undefined : { text, encoding, reading };
}

/** UTF-8 but for a few bytes; else as the detector guesses. What cannot be told is read as UTF-8, too. */
async function decodeOther(bytes: Buffer): Promise<DecodedText> {
  const text = bytes.toString("utf8");
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const isDamaged = count(/[^\0-\x7f\uFFFD]/gu) > 2 * count(/\uFFFD+/g);
  const guess = isDamaged ? undefined : (await import("./legacyEncodings")).guessEncoding(bytes);
  return decodeAs(bytes, webEncoding(guess), "guessed") ?? { text, encoding: "utf8", reading: "unknown" };
}

/** A text, its bytes, and the new text. */
interface TextChange extends DecodedText {
  bytes: Buffer;
  newText: string;
  path: string;
}

/**
 * The bytes of a changed text. Of one that is no Unicode, unchanged lines keep theirs. Throws FileError for what the
 * encoding cannot hold, and for a change of a line that would not stay the same in it.
 */
export function encodeChange({ bytes, text, encoding, reading, newText, path }: TextChange): Buffer {
  if (isUnicode(encoding) && reading !== "unknown") return encodeUnicode(newText, encoding, path);
  const encode = isUnicode(encoding) ? (one: string) => encodeUnicode(one, encoding, path) : encoder(encoding, path);
  const [before, after] = [linesOf(text), linesOf(newText)];
  const byteLines = byteLinesOf(bytes);
  if (byteLines.length !== before.length) throw notTheSame(path, encoding);
  const least = Math.min(before.length, after.length);
  let first = 0;
  while (first < least && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < least - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const untouched = before.slice(first, before.length - last).join("");
  const kept = byteLines.slice(first, before.length - last);
  if (untouched.includes(REPLACEMENT) || !encode(untouched).equals(Buffer.concat(kept)))
    throw notTheSame(path, encoding);
  const middle = encode(after.slice(first, after.length - last).join(""));
  return Buffer.concat([...byteLines.slice(0, first), middle, ...byteLines.slice(before.length - last)]);
}

const linesOf = (text: string) => text.split(/(?<=\n)/);

/** No byte of a longer character is a line end in these encodings. */
function byteLinesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length || lines.length === 0; ) {
    const end = bytes.indexOf(LF, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end + 1);
    lines.push(line);
    start += Math.max(1, line.length);
  }
  return lines;
}

const UNICODE = ["utf8", "utf8bom", "utf16le", "utf16be"] as const;
type Unicode = (typeof UNICODE)[number];
const isUnicode = (encoding: string): encoding is Unicode => UNICODE.some(one => one === encoding);

function encodeUnicode(text: string, encoding: Unicode, path: string): Buffer {
  if (encoding === "utf16le") return Buffer.from(BOM + text, "utf16le");
  if (encoding === "utf16be") return Buffer.from(BOM + text, "utf16le").swap16();
  if (text.isWellFormed()) return Buffer.from((encoding === "utf8bom" ? BOM : "") + text, "utf8");
  throw new FileError("IO", `${path} was not changed: the new text holds half a character (a lone surrogate).`);
}

/** Writes what `TextDecoder` reads as one or two bytes (asked once for all). Throws FileError for any other character. */
function encoder(encoding: string, path: string): (text: string) => Buffer {
  const forms = Array.from({ length: 256 }, (_, byte) => [byte]).filter(([byte]) => byte !== LF);
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x30; trail < 0xff; trail++) forms.push([lead, trail]);
  const lines = new TextDecoder(encoding).decode(Uint8Array.from(forms.flatMap(bytes => [...bytes, LF]))).split("\n");
  const known = new Map([["\n", [LF]]]);
  for (const [i, bytes] of forms.entries()) {
    const text = lines[i] ?? "";
    const isOne = [...text].length === 1 && text !== REPLACEMENT;
    if (isOne && !known.has(text)) known.set(text, bytes);
  }
  return text =>
    Buffer.from(
      Array.from(text, character => {
        const bytes = known.get(character);
        if (bytes) return bytes;
        throw new FileError(
          "IO",
          `${path} was not changed: its encoding is ${encoding}, which has no "${character}". Use other characters or convert the file to UTF-8 first.`,
        );
      }).flat(),
    );
}

const notTheSame = (path: string, encoding: string) =>
  new FileError(
    "IO",
    `${path} was not changed: what stands there would not stay the same when it is written as ${encoding}. Ask the user to convert the file to UTF-8 first.`,
  );

/**
 * The bytes of a new file: in the encoding in which its old text was its old bytes, else as set, else UTF-8.
 * @param had what stood there @param isBytes whether these are the old bytes
 */
export function encodeNew(
  newText: string,
  path: string,
  set: string | undefined,
  had?: { text: string; isBytes(bytes: Buffer): boolean },
): Buffer {
  const encodings = [webEncoding(set), ...UNICODE, ...(had ? LEGACY : [])].filter(one => one !== undefined);
  const encodeIn = (text: string, encoding: string) =>
    isUnicode(encoding) ? encodeUnicode(text, encoding, path) : encoder(encoding, path)(text);
  // Not where the encoding does not have one of its characters.
  const isOld = (encoding: string) => unlessFails(() => had?.isBytes(encodeIn(had.text, encoding)) ?? true, false);
  const encoding = encodings.find(isOld);
  if (encoding === undefined && had?.text.includes(REPLACEMENT))
    throw new FileError("IO", `${path} was not written: bytes of it that are no text are not known any more.`);
  return encodeIn(newText, encoding ?? "utf8");
}

/** In which an old text is looked for. */
const LEGACY = [
  ...["gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "windows-1252", "windows-1250", "windows-1251"],
  ...["windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "ibm866", "koi8-r", "koi8-u"],
];

const SIGNATURES = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/gzip", "\x1f\x8b"],
] as const;

/** What the first bytes say a file is; undefined where they are none of a few well-known ones. */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "image/webp";
  return SIGNATURES.find(([, signature]) => head.startsWith(signature))?.[0];
}
