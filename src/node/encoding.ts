/** Bytes of files as text and back, without loss. */
import { isUtf8 } from "node:buffer";
import { FileError, type TextFile } from "../core/ground/ports";
import type { EncodingHint } from "./knownEncodings";

/** How far a NUL byte is looked for: what has one there is no text (git and ripgrep judge alike). */
const SNIFF_BYTES = 8192;

const BOM = "\uFEFF";
const LF = 10;

type DecodedText = Pick<TextFile, "text" | "encoding" | "reading">;

const legacy = () => import("./legacyEncodings");

/**
 * Text without its BOM, or undefined for what is no text. Without a BOM it is UTF-8 where it is valid; else what somebody set, what
 * it was in before, what the bytes or other files say, or, where they don't, a character for each byte, so that nothing is lost.
 * @param set the encoding that settings have for the file
 */
export async function decode(bytes: Buffer, set?: string, hint: EncodingHint = {}): Promise<DecodedText | undefined> {
  if (mediaTypeOf(bytes)?.startsWith("image/")) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, "utf16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, "utf16be");
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return decodeWithoutBom(bytes);
  const asSet = set === undefined || saysUtf8(bytes) ? undefined : await decodeSet(bytes, set);
  if (asSet) return asSet;
  const asBefore = hint.isSame || !isUtf8(bytes) || isAscii(bytes) ? await decodeAsBefore(bytes, hint) : undefined;
  if (asBefore) return asBefore;
  if (!isUtf8(bytes)) return decodeOther(bytes, hint.others);
  const text = bytes.toString("utf8");
  return text.startsWith(BOM) ? { text: text.slice(1), encoding: "utf8bom" } : { text, encoding: "utf8" };
}

const isAscii = (bytes: Buffer) => bytes.every(byte => byte < 0x80);

const saysUtf8 = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from(BOM)) && isUtf8(bytes);

function decodeUtf16(bytes: Buffer, encoding: "utf16le" | "utf16be"): DecodedText | undefined {
  // Half a character at the end could not be written back; a NUL behind the mark is UTF-32.
  if (bytes.length % 2 !== 0 || bytes.subarray(2, 4).equals(Buffer.of(0, 0))) return undefined;
  return { text: utf16Text(bytes.subarray(2), encoding === "utf16be"), encoding };
}

const utf16Text = (body: Buffer, big: boolean) => (big ? Buffer.from(body).swap16() : body).toString("utf16le");

/** UTF-16 has its NULs on one side of each pair of bytes, and says nothing that no text has. */
function decodeWithoutBom(bytes: Buffer): DecodedText | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const at = bytes.indexOf(0);
  const big = at % 2 === 0;
  for (let nul = at; nul >= 0; nul = bytes.indexOf(0, nul + 1)) if ((nul % 2 === 0) !== big) return undefined;
  const text = utf16Text(bytes, big);
  if (/[\p{Cc}\p{Cn}\p{Co}\p{Cs}]/u.test(text.replace(/[\t\n\f\r]/g, ""))) return undefined;
  return { text, encoding: big ? "UTF-16BE without BOM" : "UTF-16LE without BOM", reading: "guessed" };
}

/** The encoding that settings say, where that is no Unicode and one that we know. */
export async function usable(set: string | undefined): Promise<string | undefined> {
  if (set === undefined || /^utf-?(?:8|16)/i.test(set)) return undefined;
  return (await legacy()).encodingExists(set) ? set : undefined;
}

/** As settings say, where the bytes are text in that. */
async function decodeSet(bytes: Buffer, set: string): Promise<DecodedText | undefined> {
  if (isAscii(bytes) || (await usable(set)) === undefined) return undefined;
  const text = (await legacy()).decodeAs(bytes, set);
  return text.includes("\uFFFD") ? undefined : { text, encoding: set, reading: "set" };
}

/** In what the file was read or written before, also where it has little or nothing left that would say so. */
async function decodeAsBefore(bytes: Buffer, { own, isSame }: EncodingHint): Promise<DecodedText | undefined> {
  if (own === undefined) return undefined;
  if (own === "bytes") return isSame ? asBytes(bytes) : undefined;
  const { decodeExactly } = await legacy();
  const text = decodeExactly(bytes, own);
  return text === undefined ? undefined : { text, encoding: own, reading: "guessed" };
}

