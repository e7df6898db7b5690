/**
 * Where a baseline keeps what it may need again: contents by their hash, and copies of Git's index. The folder goes with
 * the process; what one that was killed left goes when the next one needs a folder.
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../disk";
import { isDiskFull } from "../errno";
import { isProcessAlive } from "../processes";
import type { Copies, PlaceScan } from "./scan";

/** bytes of all copies */
const MAX_COPIES = 256 * 1024 * 1024;

export class CopyFolder {
  private readonly path: string;
  /** by sha256; `done` false: it could not be written, and is not there */
  private readonly copied = new Map<string, { bytes: number; done: Promise<boolean> }>();
  private ready: Promise<void> | undefined;
  private indexes = 0;

  /** @param scratch the folder that it is made in, once it is needed */
  constructor(private readonly scratch: string) {
    this.path = join(scratch, `baseline-${process.pid}-${randomUUID()}`);
  }

  prepare(): Promise<void> {
    this.ready ??= removeLeftovers(this.scratch)
      .then(() => makePrivateFolder(this.path))
      .catch(error => {
        // A full disk may have room again.
        this.ready = undefined;
        throw error;
      });
    return this.ready;
  }

  /** For another copy of an index. */
  newIndexPath(): string {
    this.indexes += 1;
    return join(this.path, `index-${this.indexes}`);
  }

  /** What a scan copies into. @param inTime false: nothing more is copied */
  takeWhile(inTime: () => boolean): Copies {
    const taken = [...this.copied.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    let left = MAX_COPIES - taken;
    const copies: Copies = {
      diskFull: false,
      inTime,
      hasRoom: bytes => bytes <= left,
      take: async (sha256, bytes) => {
        const known = this.copied.get(sha256);
        if (known) return known.done;
        left -= bytes.length;
        const done = this.write(sha256, bytes);
        this.copied.set(sha256, { bytes: bytes.length, done });
        try {
          if (await done) return true;
        } catch (error) {
          this.copied.delete(sha256);
          throw error;
        }
        // The rest would not fit either, and other programs need the space that is left.
        left = 0;
        copies.diskFull = true;
        this.copied.delete(sha256);
        return false;
      },
    };
    return copies;
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

  /** Removes what these scans do not need. */
  async keepOnly(scans: readonly PlaceScan[]): Promise<void> {
    const needed = new Set<string>();
    for (const { files, index } of scans) {
      if (index) needed.add(index.path);
      for (const { state } of files.values()) if (state?.type === "file") needed.add(join(this.path, state.sha256));
    }
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
