/** Pictures before they are kept: as providers take them, or named. */
import { pictureFacts } from "../../shared/pictures";
import type { Pictures } from "../ports";
import type { Image } from "./tool";

/** What is no picture leaves; the rest is made to fit where that can be done. `notes`: what the model is told of that. */
export async function fitImages(
  images: readonly Image[],
  pictures: Pictures | undefined,
): Promise<{ images: Image[]; notes: string[] }> {
  const fit: Image[] = [];
  const notes: string[] = [];
  for (const image of images) {
    const made = (await pictures?.fit(image.bytes)) ?? asItIs(image.bytes);
    if ("why" in made) {
      notes.push(`[The picture ${image.path} is left out: ${made.why}.]`);
      continue;
    }
    const { bytes, mediaType, note } = made;
    if (note !== undefined) notes.push(`[The picture ${image.path} was ${note}.]`);
    fit.push({ ...image, bytes, mediaType });
  }
  return { images: fit, notes };
}

function asItIs(bytes: Uint8Array): Awaited<ReturnType<Pictures["fit"]>> {
  const facts = pictureFacts(bytes);
  return facts ? { bytes, mediaType: facts.mediaType } : { why: "it is no whole PNG, JPEG, GIF or WebP picture" };
}
