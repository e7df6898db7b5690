/** Copies of files that nothing else has a copy of: in a folder of this process, by their content, and gone with it. */
import { randomUUID } from "node:crypto";
import { statfsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileState } from "../../shared/fileStates";
import { makePrivateFolder } from "../disk";
import { isDiskFull } from "../errno";
import { isProcessAlive } from "../processes";

/** bytes of all copies */
const MAX_COPIES = 256 * 1024 * 1024;

export class CopyFolder {
  private readonly path: string;
  /** by sha256; `done` false: it could not be written, and is not there */
  private readonly copied = new Map<string, { bytes: number; done: Promise<boolean> }>();
  private isReady = false;
  private left = 0;
  /** The disk, not the limit, says what fits into this scan. */
  diskFull = false;

  /** @param scratch the folder that it is made in, once it is needed */
  constructor(private readonly scratch: string) {
    this.path = join(scratch, `baseline-${process.pid}-${randomUUID()}`);
  }

  /** A full disk may have room again: it is tried each time until it is done. */
  async prepare(): Promise<void> {
    if (this.isReady) return;
    await removeLeftovers(this.scratch);
    await makePrivateFolder(this.path);
    this.isReady = true;
  }

  /** Before each scan. Most of the free room stays free: what a command changes goes from here to the session, perhaps on the same disk. */
  makeRoom(): void {
    const { blocks, bavail, bsize } = statfsSync(this.path);
    const left = [...this.copied.values()].reduce((left, { bytes }) => left - bytes, MAX_COPIES);
    // A file system that says nothing of itself has no blocks.
    this.left = blocks === 0 ? left : Math.min(left, (bavail * bsize) / 4);
    this.diskFull = this.left < left;
  }

  hasRoom = (bytes: number): boolean => bytes <= this.left;

  /** false: the disk has no room for it */
  async take(sha256: string, bytes: Buffer): Promise<boolean> {
    const known = this.copied.get(sha256);
    if (known) return known.done;
    this.left -= bytes.length;
    const done = this.write(sha256, bytes);
    this.copied.set(sha256, { bytes: bytes.length, done });
    const isDone = await done.catch((error: unknown) => {
      this.copied.delete(sha256);
      throw error;
    });
    if (isDone) return true;
    // The rest would not fit either, and other programs need the space that is left.
    this.left = 0;
    this.diskFull = true;
    this.copied.delete(sha256);
    return false;
  }

  /** false: there is no room on the disk. Rejects where it fails otherwise. */
  private async write(sha256: string, bytes: Buffer): Promise<boolean> {
    const path = join(this.path, sha256);
    try {
      await writeFile(path, bytes, { mode: 0o600 });
      return true;
    } catch (error) {
      await rm(path, { force: true });
      if (isDiskFull(error)) return false;
      throw error;
    }
  }

  /** undefined: it is gone */
  read(sha256: string): Promise<Buffer | undefined> {
    return readFile(join(this.path, sha256)).catch((): undefined => undefined);
  }

  /** Removes what none of these states needs. */
  async keepOnly(states: readonly FileState[]): Promise<void> {
    const needed = new Set(states.flatMap(state => (state?.type === "file" ? [join(this.path, state.sha256)] : [])));
    for (const name of await readdir(this.path)) {
      const path = join(this.path, name);
      if (needed.has(path)) continue;
      this.copied.delete(name);
      await rm(path, { force: true });
    }
  }

  /** Never rejects: what stays takes room and no more. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** What processes left that were killed. Never rejects: what stays takes room and no more. */
async function removeLeftovers(scratch: string): Promise<void> {
  for (const name of await readdir(scratch).catch(() => [])) {
    const pid = Number(/^baseline-(\d+)-/.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isProcessAlive(pid))
      await rm(join(scratch, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
