/**
 * What a search compares of every path before it looks at letters, in one place an entry: 64 bytes, as much as a processor
 * fetches at once. In arrays of their own, each of these numbers would be a fetch where entries are looked at out of order. Pure.
 */
import { Growing } from "./growing";

/** 32-bit words an entry. */
export const RECORD = 16;

/** How many of them hold the pairs of letters (`pairBit`) that its folders have, and as many those of its name. */
export const PAIR_WORDS = 4;

/** Which word is what. */
export const Field = {
  /** `maskOf` all units of its folders, of those that begin a word there; the same of its name */
  folders: 0,
  folderHeads: 1,
  name: 2,
  nameHeads: 3,
  /** `shapeOf` */
  shape: 4,
  /** where its units begin, how many they are and at which of them its name begins, its name's length without ending and `/` */
  start: 5,
  sizes: 6,
  stem: 7,
  folderPairs: 8,
  namePairs: 8 + PAIR_WORDS,
} as const;

/** No longer than 65,535 units each. */
export class Records {
  readonly words = new Growing(Uint32Array);

  /** All letters it has, as bits; 0 for one that was forgotten. */
  mask(id: number): number {
    return this.at(id, Field.folders) | this.at(id, Field.name);
  }

  shape(id: number): number {
    return this.at(id, Field.shape);
  }

  start(id: number): number {
    return this.at(id, Field.start);
  }

  /** How many units the path has. */
  size(id: number): number {
    return this.at(id, Field.sizes) & 0xffff;
  }

  /** At which of them its name begins. */
  name(id: number): number {
    return this.at(id, Field.sizes) >>> 16;
  }

  stem(id: number): number {
    return this.at(id, Field.stem);
  }

  /** Nothing matches it any more. */
  forget(id: number): void {
    this.words.data[id * RECORD + Field.folders] = 0;
    this.words.data[id * RECORD + Field.name] = 0;
  }

  reach(entries: number): void {
    this.words.reach(entries * RECORD);
  }

  trim(entries: number): void {
    this.words.trim(entries * RECORD);
  }

  private at(id: number, field: number): number {
    return this.words.data[id * RECORD + field] ?? 0;
  }
}
