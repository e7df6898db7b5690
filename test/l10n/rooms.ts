/** Where every sentence for people is translated already, and what looks like one there and is none. */

/** Beginnings of paths. */
export const rooms: readonly string[] = [];

/** Words that a program reads, or the model. By file, as the finder has them: holes are `{}`. */
const forPrograms: Readonly<Record<string, readonly string[]>> = {};

export const wordsOfPrograms = (path: string, text: string) => forPrograms[path]?.includes(text) ?? false;
