/**
 * Writing a file so that a crash leaves the old or the new content, never half of it; but for a file that can only be written
 * in place (see `replaceContent`): of that, a crash at this very moment may leave a mixture of both.
 * A new file takes the old one's place, so that a crash leaves one of them whole; extended attributes are lost.
 */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { chmod, link, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { DirectoryHandle, OPEN_SAFELY } from "./directoryHandle";
import { writeAll } from "./disk";
import { errno, isMissing, unlessMissing } from "./errno";
import { nodeFileSystem } from "./fileSystem";
import { nodeClock } from "./system";

/** A file as it was read: what a change is based on. */
export interface PreviousFile {
  bytes: Buffer;
  stats: BigIntStats;
}

/** The folder or the file system does not take a second file beside this one: it can only be written in place. */
const NO_NEIGHBOUR = new Set(["EACCES", "EPERM", "EROFS", "EBUSY"]);

const syncToDisk = promisify(fsync);

/** ms: what changed so lately may have changed again without its time changing (FAT counts in steps of two seconds) */
const YOUNG = 2_000;

/**
 * Replaces a file that was read before. Resolves to undefined, with nothing written, when it is no longer as it was then, or its
 * path leads elsewhere. A new file takes the old one's place by renaming; where that would change more than the content (hard
 * links, another owner) or the folder is not writable, the file is written in place: a write that fails puts the old content
 * back, a crash in its midst does not.
 *
 * @param path its links followed: one that is in it by now is not
 * @param mayWrite asked at the very moment of the change, with nothing awaited in between; false is as if the file had changed
 * @param mode permissions that it gets together with the content, from a caller that knows its own ones: that it is read-only
 *   is no obstacle. Absent: it keeps its own.
 * @returns its stats after the write
 */
export const replaceContent = (
  path: string,
  bytes: Buffer,
  before: PreviousFile,
  mayWrite: () => boolean = () => true,
  mode?: number,
): Promise<BigIntStats | undefined> =>
  inFolder(path, DirectoryHandle.open, async (folder, name) => {
    const file = folder.at(name);
    if (mode === undefined) requireWritable(file, before.stats);
    const isAsRead = () => folder.isInPlace() && isUnchanged(file, before) && mayWrite();
    const inPlace = async () => {
      if (mode !== undefined && isAsRead()) await chmod(file, mode | 0o200);
      const stats = await writeInPlace(file, bytes, before, isAsRead);
      if (stats && mode !== undefined) await chmod(file, mode);
      return stats;
    };
    if (!isPlain(before.stats)) return inPlace();
    const temporary = folder.at(temporaryName());
    try {
      const stats = await fill(openSync(temporary, "wx", 0o600), bytes, mode ?? Number(before.stats.mode & 0o7777n));
      // Nothing is awaited between the check and the change: of other programs only one at that very moment is not seen.
      if (isAsRead()) {
        renameSync(temporary, file);
        return stats;
      }
      await unlink(temporary);
      return undefined;
    } catch (error) {
      await unlessMissing(unlink(temporary), undefined);
      if (NO_NEIGHBOUR.has(errno(error))) return inPlace();
      throw error;
    }
  });

const temporaryName = () => `.strata-${randomUUID()}.tmp`;

/** undefined: the folder's path leads elsewhere, and nothing was done. */
async function inFolder<T>(
  path: string,
  open: (folder: string) => Promise<DirectoryHandle | undefined>,
  work: (folder: DirectoryHandle, name: string) => Promise<T>,
): Promise<T | undefined> {
  const folder = await open(dirname(path));
  if (!folder) return undefined;
  try {
    return await work(folder, basename(path));
  } finally {
    folder.close();
  }
}

/**
 * Throws EACCES and its kin where a file is read-only. Renaming over it would work, and root may write it anyway:
 * both would overrule what its owner said.
 */
export function requireWritable(path: string, stats: BigIntStats): void {
  if ((stats.mode & 0o222n) === 0n) throw Object.assign(new Error("read-only"), { code: "EACCES" });
  accessSync(path, constants.W_OK);
}

/**
 * Creates a file and its folders. Resolves to undefined, with nothing written, when there is one already, or a link in its way.
 * @param path its links followed
 * @param mode undefined: as new files have it here
 * @returns its stats after the write
 */
export const createFile = (path: string, bytes: Buffer, mode?: number): Promise<BigIntStats | undefined> =>
  inFolder(path, DirectoryHandle.make, async (folder, name) => {
    const file = folder.at(name);
    let fd: number;
    try {
      // Private content stays private while it is written.
      fd = openSync(file, "wx", mode === undefined ? 0o666 : 0o600);
    } catch (error) {
      if (errno(error) === "EEXIST") return undefined;
      throw error;
    }
    try {
      return await fill(fd, bytes, mode);
    } catch (error) {
      await unlink(file);
      throw error;
    }
  });

/** File systems that know no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** As `createFile`, and a crash leaves the whole file or none, where the file system knows hard links. */
export async function createWholeFile(path: string, bytes: Buffer, mode: number): Promise<boolean> {
  const created = await inFolder(path, DirectoryHandle.make, async (folder, name) => {
    const temporary = folder.at(temporaryName());
    try {
      await fill(openSync(temporary, "wx", 0o600), bytes, mode);
      await link(temporary, folder.at(name));
      return true;
    } catch (error) {
      if (errno(error) === "EEXIST") return false;
      if (NO_LINKS.has(errno(error))) return undefined;
      throw error;
    } finally {
      await unlessMissing(unlink(temporary), undefined);
    }
  });
  return created ?? (await createFile(path, bytes, mode)) !== undefined;
}

/**
 * Removes a file that was read before. Resolves to false, with nothing done, when it is no longer as it was then.
 * @param evenReadOnly the caller knows its permissions
 */
export async function removeFile(path: string, before: PreviousFile, evenReadOnly = false): Promise<boolean> {
  const removed = await inFolder(path, DirectoryHandle.open, async (folder, name) => {
    const file = folder.at(name);
    if (!evenReadOnly) requireWritable(file, before.stats);
    if (!folder.isInPlace() || !isUnchanged(file, before)) return false;
    unlinkSync(file);
    return true;
  });
  return removed ?? false;
}

/** A regular file of ours with one name. */
function isPlain(stats: BigIntStats): boolean {
  if (stats.nlink > 1n) return false;
  if (!process.geteuid || !process.getegid) return true;
  return stats.uid === BigInt(process.geteuid()) && stats.gid === BigInt(process.getegid());
}

function isUnchanged(file: string, { bytes, stats }: PreviousFile): boolean {
  try {
    const now = lstatSync(file, { bigint: true });
    if (!isSame(now, stats)) return false;
    // Two changes within a tick of the file system's clock have the same time.
    return nodeClock.now() - Number(now.mtimeMs) > YOUNG || holds(file, bytes, stats);
  } catch (error) {
    if (isMissing(error) || errno(error) === "ELOOP") return false;
    throw error;
  }
}

/** The same file, as far as its times tell: a link or a folder in its place is another. */
const isSame = (now: BigIntStats, then: BigIntStats) =>
  now.dev === then.dev && now.ino === then.ino && now.size === then.size && now.mtimeNs === then.mtimeNs;

function holds(file: string, bytes: Buffer, stats: BigIntStats): boolean {
  const fd = openSync(file, constants.O_RDONLY | OPEN_SAFELY);
  try {
    return isSame(fstatSync(fd, { bigint: true }), stats) && readFileSync(fd).equals(bytes);
  } finally {
    closeSync(fd);
  }
}

/** Closes it in any case. Short calls are made at once, as in `nodeFileSystem`. */
async function fill(fd: number, bytes: Buffer, mode: number | undefined): Promise<BigIntStats> {
  try {
    await writeAll(nodeFileSystem, fd, bytes);
    if (mode !== undefined) fchmodSync(fd, mode);
    await syncToDisk(fd);
    return fstatSync(fd, { bigint: true });
  } finally {
    closeSync(fd);
  }
}

async function writeInPlace(
  file: string,
  bytes: Buffer,
  before: PreviousFile,
  isAsRead: () => boolean,
): Promise<BigIntStats | undefined> {
  if (!isAsRead()) return undefined;
  const fd = openSync(file, constants.O_RDWR | OPEN_SAFELY);
  try {
    // Again, of what was opened, with nothing awaited before the first byte.
    if (!isAsRead() || !isSame(fstatSync(fd, { bigint: true }), before.stats)) return undefined;
    try {
      overwrite(fd, bytes);
    } catch (error) {
      overwrite(fd, before.bytes);
      throw error;
    }
    await syncToDisk(fd);
    return fstatSync(fd, { bigint: true });
  } finally {
    closeSync(fd);
  }
}

function overwrite(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, bytes.length);
}
