/**
 * Writing a file so that a crash leaves the old or the new content, never half of it; but for a file that can only be written
 * in place (see `replaceContent`): of that, a crash at this very moment may leave a mixture of both.
 */
import { randomUUID } from "node:crypto";
import { type BigIntStats, ftruncateSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from "node:fs";
import { access, constants, type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errno, isMissing, unlessMissing } from "./errno";

/** A file as it was read: what a change is based on. */
export interface Before {
  bytes: Buffer;
  stats: BigIntStats;
}

/** The folder or the file system does not take a second file beside this one: it can only be written in place. */
const NO_NEIGHBOUR = new Set(["EACCES", "EPERM", "EROFS", "EBUSY"]);

/** ms: what changed so lately may have changed again without its time changing (FAT counts in steps of two seconds) */
const YOUNG = 2_000;

/**
 * Replaces a file that was read before. Resolves to false, with nothing written, when it is no longer as it was then.
 * A new file takes the old one's place by renaming; where that would change more than the content (hard links, another
 * owner) or the folder is not writable, the file is written in place: a write that fails puts the old content back, a crash
 * in its midst does not.
 *
 * @param mayWrite asked at the very moment of the change, with nothing awaited in between; false is as if the file had changed
 */
export async function replaceContent(
  path: string,
  bytes: Buffer,
  before: Before,
  mayWrite: () => boolean = () => true,
): Promise<boolean> {
  await requireWritable(path, before.stats);
  const isAsRead = () => isUnchanged(path, before) && mayWrite();
  if (!isPlain(before.stats)) return writeInPlace(path, bytes, before, isAsRead);
  const temporary = join(dirname(path), `.strata-${randomUUID()}.tmp`);
  try {
    await fill(await open(temporary, "wx", 0o600), bytes, Number(before.stats.mode & 0o7777n));
    // Nothing is awaited between the check and the change: of other programs only one at that very moment is not seen.
    if (isAsRead()) {
      renameSync(temporary, path);
      return true;
    }
    await unlink(temporary);
    return false;
  } catch (error) {
    await unlessMissing(unlink(temporary), undefined);
    if (NO_NEIGHBOUR.has(errno(error))) return writeInPlace(path, bytes, before, isAsRead);
    throw error;
  }
}

/**
 * Rejects with EACCES and its kin where a file is read-only. Renaming over it would work, and root may write it anyway:
 * both would overrule what its owner said.
 */
export async function requireWritable(path: string, stats: BigIntStats): Promise<void> {
  if ((stats.mode & 0o222n) === 0n) throw Object.assign(new Error("read-only"), { code: "EACCES" });
  await access(path, constants.W_OK);
}

/**
 * Creates a file and its folders. Resolves to false, with nothing written, when there is one already.
 * @param mode undefined: as new files have it here
 */
export async function createFile(path: string, bytes: Buffer, mode?: number): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  let handle: FileHandle;
  try {
    // What only its owner could read is nobody else's while it is written either.
    handle = await open(path, "wx", mode === undefined ? 0o666 : 0o600);
  } catch (error) {
    if (errno(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await fill(handle, bytes, mode);
  } catch (error) {
    await unlink(path);
    throw error;
  }
  return true;
}

/** Removes a file that was read before. Resolves to false, with nothing done, when it is no longer as it was then. */
export async function removeFile(path: string, before: Before): Promise<boolean> {
  await requireWritable(path, before.stats);
  if (!isUnchanged(path, before)) return false;
  unlinkSync(path);
  return true;
}

/** A regular file of ours with one name. */
function isPlain(stats: BigIntStats): boolean {
  if (stats.nlink > 1n) return false;
  if (!process.geteuid || !process.getegid) return true;
  return stats.uid === BigInt(process.geteuid()) && stats.gid === BigInt(process.getegid());
}

function isUnchanged(path: string, { bytes, stats }: Before): boolean {
  try {
    const now = statSync(path, { bigint: true });
    if (now.ino !== stats.ino || now.size !== stats.size || now.mtimeNs !== stats.mtimeNs) return false;
    // Two changes within a tick of the file system's clock have the same time.
    return Date.now() - Number(now.mtimeMs) > YOUNG || readFileSync(path).equals(bytes);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Closes it, whatever happens. */
async function fill(handle: FileHandle, bytes: Buffer, mode: number | undefined): Promise<void> {
  try {
    await handle.writeFile(bytes);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeInPlace(path: string, bytes: Buffer, before: Before, isAsRead: () => boolean): Promise<boolean> {
  if (!isAsRead()) return false;
  const handle = await open(path, "r+");
  try {
    // Again, with nothing awaited before the first byte.
    if (!isAsRead()) return false;
    try {
      overwrite(handle.fd, bytes);
    } catch (error) {
      overwrite(handle.fd, before.bytes);
      throw error;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return true;
}

function overwrite(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, bytes.length);
}
