/** Reading what a command may have put anything in the place of. */
import type { Stats } from "node:fs";
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isWithin } from "../../shared/paths";
import { unlessFails, unlessHidden } from "../errno";

/** Links are followed; a pipe, which would never end, is not read. @returns undefined: none, or larger than `most` @throws where the system has no descriptor left */
export function bytesOf(path: string, most: number, more = 0): Buffer | undefined {
  return unlessHidden(() => {
    const opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | more);
    try {
      const stats = fstatSync(opened);
      return stats.isFile() && stats.size <= most ? readFileSync(opened) : undefined;
    } finally {
      closeSync(opened);
    }
  }, undefined);
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

/** as many as the kernel follows */
const MAX_LINKS = 40;

/** @param roots links followed: a command may have put a link to a hidden place there @returns undefined: it leads nowhere, or by a link of the workspace */
export function followOwnLinks(path: string, roots: readonly string[]): string | undefined {
  const rest = namesOf(path);
  let place = "/";
  for (let links = 0; rest.length > 0; ) {
    const name = rest.shift() ?? "";
    const next = name === ".." ? dirname(place) : join(place, name);
    const target = name === ".." ? undefined : targetOf(next);
    if (target === undefined) {
      place = next;
      continue;
    }
    links += 1;
    if (target === null || links > MAX_LINKS || roots.some(root => isWithin(root, next))) return undefined;
    if (isAbsolute(target)) place = "/";
    rest.unshift(...namesOf(target));
  }
  return place;
}

const namesOf = (path: string) => path.split("/").filter(name => name !== "" && name !== ".");

/** undefined: it is no link; null: it is not there */
const targetOf = (path: string): string | undefined | null =>
  unlessFails(() => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined), null);
