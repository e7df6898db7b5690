/**
 * Real pipes for a command's output. Node connects children by sockets, and a socket cannot be opened again:
 * `echo … > /dev/stderr` and `tee /dev/stderr` would fail. Named pipes are pipes; their names live for a moment.
 */
import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

/** Two pipes with their descriptors. */
export class OutputPipes {
  private constructor(
    private readonly readers: readonly [number, number],
    /** what the child writes to: stdout, stderr */
    readonly writers: readonly [number, number],
  ) {}

  /** undefined where the system has no named pipes: then Node's own sockets have to do. */
  static async open(): Promise<OutputPipes | undefined> {
    if (process.platform === "win32") return undefined;
    let folder: string | undefined;
    const opened: number[] = [];
    const openEnd = (path: string, flags: number) => {
      const fd = openSync(path, flags);
      opened.push(fd);
      return fd;
    };
    try {
      folder = await mkdtemp(join(tmpdir(), "strata-"));
      const paths = [join(folder, "1"), join(folder, "2")] as const;
      await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
      // The reading ends first and without waiting: opening the others waits for a reader.
      const reading = constants.O_RDONLY | constants.O_NONBLOCK;
      const readers = [openEnd(paths[0], reading), openEnd(paths[1], reading)] as const;
      const writers = [openEnd(paths[0], constants.O_WRONLY), openEnd(paths[1], constants.O_WRONLY)] as const;
      return new OutputPipes(readers, writers);
    } catch {
      // no mkfifo, or a temporary folder that takes no pipes: rare, and commands still run
      for (const fd of opened) closeSync(fd);
      return undefined;
    } finally {
      if (folder) await rm(folder, { recursive: true, force: true });
    }
  }

  /** Once the child has its ends: closes ours, so that the streams end when the last writer is gone. */
  streams(): [Readable, Readable] {
    this.closeWriters();
    const [out, err] = this.readers;
    return [
      new Socket({ fd: out, readable: true, writable: false }),
      new Socket({ fd: err, readable: true, writable: false }),
    ];
  }

  /** The child did not start. */
  discard(): void {
    this.closeWriters();
    for (const fd of this.readers) closeSync(fd);
  }

  private closeWriters(): void {
    for (const fd of this.writers) closeSync(fd);
  }
}
