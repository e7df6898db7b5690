/**
 * A picture says more than its pixels: where and by whom it was taken, with what, texts of programs. None of that goes to a model.
 * PNG and JPEG are copied without those parts, and stay otherwise the same; others are made a PNG anew (worker.ts).
 */

/** @param bytes of a PNG or a JPEG @returns the same where there is nothing to leave out */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  const parts = partsOf(bytes);
  if (!parts || parts.reduce((sum, part) => sum + part.length, 0) === bytes.length) return bytes;
  return Buffer.concat(parts);
}

/** @param from what it was made of: the maker turns nothing, and does not say that it is to be turned @param made a JPEG */
export function turnedAs(from: Uint8Array, made: Uint8Array): Uint8Array {
  const exif = startsWith(from, 0, "\xff\xd8") ? whole(() => jpeg(from)?.exif) : undefined;
  return exif ? Buffer.concat([made.subarray(0, 2), exif, made.subarray(2)]) : made;
}

function partsOf(bytes: Uint8Array): Uint8Array[] | undefined {
  if (startsWith(bytes, 0, "\x89PNG")) return whole(() => png(bytes));
  return startsWith(bytes, 0, "\xff\xd8") ? whole(() => jpeg(bytes)?.parts) : undefined;
}

/** undefined: it ends in the midst of something */
function whole<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const latin = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length));
const startsWith = (bytes: Uint8Array, at: number, text: string) => latin(bytes, at, text.length) === text;
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Beside those without which it cannot be read, whose names begin with a capital letter: colours, size, animation. */
const PNG_KEPT = new Set("tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT".split(" "));

function png(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = viewOf(bytes);
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    const name = latin(bytes, at + 4, 4);
    if (/^[A-Z]/.test(name) || PNG_KEPT.has(name)) parts.push(bytes.subarray(at, end));
    if (name === "IEND") return parts;
    at = end;
  }
  return undefined;
}

const [APP0, APP1, APP2, APP14, APP15, COMMENT] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe];

function jpeg(bytes: Uint8Array): { parts: Uint8Array[]; exif?: Uint8Array } | undefined {
  const view = viewOf(bytes);
  const parts = [bytes.subarray(0, 2)];
  let exif: Uint8Array | undefined;
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xd9) return { parts: [...parts, bytes.subarray(at, at + 2)], ...(exif && { exif }) };
    const stands = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    const length = marker === 0xff ? 1 : stands ? 2 : 2 + view.getUint16(at + 2);
    const end = marker === 0xda ? endOfScan(view, at + length) : at + length;
    if (marker === APP1 && startsWith(bytes, at + 4, "Exif\0\0")) {
      const isFirst = exif === undefined;
      exif ??= turnedBy(bytes.subarray(at + 10, end));
      if (exif && isFirst) parts.push(exif);
    } else if (isPicture(marker, bytes, at + 4)) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}

function isPicture(marker: number, bytes: Uint8Array, at: number): boolean {
  if (marker === APP0) return startsWith(bytes, at, "JFIF\0");
  if (marker === APP2) return startsWith(bytes, at, "ICC_PROFILE\0");
  return marker === APP14 || ((marker < APP0 || marker > APP15) && marker !== COMMENT);
}

function endOfScan(view: DataView, from: number): number {
  for (let at = from; ; at += 1) {
    if (view.getUint8(at) !== 0xff) continue;
    const next = view.getUint8(at + 1);
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
}

/** A JPEG's part that says how the picture is turned and nothing else; undefined: it is not. @param tiff as Exif has it */
function turnedBy(tiff: Uint8Array): Uint8Array | undefined {
  const turned = orientation(tiff);
  if (turned < 2 || turned > 8) return undefined;
  return Buffer.concat([Buffer.from([0xff, APP1, 0, 34]), Buffer.from("Exif\0\0"), exifOf(turned)]);
}

/** Of a TIFF: one entry, and that in order of bytes "II". */
const exifOf = (turned: number): Uint8Array =>
  Buffer.from([...Buffer.from("II*\0"), 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, turned, 0, 0, 0, 0, 0, 0, 0]);

/** 1: as it stands, or nothing that can be read says how */
function orientation(tiff: Uint8Array): number {
  const view = viewOf(tiff);
  const isLittle = startsWith(tiff, 0, "II");
  if (tiff.length < 8) return 1;
  const first = view.getUint32(4, isLittle);
  for (
    let at = first + 2, entry = 0;
    at + 12 <= tiff.length && entry < view.getUint16(first, isLittle);
    entry += 1, at += 12
  )
    if (view.getUint16(at, isLittle) === 0x0112) return view.getUint16(at + 8, isLittle);
  return 1;
}