async function decodeOther(bytes: Buffer, others: string | undefined): Promise<DecodedText> {
  const damaged = decodeDamaged(bytes);
  if (damaged !== undefined) return { text: damaged, encoding: "damaged", reading: "damaged" };
  const { guessEncoding, decodeExactly, narrowest } = await legacy();
  const guess = guessEncoding(bytes, others);
  const text = guess === undefined ? undefined : decodeExactly(bytes, guess);
  if (guess === undefined || text === undefined) return asBytes(bytes);
  return { text, encoding: narrowest(bytes, text, guess), reading: "guessed" };
}

const asBytes = (bytes: Buffer): DecodedText => ({
  text: bytes.toString("latin1"),
  encoding: "bytes",
  reading: "unknown",
});

/** Where a byte that is no UTF-8 stands in a text that otherwise is: characters that nobody uses, so that it comes back as it was. */
const STRAY = 0x10fe00;
const MOST_STRAYS = 1_000;
const STRAYS = /[\u{10fe80}-\u{10feff}]/u;

/** The text of bytes that are UTF-8 but for a few; undefined: they are something else. */
function decodeDamaged(bytes: Buffer): string | undefined {
  const parts: string[] = [];
  let [good, strays, places, from] = [0, 0, 0, 0];
  const plain = (to: number) => void (to > from && parts.push(bytes.toString("utf8", from, to)));
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0x80 || (at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)))) {
      if (length > 1) good += 1;
      at += length;
      continue;
    }
    if (at > from || at === 0) places += 1;
    plain(at);
    parts.push(String.fromCodePoint(STRAY + lead));
    strays += 1;
    at += 1;
    from = at;
    if (strays > MOST_STRAYS) return undefined;
  }
  // A character that was cut has three bytes left at most; in other encodings few are UTF-8 by chance.
  if (good < 2 || good < 2 * places || strays > 3 * places) return undefined;
  plain(bytes.length);
  const text = parts.join("");
  return encodeDamaged(text).equals(bytes) ? text : undefined;
}

function encodeDamaged(text: string): Buffer {
  if (!STRAYS.test(text)) return Buffer.from(text, "utf8");
  const parts = text.split(/([\u{10fe80}-\u{10feff}])/u);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.of((part.codePointAt(0) ?? 0) - STRAY))),
  );
}

/** A text that stands as bytes, and what becomes of it. */
interface TextChange extends Pick<DecodedText, "text" | "encoding"> {
  bytes: Buffer;
  newText: string;
  path: string;
}

/**
 * The bytes of a changed text. Of what is no Unicode, lines that nobody changed keep theirs. Rejects with FileError what the
 * encoding cannot hold, and a change of what would not stay the same in it.
 */
