/** Files that become pictures of a message: what is wrong with one is a sentence, before anything is sent anywhere. */
import { plural, t } from "../../../src/shared/l10n";
import { pictureFacts } from "../../../src/shared/pictures";
import { pictureName } from "../panel/held";
import type { Panel } from "../panel/panel";
import { sizeText } from "../text/format";

/** in one message */
export const MAX_PICTURES = 20;
/** bytes */
const MAX_BYTES = 20_000_000;
/** px */
const THUMB = 48;

/** Bytes of a picture, or why it is none that can be sent. */
async function readPicture(file: File, name: string): Promise<{ bytes: Uint8Array } | { why: string }> {
  if (file.size > MAX_BYTES)
    return {
      why: t("{0} is too large ({1}). A picture may have {2}.", name, sizeText(file.size), sizeText(MAX_BYTES)),
    };
  // A folder that was dropped, or a file that went meanwhile.
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (buffer === undefined) return { why: t("{0} could not be read.", name) };
  const bytes = new Uint8Array(buffer);
  if (pictureFacts(bytes)) return { bytes };
  return { why: t("{0} can't be used: it is no whole PNG, JPEG, GIF or WebP picture.", name) };
}

export const tooManyPictures = (left: number) =>
  plural(
    left,
    "1 picture was left out: a message takes 20. Send the others with the next one.",
    "{0} pictures were left out: a message takes 20. Send the others with the next one.",
  );

/** Base64, a piece at a time: the whole would be too many arguments. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x80_00) text += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  return btoa(text);
}

/** A small copy, as a data URL; "" where the page cannot draw it. */
async function thumbOf(file: Blob): Promise<string> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (image === undefined) return "";
  const scale = Math.min(1, (2 * THUMB) / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas.toDataURL("image/webp", 0.7);
}

/** Reads it and has it kept for a message. @returns `why` not */
export async function keepPicture(panel: Panel, file: File) {
  const name = pictureName(file.name);
  const read = await readPicture(file, name);
  if ("why" in read) return read;
  const picture = await panel.keepPicture(name, toBase64(read.bytes));
  if ("why" in picture) return picture;
  return { kind: "picture" as const, picture, thumb: await thumbOf(file) };
}
