/** Pictures before they are kept: as providers take them, or named. */
import type { Pictures } from "../ground/ports";
import type { Image } from "./tool";

/**
 * What is no picture leaves; the rest is made to fit. `notes`: what the model is told of that.
 * @param pictures absent: they are kept as they are, and looked at where they go out
 */
export async function fitImages(
  images: readonly Image[],
  pictures: Pictures | undefined,
): Promise<{ images: Image[]; notes: string[] }> {
  if (!pictures) return { images: [...images], notes: [] };
  const fit: Image[] = [];
  const notes: string[] = [];
  for (const image of images) {
    const made = await pictures.fit(image.bytes);
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
