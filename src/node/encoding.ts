/** Bytes of files as text and back, without loss. */
import { isUtf8 } from "node:buffer";
import { type Encoding, FileError, type TextFile } from "../core/ports";

/** How far a NUL byte is looked for: what has one there is no text (git and ripgrep judge alike). */
const SNIFF_BYTES = 8192;

const BOM = "\uFEFF";

type Decoded = Pick<TextFile, "text"> & { encoding: Encoding };

/**
 * Text without its BOM, or undefined for what is no text. Without a BOM it is UTF-8 where it is valid, else Latin-1: that
 * maps every byte to a character and back, so nothing is lost by a wrong guess.
 */
export function decode(bytes: Buffer): Decoded | undefined {
  if (mediaTypeOf(bytes)?.startsWith("image/")) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, "utf16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, "utf16be");
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return undefined;
  if (!isUtf8(bytes)) return { text: bytes.toString("latin1"), encoding: "latin1" };
  const text = bytes.toString("utf8");
  return text.startsWith(BOM) ? { text: text.slice(1), encoding: "utf8bom" } : { text, encoding: "utf8" };
}

function decodeUtf16(bytes: Buffer, encoding: "utf16le" | "utf16be"): Decoded | undefined {
  // half a character at the end could not be written back
  if (bytes.length % 2 !== 0) return undefined;
  const body = bytes.subarray(2);
  const little = encoding === "utf16le" ? body : Buffer.from(body).swap16();
  return { text: little.toString("utf16le"), encoding };
}

/** The bytes of a text. Refuses what the encoding cannot hold. `path` is for the message. */
export function encode(text: string, encoding: Encoding, path: string): Buffer {
  switch (encoding) {
    case "utf8":
    case "utf8bom":
      if (!text.isWellFormed()) {
        throw new FileError("IO", `${path} was not changed: the new text holds half a character (a lone surrogate).`);
      }
      return Buffer.from(encoding === "utf8bom" ? BOM + text : text, "utf8");
    case "utf16le":
      return Buffer.from(BOM + text, "utf16le");
    case "utf16be":
      return Buffer.from(BOM + text, "utf16le").swap16();
    case "latin1": {
      const at = firstBeyondLatin1(text);
      if (at !== undefined) {
        throw new FileError(
          "IO",
          `${path} was not changed: it is not UTF-8 but Latin-1, which has no "${at}". Use other characters or convert the file to UTF-8 first.`,
        );
      }
      return Buffer.from(text, "latin1");
    }
  }
}

/** The encoding in which a text is these bytes; undefined: none of ours. */
export function findEncoding(text: string, has: (bytes: Buffer) => boolean): Encoding | undefined {
  const holds = (encoding: Encoding) => encoding !== "latin1" || firstBeyondLatin1(text) === undefined;
  return ENCODINGS.find(encoding => text.isWellFormed() && holds(encoding) && has(encode(text, encoding, "")));
}

const ENCODINGS: readonly Encoding[] = ["utf8", "utf8bom", "utf16le", "utf16be", "latin1"];

function firstBeyondLatin1(text: string): string | undefined {
  for (const character of text) if ((character.codePointAt(0) ?? 0) > 0xff) return character;
  return undefined;
}

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
