/** What stands for a secret: `[secret:<name>:<12 hex digits of a keyed hash>]`. */

const one = "\\[secret:[A-Za-z0-9_-]+:[0-9a-f]{12}\\]";

export const placeholder = {
  all: new RegExp(one, "g"),
  /** `split` by it gives texts and placeholders in turn */
  split: new RegExp(`(${one})`),
  nameIn: (mark: string): string => mark.split(":")[1] ?? "",
};

/** A placeholder stands in the text, known to this process or not. */
export const namesSecret = (text: string): boolean => placeholder.split.test(text);

export const createPlaceholder = (name: string, keyedHash: string): string =>
  `[secret:${name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) || "value"}:${keyedHash.slice(0, 12)}]`;
