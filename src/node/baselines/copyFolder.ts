/**
 * Where a baseline keeps what it may need again: contents by their hash, and copies of Git's index. The folder goes with
 * the process; what one that was killed left goes when the next one needs a folder.
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../disk";
import { isProcessAlive } from "../processes";
import type { Copies, PlaceScan } from "./scan";

/** bytes of all copies */
const MAX_COPIES = 256 * 1024 * 1024;

export class CopyFolder {
  private readonly path: string;
  /** bytes, by sha256 */
  private readonly copied = new Map<string, number>();
  private ready: Promise<void> | undefined;
  private indexes = 0;

  /** @param scratch the folder that it is made in, once it is needed; @param hasRoom false: nothing is copied */
  constructor(
    private readonly scratch: string,
    private readonly hasRoom: () => boolean,
  ) {
    this.path = join(scratch, `baseline-${process.pid}-${randomUUID()}`);
  }

  prepare(): Promise<void> {
    this.ready ??= removeLeftovers(this.scratch).then(() => makePrivateFolder(this.path));
    return this.ready;
  }

  /** For another copy of an index. */
  newIndexPath(): string {
    this.indexes += 1;
    return join(this.path, `index-${this.indexes}`);
  }

  /** What a scan copies into. @param inTime false: nothing more is copied */
  takeWhile(inTime: () => boolean): Copies {
    const taken = [...this.copied.values()].reduce((sum, bytes) => sum + bytes, 0);
    let left = this.hasRoom() ? MAX_COPIES - taken : 0;
    return {
      mayTake: bytes => inTime() && bytes <= left,
      take: async (sha256, bytes) => {
        if (this.copied.has(sha256)) return;
        left -= bytes.length;
        this.copied.set(sha256, bytes.length);
        await writeFile(join(this.path, sha256), bytes, { mode: 0o600 });
      },
    };
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
