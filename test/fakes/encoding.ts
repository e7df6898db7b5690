/** How the in-memory workspace turns bytes into text and back: by BOM, else UTF-8, else Latin-1. */
import { FileError, type StorageForm } from "../../src/core/ground/ports";
import { hash } from "./hash";

const MEDIA_TYPES: [string, string][] = [
  ["89504e47", "image/png"],
  ["ffd8ff", "image/jpeg"],
  ["474946", "image/gif"],
  ["504b0304", "application/zip"],
  ["25504446", "application/pdf"],
];

export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  if (Buffer.from(bytes.subarray(8, 12)).toString("latin1") === "WEBP") return "image/webp";
  return MEDIA_TYPES.find(([magic]) => start.startsWith(magic))?.[1];
}

/** undefined: binary */
export function decode(bytes: Uint8Array): { text: string; encoding: string } | undefined {
  const data = Buffer.from(bytes);
  const bom = data.subarray(0, 3).toString("hex");
  if (bom === "efbbbf") return { text: data.subarray(3).toString("utf8"), encoding: "utf8bom" };
  if (bom.startsWith("fffe")) return { text: data.subarray(2).toString("utf16le"), encoding: "utf16le" };
  if (bom.startsWith("feff")) return { text: swap(data.subarray(2)).toString("utf16le"), encoding: "utf16be" };
  if (mediaTypeOf(bytes) || data.subarray(0, 8192).includes(0)) return undefined;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(data), encoding: "utf8" };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: data.toString("latin1"), encoding: "latin1" };
  }
}

/** Refuses what the encoding cannot hold, with FileError IO. */
export function encode(text: string, encoding: string): Uint8Array {
  if (!encoding.startsWith("utf16") && !text.isWellFormed()) throw new FileError("IO", "half a character");
  const beyond = encoding === "latin1" && /[^\0-\xff]/u.exec(text)?.[0];
  if (beyond) throw new FileError("IO", `Latin-1, which has no "${beyond}"`);
  switch (encoding) {
    case "utf8bom":
      return Buffer.concat([Buffer.from("efbbbf", "hex"), Buffer.from(text, "utf8")]);
    case "utf16le":
      return Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from(text, "utf16le")]);
    case "utf16be":
      return Buffer.concat([Buffer.from("feff", "hex"), swap(Buffer.from(text, "utf16le"))]);
    case "latin1":
      return Buffer.from(text, "latin1");
    default:
      return Buffer.from(text, "utf8");
  }
}

const swap = (data: Buffer) => Buffer.from(data).swap16();

/** In which a text was stored that had these bytes. */
export function encodingAs(as: StorageForm | undefined): string {
  const has = (encoding: string) => as && hash.sha256(encode(as.text, encoding)) === as.sha256;
  return ["utf8", "utf8bom", "utf16le"].find(has) ?? "utf8";
}