export async function encodeChange({ bytes, text, encoding, newText, path }: TextChange): Promise<Buffer> {
  if (isOwn(encoding)) return encode(newText, encoding, path, text);
  const { encodeAs, decodeAs } = await legacy();
  const [before, after] = [linesOf(text), linesOf(newText)];
  const byteLines = byteLinesOf(bytes);
  if (byteLines.length !== before.length) throw notTheSame(path, encoding);
  const least = Math.min(before.length, after.length);
  let first = 0;
  while (first < least && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < least - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const untouched = byteLines.slice(first, before.length - last);
  if (!encodeAs(before.slice(first, before.length - last).join(""), encoding).equals(Buffer.concat(untouched)))
    throw notTheSame(path, encoding);
  const made = after.slice(first, after.length - last).join("");
  const middle = encodeAs(made, encoding);
  if (decodeAs(middle, encoding) !== made)
    throw hasNo(
      path,
      encoding,
      lost(made, one => decodeAs(encodeAs(one, encoding), encoding)),
    );
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

const OWN = [
  "utf8",
  "utf8bom",
  "utf16le",
  "utf16be",
  "UTF-16LE without BOM",
  "UTF-16BE without BOM",
  "damaged",
  "bytes",
] as const;
type CustomEncoding = (typeof OWN)[number];
const isOwn = (encoding: string): encoding is CustomEncoding => OWN.some(own => own === encoding);

/** The bytes of a text. Refuses what the encoding cannot hold. `path` is for the message; `before`: what stood there. */
function encode(text: string, encoding: CustomEncoding, path: string, before = ""): Buffer {
  switch (encoding) {
    case "utf8":
    case "utf8bom":
      return encodeUtf8(text, encoding === "utf8bom" ? BOM : "", path);
    case "damaged":
      encodeUtf8(text, "", path);
      return encodeDamaged(text);
    case "utf16le":
      return Buffer.from(BOM + text, "utf16le");
    case "utf16be":
      return Buffer.from(BOM + text, "utf16le").swap16();
    case "UTF-16LE without BOM":
      return Buffer.from(text, "utf16le");
    case "UTF-16BE without BOM":
      return Buffer.from(text, "utf16le").swap16();
    case "bytes": {
      // A character of which the byte stands there already is that byte; any other would be a guess.
      const known = new Set(before);
      const isHeld = (one: string) => one < "\x80" || (one <= "\xff" && known.has(one));
      const strange = [...text].find(one => !isHeld(one));
      if (strange !== undefined) throw hasNo(path, encoding, strange);
      return Buffer.from(text, "latin1");
    }
  }
}

function encodeUtf8(text: string, front: string, path: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(front + text, "utf8");
  throw new FileError("IO", `${path} was not changed: the new text holds half a character (a lone surrogate).`);
}

const lost = (text: string, roundTrip: (one: string) => string) =>
  [...new Set(text)].find(one => roundTrip(one) !== one) ?? "";

const hasNo = (path: string, encoding: string, character: string) =>
  new FileError(
    "IO",
    encoding === "bytes"
      ? `${path} was not changed: it is not UTF-8, and in its encoding, which is not known, nobody knows what "${character}" is. Use ASCII there, or ask the user to set files.encoding or to convert the file to UTF-8.`
      : `${path} was not changed: its encoding is ${encoding}, which has no "${character}". Use other characters or convert the file to UTF-8 first.`,
  );

const notTheSame = (path: string, encoding: string) =>
  new FileError(
    "IO",
    `${path} was not changed: what stands there would not stay the same when it is written as ${encoding}. Ask the user to convert the file to UTF-8 first.`,
  );

/** The encoding in which a text is these bytes; undefined: none of those that are known. */
export async function findEncoding(text: string, has: (bytes: Buffer) => boolean): Promise<string | undefined> {
  if (!text.isWellFormed()) return undefined;
  const isBytes = !/[^\0-\xff]/.test(text);
  const own = OWN.find(encoding => (encoding !== "bytes" || isBytes) && has(encode(text, encoding, "", text)));
  if (own !== undefined) return own;
  const { encodeAs, LEGACY_ENCODINGS } = await legacy();
  return LEGACY_ENCODINGS.find(encoding => has(encodeAs(text, encoding)));
}

/** The bytes of a new file, in the encoding that `findEncoding` told. */
export const encodeNew = (newText: string, encoding: string, path: string, known: string): Promise<Buffer> =>
  isOwn(encoding)
    ? Promise.resolve(encode(newText, encoding, path, known))
    : encodeChange({ bytes: Buffer.of(), text: "", encoding, newText, path });

const SIGNATURES = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/tiff", "II*\0"],
  ["image/tiff", "MM\0*"],
  ["image/x-icon", "\0\0\x01\0"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/gzip", "\x1f\x8b"],
] as const;

/** What the first bytes say a file is; undefined where they are none of a few well-known ones. */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "image/webp";
  // Two letters alone begin texts too.
  if (head.startsWith("BM") && head.startsWith("\0\0\0\0", 6)) return "image/bmp";
  const brand = head.startsWith("ftyp", 4) ? head.slice(8) : "";
  if (brand === "avif" || brand === "avis") return "image/avif";
  if (/^(?:he[ivmx][cmsx]|mif1|msf1)$/.test(brand)) return "image/heic";
  return SIGNATURES.find(([, signature]) => head.startsWith(signature))?.[0];
}
