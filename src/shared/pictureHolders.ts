/** What stands in a message's words for each of its pictures: the model reads it too. */

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
