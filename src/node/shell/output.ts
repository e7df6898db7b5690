/** Takes the output of a command's streams, a chunk at a time and in the order of arrival. */
import { execFile } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import type { Clock } from "../../core/ports";
import { SerialQueue } from "../../shared/async";
import { SYSTEM_PATH } from "../programs";

export class OutputPump {
  /** what a taker threw; the rest of the output is passed over */
  failure: { error: unknown } | undefined;
  private readonly queue = new SerialQueue();
  private readonly streams = new Set<Readable>();
  private chunks = 0;
  private busy = 0;
  private onClosed: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onFailure: () => void,
  ) {}

  /** The stream is held while `take` works on a chunk: memory stays bounded by what pipes hold. */
  add(stream: Readable, take: (chunk: Uint8Array) => void | Promise<void>): void {
    this.streams.add(stream);
    stream.on("data", (chunk: Buffer) => {
      stream.pause();
      this.chunks++;
      this.busy++;
      const taken = this.queue.run(async () => {
        if (!this.failure) await take(chunk);
      });
      taken
        .catch(error => this.fail(error))
        .finally(() => {
          this.busy--;
          stream.resume();
        });
    });
    stream.on("error", error => this.fail(error));
    stream.on("close", () => {
      this.streams.delete(stream);
      this.onClosed();
    });
  }

  /** Waits until every stream has ended: nothing that inherited one lives. At most `ms`; false: one is still open. */
  async closed(ms: number): Promise<boolean> {
    const end = this.clock.steady() + ms;
    for (let left = ms; this.streams.size > 0 && left > 0; left = end - this.clock.steady()) await this.oneClosed(left);
    return this.streams.size === 0;
  }

  /**
   * Resolves when every stream has ended and was taken. One that a process keeps open is left when nothing came for
   * `idleMs`; false: one was.
   */
  async drained(idleMs: number): Promise<boolean> {
    let wasEnded = true;
    for (let before = this.chunks; !(await this.closed(idleMs)); before = this.chunks) {
      // Where this process was busy itself, the time is over before what waits in the pipe was looked at.
      for (let turn = 0; turn < 2; turn++) await setImmediate();
      if (this.streams.size > 0 && this.chunks === before && this.busy === 0) {
        wasEnded = false;
        for (const stream of this.streams) stream.destroy();
      }
    }
    // behind whatever is still being taken
    await this.queue.run(async () => undefined);
    return wasEnded;
  }

  /** Resolves when a stream has closed, or after `ms`. */
  private async oneClosed(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onClosed = resolve;
    const cancel = this.clock.after(ms, resolve);
    await promise;
    cancel();
  }

  private fail(error: unknown): void {
    if (this.failure) return;
    this.failure = { error };
    this.onFailure();
  }
}

// Real pipes for a command's output. Node connects children by sockets, and a socket cannot be opened again: `echo …
// > /dev/stderr` and `tee /dev/stderr` would fail. Named pipes are pipes; their names live for a moment.

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
    const remove = () => folder && rmSync(folder, { recursive: true, force: true });
    process.once("exit", remove);
    try {
      folder = await mkdtemp(join(tmpdir(), "strata-"));
      const paths = [join(folder, "1"), join(folder, "2")] as const;
      await promisify(execFile)("mkfifo", ["-m", "600", ...paths], { env: { PATH: SYSTEM_PATH } });
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
      process.off("exit", remove);
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
