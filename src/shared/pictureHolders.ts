/** A message's words with its pictures, and what stands in the words for each of them: the model reads it too. */
import type { KeptPicture } from "./attachProtocol";

/** What a person sends: words, pictures in their order, and in a terminal what was piped beside the words. */
export interface MessageWords {
  text: string;
  pictures?: readonly KeptPicture[] | undefined;
  piped?: string | undefined;
}

/** As records have them: without pictures where there are none. */
export const wordsOf = ({ text, pictures = [] }: MessageWords) => ({
  text,
  ...(pictures.length > 0 && { pictures: [...pictures] }),
});

/** @param name without brackets */
export const pictureHolder = (number: number, name: string) => `[Picture ${number}: ${name}]`;

const HOLDER = /\[Picture \d+: ([^[\]]*)\]/g;

/** The pictures that stay when a message is changed: all but those whose place holders were taken out of its words. */
export function stillHeld<T extends { readonly path: string }>(
  pictures: readonly T[],
  before: string,
  after: string,
): T[] {
  const holders = new Map([...before.matchAll(HOLDER)].map(([raw, name]) => [raw, name]));
  return pictures.filter(({ path }) => {
    // Several may have one name: theirs are in the same order.
    const [raw] = [...holders].find(([, name]) => name === path) ?? [];
    if (raw === undefined) return true;
    holders.delete(raw);
    return after.includes(raw);
  });
}
