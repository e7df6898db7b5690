/**
 * A folder that is held open: names are looked up in this very folder, even if its path leads elsewhere by now. So a link
 * made between a question and a write is not followed. Linux has that for every process (`/proc/self/fd`);
 * elsewhere the real path is compared right before a change, with nothing awaited in between.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errno, unlessFails } from "./errno";
import { withSlashes } from "./paths";

/** Linux: a place in the tree, which needs no permission to read. Node has no name for it. */
const O_PATH = 0o10000000;
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Without O_NONBLOCK, opening a pipe would wait for a writer for ever. */
export const OPEN_SAFELY = NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

export class DirectoryHandle {
  /** @param fd absent: the system has none, and the path has to do */
  constructor(
    private readonly path: string,
    private readonly identity: BigIntStats,
    private readonly fd?: number,
  ) {}

  /**
   * @param path absolute, as `realpath` gives it: a link in it was made since
   * @returns undefined: the path leads elsewhere by now. Rejects with the system's error where there is no such folder
   */
  static async open(path: string, above?: DirectoryHandle): Promise<DirectoryHandle | undefined> {
    const place = above ? above.at(basename(path)) : path;
    const opened = process.platform === "linux" ? openPlace(place, path) : lookAt(path);
    let isInPlace = false;
    try {
      isInPlace = opened?.isInPlace() ?? false;
    } finally {
      // Also if the comparison throws: only this function has the descriptor.
      if (!isInPlace) opened?.close();
    }
    return isInPlace ? opened : undefined;
  }

  /** As `open`; folders that are not there are made, each in the one above it. */
  static async make(path: string): Promise<DirectoryHandle | undefined> {
    try {
      return await DirectoryHandle.open(path);
    } catch (error) {
      if (errno(error) !== "ENOENT" || dirname(path) === path) throw error;
    }
    const above = await DirectoryHandle.make(dirname(path));
    if (!above) return undefined;
    try {
      makeUnlessThere(above.at(basename(path)));
      return above.isInPlace() ? await DirectoryHandle.open(path, above) : undefined;
    } finally {
      above.close();
    }
  }

  /** A path to what has this name in the folder. */
  at(name: string): string {
    return join(this.fd === undefined ? this.path : descriptorPath(this.fd), name);
  }

  /** Its path still leads to it. At once: what follows without waiting is done in this folder. */
  isInPlace(): boolean {
    if (this.fd !== undefined) return isOpenedAt(this.fd, this.path);
    return isReal(this.path) && isSameFile(statSync(this.path, { bigint: true }), this.identity);
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
  }
}

function makeUnlessThere(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another program made it at the same moment.
    if (errno(error) !== "EEXIST") throw error;
  }
}

function openPlace(place: string, path: string): DirectoryHandle | undefined {
  let fd: number;
  try {
    fd = openSync(place, O_PATH | constants.O_DIRECTORY | NO_FOLLOW);
  } catch (error) {
    if (isLink(place)) return undefined;
    throw error;
  }
  const identity = fstatSync(fd, { bigint: true });
  if (leadsTo(`${descriptorPath(fd)}/.`, identity)) return new DirectoryHandle(path, identity, fd);
  closeSync(fd);
  return new DirectoryHandle(path, identity);
}

/** A system may have no /proc, or one whose links cannot be followed. */
const leadsTo = (path: string, identity: BigIntStats): boolean =>
  unlessFails(() => isSameFile(lstatSync(path, { bigint: true }), identity), false);

function lookAt(path: string): DirectoryHandle | undefined {
  const stats = lstatSync(path, { bigint: true });
  if (stats.isSymbolicLink()) return undefined;
  if (!stats.isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  return new DirectoryHandle(path, stats);
}

/** Whether the open file or folder is the one at this path (as `realpath` gives it), with no link on the way. */
export function isOpenedAt(fd: number, path: string): boolean {
  const link = process.platform === "linux" ? linkOf(fd) : undefined;
  // A program that saves by replacing the file takes the name away from the opened one.
  if (link !== undefined) return link === path || link === `${path} (deleted)`;
  return isReal(path) && isSameFile(lstatSync(path, { bigint: true }), fstatSync(fd, { bigint: true }));
}

/** No part of the path is a link by now; false too where there is nothing. */
const isReal = (path: string) => unlessFails(() => withSlashes(realpathSync.native(path)) === withSlashes(path), false);

const isSameFile = (a: BigIntStats, b: BigIntStats) => a.ino === b.ino && a.dev === b.dev;

const descriptorPath = (fd: number) => `/proc/self/fd/${fd}`;

const linkOf = (fd: number): string | undefined => unlessFails(() => readlinkSync(descriptorPath(fd)), undefined);

const isLink = (path: string): boolean => unlessFails(() => lstatSync(path).isSymbolicLink(), false);
