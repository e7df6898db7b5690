/** Writing that is on disk when it resolves. */
import { randomUUID } from "node:crypto";
import { type BigIntStats, statSync } from "node:fs";
import * as promises from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../core/ground/ports";
import { errno, isMissing, unlessCode, unlessMissing } from "./errno";
import { type FileSystem, FOLDER_MODE, nodeFileSystem } from "./fileSystem";
import { withSlashes } from "./paths";
import { nodeClock } from "./system";

/**
 * Creates a folder and those above it. Its name, and theirs, are on disk for good before anything is in it: also where a process
 * made some of them and died before they were.
 */
export async function makeFolder(fs: FileSystem, path: string): Promise<void> {
  const above = dirname(path);
  try {
    await makeIfMissing(fs, path);
  } catch (error) {
    if (errno(error) !== "ENOENT" || above === path) throw error;
    await makeFolder(fs, above);
    await makeIfMissing(fs, path);
  }
  await syncReadable(fs, dirname(above));
  await fs.syncFolder(above);
}

/** In an unreadable folder no process of ours has made a name. */
export const syncReadable = (fs: FileSystem, folder: string): Promise<void> =>
  unlessCode(["EACCES", "EPERM"], fs.syncFolder(folder), undefined);

/** One folder; whether its name outlives a power cut is left open. */
export const makeIfMissing = (fs: FileSystem, path: string) => unlessCode(["EEXIST"], fs.mkdir(path), undefined);

/** For what need not outlive a power cut. One that is there already is closed to everybody else, where it is ours. */
export async function makePrivateFolder(path: string): Promise<void> {
  await promises.mkdir(path, { recursive: true, mode: FOLDER_MODE });
  await closeToOthers(nodeFileSystem, path);
}

/** A folder for a moment: texts that a search needs as files, and that no other user is to read. `path`: absolute, native, not there yet */
export async function newScratchFolder(path: string) {
  await makePrivateFolder(path);
  return {
    path: withSlashes(path),
    /** @param below path in it, '/' separators; folders are made */
    async write(below: string, text: string): Promise<void> {
      const file = join(path, below);
      await promises.mkdir(dirname(file), { recursive: true });
      await promises.writeFile(file, text, { mode: 0o600 });
    },
    remove: () => removeFolder(path),
  };
}

/** With all its content; a missing one is passed over. */
export const removeFolder = (path: string): Promise<void> => promises.rm(path, { recursive: true, force: true });

/** Sessions that an older version, or another program, left open to be read. */
export async function closeToOthers(fs: FileSystem, folder: string): Promise<void> {
  if (process.platform === "win32" || ((await fs.stat(folder)).mode & 0o077) === 0) return;
  // another person's folder that we may write: what we make in it is closed by itself
  await unlessCode(["EPERM"], fs.chmod(folder, FOLDER_MODE), undefined);
}

/** undefined: no such file */
export const readOr = (fs: FileSystem, path: string) => unlessMissing(fs.readFile(path), undefined);

export const isFile = async (fs: FileSystem, path: string): Promise<boolean> =>
  (await unlessMissing(fs.stat(path), undefined))?.isFile() ?? false;

/** The names of the files in a folder; none where there is no folder. */
export const fileNames = async (fs: FileSystem, folder: string): Promise<string[]> =>
  (await unlessMissing(fs.readdir(folder), [])).filter(entry => entry.isFile()).map(entry => entry.name);

/** Bytes below a folder, which may change meanwhile. Links are not followed. */
export async function treeBytes(fs: FileSystem, folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await unlessMissing(fs.readdir(folder), [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await treeBytes(fs, path);
    else if (entry.isFile()) bytes += (await unlessMissing(fs.stat(path), undefined))?.size ?? 0;
  }
  return bytes;
}

/** A missing one is passed over. */
export const removeFile = (fs: FileSystem, path: string): Promise<void> => unlessMissing(fs.unlink(path), undefined);

/** A folder with all that is in it. Links are removed, not followed. */
export async function removeTree(fs: FileSystem, folder: string): Promise<void> {
  for (const entry of await unlessMissing(fs.readdir(folder), [])) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? removeTree(fs, path) : removeFile(fs, path));
  }
  await unlessMissing(fs.rmdir(folder), undefined);
}

export async function writeAll(fs: FileSystem, fd: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += await fs.write(fd, bytes, at);
}

/** Names of unfinished files; the next holder of the session's lock removes them. */
export const isTemporary = (name: string): boolean => name.startsWith(".") && name.endsWith(".tmp");

/**
 * One process at a time: only one can make the file, and removes it when it is done. @param staleMs after which it was left by a
 * process that died: it is gone then, and the next try may get it. @returns false: another has it
 */
export async function takeGuard(fs: FileSystem, path: string, staleMs: number, clock: Clock): Promise<boolean> {
  try {
    await fs.close(await fs.open(path, "wx"));
    return true;
  } catch (error) {
    if (errno(error) !== "EEXIST") throw error;
  }
  const stats = await unlessMissing(fs.stat(path), undefined);
  // of the future: the clock was set back since
  if (stats && Math.abs(clock.now() - stats.mtimeMs) > staleMs) await removeFile(fs, path);
  return false;
}

export const temporaryBeside = (path: string): string => join(dirname(path), `.${randomUUID()}.tmp`);

