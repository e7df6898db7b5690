/** Reading what a command may have put anything in the place of. */
import type { Stats } from "node:fs";
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { isExhausted, unlessFails } from "../errno";

/** Links are followed; a pipe, which would never end, is not read. @returns undefined: none, or larger than `most` @throws where the system has no descriptor left */
export function bytesOf(path: string, most: number): Buffer | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(opened);
    return stats.isFile() && stats.size <= most ? readFileSync(opened) : undefined;
  } catch (error) {
    if (isExhausted(error)) throw error;
    // gone, or not ours to read
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** of Git's own files */
export const MAX_BYTES = 1024 * 1024;

export const textOf = (path: string): string => bytesOf(path, MAX_BYTES)?.toString("utf8") ?? "";

/** Of a link: its own. undefined: gone, or its folder is not ours to look at */
export const statsOf = (path: string): Stats | undefined => unlessFails(() => lstatSync(path), undefined);

/** ms; 0: gone. No program can set this time back. */
export const changedAt = (path: string): number => statsOf(path)?.ctimeMs ?? 0;

export const isLink = (path: string): boolean => statsOf(path)?.isSymbolicLink() === true;

/** None where the folder is gone, or not ours to read. */
export const entriesIn = (folder: string) => unlessFails(() => readdirSync(folder, { withFileTypes: true }), []);

export const namesIn = (folder: string): string[] => entriesIn(folder).map(({ name }) => name);
