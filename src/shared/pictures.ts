/**
 * Format and size of a picture by its bytes, and whether its end is there, without decoding it; and the limits that providers share: 5 MB as
 * base64, 8,000 pixels, 2,000 where there are many.
 */

interface PictureFacts {
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  width: number;
  height: number;
}

/** What models can see. */
export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** bytes; as base64 they are 5 MB */
export const MAX_PICTURE_BYTES = 3_932_160;
/** pixels */
export const MAX_PICTURE_SIDE = 8_000;
/** pixels; of each where a request has more than 20 */
export const MAX_SIDE_OF_MANY = 2_000;

/** undefined: none of the four formats, or not whole, or nothing is in it. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const facts = bytes.length < 20 ? undefined : (png(view) ?? jpeg(view) ?? gif(view) ?? webp(view));
  return facts && facts.width > 0 && facts.height > 0 ? facts : undefined;
}

const ascii = (view: DataView, at: number, text: string): boolean =>
  at + text.length <= view.byteLength &&
  [...text].every((letter, offset) => view.getUint8(at + offset) === letter.charCodeAt(0));

function png(view: DataView): PictureFacts | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || !ascii(view, 12, "IHDR"))
    return undefined;
  if (!endsWith(view, "IEND")) return undefined;
  return { mediaType: "image/png" as const, width: view.getUint32(16), height: view.getUint32(20) };
}

function jpeg(view: DataView): PictureFacts | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let size: { width: number; height: number } | undefined;
  for (let at = 2; at + 4 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 9 <= view.byteLength) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    // The data follows: it ends with the picture, whatever stands behind that.
    if (marker === 0xda) return size && endsWith(view, "\xff\xd9") ? { mediaType: "image/jpeg", ...size } : undefined;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Others may have put something behind the picture. */
function endsWith(view: DataView, mark: string): boolean {
  for (let at = view.byteLength - mark.length; at >= 20; at--) if (ascii(view, at, mark)) return true;
  return false;
}

function gif(view: DataView): PictureFacts | undefined {
  if (!ascii(view, 0, "GIF87a") && !ascii(view, 0, "GIF89a")) return undefined;
  if (!endsWith(view, "\0;")) return undefined;
  return { mediaType: "image/gif" as const, width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): PictureFacts | undefined {
  if (!ascii(view, 0, "RIFF") || !ascii(view, 8, "WEBP") || view.byteLength < 30) return undefined;
  if (view.getUint32(4, true) + 8 > view.byteLength + 1) return undefined;
  const u24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  const of = (width: number, height: number): PictureFacts => ({ mediaType: "image/webp", width, height });
  if (ascii(view, 12, "VP8X")) return of(u24(24) + 1, u24(27) + 1);
  if (ascii(view, 12, "VP8 ")) return of(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  if (!ascii(view, 12, "VP8L")) return undefined;
  const bits = view.getUint32(21, true);
  return of((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
}