/** Old or new, never half, but not synced: for what can be made again. */
export const writeCache = (fs: FileSystem, path: string, text: string): Promise<void> => writeInPlaceOf(fs, path, text);

/** @param mayReplace as `replaceFile`: then it is synced, too */
async function writeInPlaceOf(fs: FileSystem, path: string, text: string, mayReplace?: () => Promise<void>) {
  const fresh = temporaryBeside(path);
  try {
    const fd = await fs.open(fresh, "wx");
    try {
      await writeAll(fs, fd, Buffer.from(text, "utf8"));
      if (mayReplace) await fs.fdatasync(fd);
    } finally {
      await fs.close(fd);
    }
    await mayReplace?.();
    await fs.rename(fresh, path);
  } catch (error) {
    await removeQuietly(fs, fresh);
    throw error;
  }
}

/** For something temporary on the way out: what could not be done is told already, and who gets the lock removes the rest. */
export async function removeQuietly(fs: FileSystem, path: string): Promise<void> {
  await removeFile(fs, path).catch(() => undefined);
}

/** A trip through Node's thread pool costs ten times as much as the `stat` itself. undefined: nothing is there */
const statNow = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false });

/** ms; a step is 10 of them at most on Linux, and two seconds on FAT */
const SAME_STEP_MS = 2_500;

/** What was made of the things at paths; as long as nothing there changed, it is not read again. */
export class PathCache<T> {
  readonly known = new Map<string, { version: string; value: T }>();

  /** @param onFailure told what could not be read, but not of missing files */
  constructor(
    private readonly missing: T,
    private readonly onFailure: (path: string, error: unknown) => void,
    /** Not even a change of just now is passed over. */
    private readonly everyChange = false,
    private readonly clock: Clock = nodeClock,
  ) {}

  /** The look is made at once: dozens of paths are asked for in each step, and mostly nothing is there. */
  async get(path: string, read: (stats: BigIntStats) => Promise<T>): Promise<T> {
    const failed = (error: unknown) => {
      if (!isMissing(error)) this.onFailure(path, error);
      return this.missing;
    };
    try {
      const stats = statNow(path);
      if (!stats) {
        this.known.delete(path);
        return this.missing;
      }
      const version = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
      const known = this.known.get(path);
      if (known?.version === version) return known.value;
      const value = await read(stats).catch(failed);
      // File systems count time in steps: another change within the same one would look like this state.
      const age = this.clock.now() - Number(stats.ctimeNs / 1_000_000n);
      if (this.everyChange && age < SAME_STEP_MS) this.known.delete(path);
      else this.known.set(path, { version, value });
      return value;
    } catch (error) {
      this.known.delete(path);
      return failed(error);
    }
  }
}

/** The disk refused to sync, or to take back: its content, now and after a power cut, is unknown. */
export class UnknownStateError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super(String(cause), { cause });
    this.code = errno(cause);
  }
}

// A file that only grows, kept open. What an append could not finish is cut off again.

export class AppendFile {
  private constructor(
    private readonly fs: FileSystem,
    private readonly fd: number,
    /** bytes that were written whole */
    private length: number,
  ) {}

  /** not synced yet; at first true: a process before may not have done it */
  private dirty = true;

  static async open(fs: FileSystem, path: string): Promise<AppendFile> {
    const fd = await fs.open(path, "a");
    try {
      return new AppendFile(fs, fd, (await fs.fstat(fd)).size);
    } catch (error) {
      await fs.close(fd);
      throw error;
    }
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /**
   * Resolves when the bytes are written; `sync` has them on disk. Rejects with the system's error: then the file is as it was
   * before; with UnknownStateError: then it is not.
   */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text, "utf8");
    this.dirty = true;
    try {
      for (let at = 0; at < bytes.length; ) at += this.fs.writeSync(this.fd, bytes, at);
      this.length += bytes.length;
    } catch (error) {
      await this.truncate(this.length);
      throw error;
    }
  }

  /** Rejects as `append`. */
  async truncate(bytes: number): Promise<void> {
    this.dirty = true;
    this.length = Math.min(bytes, this.length);
    await this.fs.ftruncate(this.fd, this.length).catch(cause => {
      throw new UnknownStateError(cause);
    });
  }

  /** All that was written is on disk. Never again after a rejection: the system would say yes. */
  async sync(): Promise<void> {
    if (this.dirty) await this.fs.fdatasync(this.fd);
    this.dirty = false;
  }

  close(): Promise<void> {
    return this.fs.close(this.fd);
  }
}

/**
 * One file in the place of another, for good: a crash leaves the old one or the new one, whole, and nothing temporary is left. Rejects
 * with UnknownStateError where the new one is in its place, but perhaps not after a power cut; else the old one is.
 *
 * A window that lost the session while it slept must not replace what another writes by now. `mayReplace` is asked right
 * before the rename; and who takes a session over removes the temporary file before it reads, so that a rename which comes
 * even later finds nothing to rename.
 * @param mayReplace throws where it may not
 */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  text: string,
  mayReplace: () => Promise<void> = async () => undefined,
): Promise<void> {
  await writeInPlaceOf(fs, path, text, mayReplace);
  await fs.syncFolder(dirname(path)).catch(cause => {
    throw new UnknownStateError(cause);
  });
}
