/** Writing a file so that a crash leaves the old or the new content, never half of it. */
import { randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, type FileHandle, mkdir, open, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errno, isMissing } from "./errno";

/** A file as it was read: what a change is based on. */
export interface Before {
  bytes: Buffer;
  stats: BigIntStats;
}

/** The folder or the file system does not take a second file beside this one: it can only be written in place. */
const NO_NEIGHBOUR = new Set(["EACCES", "EPERM", "EROFS", "EBUSY"]);

/**
 * Replaces a file that was read before. Resolves to false, with nothing written, when it is no longer as it was then.
 * A new file takes the old one's place by renaming; where that would change more than the content (hard links, another
 * owner) or the folder is not writable, the file is written in place.
 */
export async function replaceContent(path: string, bytes: Buffer, before: Before): Promise<boolean> {
  await requireWritable(path, before.stats);
  if (!isPlain(before.stats)) return writeInPlace(path, bytes, before);
  const temporary = join(dirname(path), `.strata-${randomUUID()}.tmp`);
  try {
    await writeNew(temporary, bytes, Number(before.stats.mode & 0o7777n));
    if (!(await isUnchanged(path, before.stats))) {
      await unlink(temporary);
      return false;
    }
    await rename(temporary, path);
    return true;
  } catch (error) {
    await removeIfThere(temporary);
    if (NO_NEIGHBOUR.has(errno(error))) return writeInPlace(path, bytes, before);
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

/** Creates a file and its folders. Resolves to false, with nothing written, when there is one already. */
export async function createFile(path: string, bytes: Buffer): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  let handle: FileHandle;
  try {
    handle = await open(path, "wx");
  } catch (error) {
    if (errno(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await handle.close();
  }
  return true;
}

/** A regular file of ours with one name. */
function isPlain(stats: BigIntStats): boolean {
  if (stats.nlink > 1n) return false;
  if (!process.geteuid || !process.getegid) return true;
  return stats.uid === BigInt(process.geteuid()) && stats.gid === BigInt(process.getegid());
}

async function isUnchanged(path: string, before: BigIntStats): Promise<boolean> {
  try {
    const now = await stat(path, { bigint: true });
    return now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function writeNew(path: string, bytes: Buffer, mode: number): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeInPlace(path: string, bytes: Buffer, before: Before): Promise<boolean> {
  if (!(await isUnchanged(path, before.stats))) return false;
  const handle = await open(path, "r+");
  try {
    await overwrite(handle, bytes);
  } catch (error) {
    await overwrite(handle, before.bytes);
    throw error;
  } finally {
    await handle.close();
  }
  return true;
}

async function overwrite(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  }
  await handle.truncate(bytes.length);
  await handle.sync();
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errno(error) !== "ENOENT") throw error;
  }
}
