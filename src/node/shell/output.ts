/**
 * Takes the output of a command's streams, a chunk at a time and in the order of arrival.
 * A daemon's output is read on and thrown away: a closed pipe ends it, a full one holds it for ever.
 */
import { execFile } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import type { Clock } from "../../core/ground/ports";
import { SerialQueue } from "../../shared/async";
import { SYSTEM_PATH } from "../programs";

/** bytes that were printed before an end and may still be on their way: what a pipe holds, and a stream behind it */
const ON_THE_WAY = 1024 * 1024;

/** ms between two chunks that are passed over, so that endless output costs nothing */
const PASS_OVER_MS = 10;

/** What waits in pipes has come. */
async function looked(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await setImmediate();
}

export class OutputPump {
  /** what a taker threw; the rest of the output is passed over */
  failure: { error: unknown } | undefined;
  private readonly queue = new SerialQueue();
  /** those that are open, with the bytes that came since `drained` was asked for */
  private readonly streams = new Map<Readable, number>();
  private chunks = 0;
  private onClosed: () => void = () => undefined;
  private isOver = false;

  constructor(
    private readonly clock: Clock,
    private readonly onFailure: () => void,
  ) {}

  /** What comes while `take` works waits in the stream: memory stays bounded by that and by what pipes hold. */
  add(stream: Readable, take: (chunk: Uint8Array) => void | Promise<void>): void {
    this.follow(stream, () => {
      const taken = this.queue.run(async () => {
        const chunk = this.read(stream);
        if (chunk && !this.failure) await take(chunk);
      });
      taken.catch(error => this.fail(error));
    });
  }

  /** All that is there, as one chunk: a program that prints line by line fills a stream with hundreds. */
  private read(stream: Readable): Buffer | undefined {
    const chunk: Buffer | null = stream.read();
    if (chunk === null) return undefined;
    this.chunks++;
    this.streams.set(stream, (this.streams.get(stream) ?? 0) + chunk.length);
    return chunk;
  }

  private follow(stream: Readable, came: () => void): void {
    this.streams.set(stream, 0);
    stream.on("readable", () => {
      if (this.isOver) this.clock.after(PASS_OVER_MS, () => void stream.read(), "aside");
      else came();
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

  /** The same, for as long as something comes within `ms`. At most `most` ms, or little more. */
  async closedSoon(ms: number, most: number): Promise<boolean> {
    const end = this.clock.steady() + most;
    for (let before = -1; before !== this.chunks && this.clock.steady() < end; ) {
      before = this.chunks;
      if (await this.closed(ms)) return true;
    }
    return false;
  }

  /**
   * Resolves when every stream has ended and was taken, or after `ms` with what was printed until now. A process that keeps one open
   * then (a daemon) can go on printing: it is passed over, for a closed pipe would end most of them. False: there is one.
   */
  async drained(ms: number): Promise<boolean> {
    for (const stream of this.streams.keys()) this.streams.set(stream, 0);
    if (!(await this.closed(ms))) {
      // Where this process or who takes it was busy, the time is over before what waits in the pipe was looked at.
      const mayHoldMore = () => [...this.streams.values()].some(bytes => bytes < ON_THE_WAY);
      for (let before = -1; before !== this.chunks && mayHoldMore(); ) {
        before = this.chunks;
        await this.queue.run(async () => undefined);
        await looked();
      }
    }
    // behind chunks that are still being taken
    await this.queue.run(async () => undefined);
    this.isOver = true;
    // This process may end without waiting for it.
    for (const stream of this.streams.keys()) if (stream instanceof Socket) stream.unref();
    return this.streams.size === 0;
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
    if (this.failure || this.isOver) return;
    this.failure = { error };
    this.onFailure();
  }
}

// Real pipes for a command's output. Node connects children by sockets, and a socket cannot be opened again: `echo …
// > /dev/stderr` and `tee /dev/stderr` would fail. Named pipes are pipes; their names live for a moment.

/** So many pairs are made at once: the system makes pipes with names by a program of its own, and takes as long for one. */
const PAIRS_AT_ONCE = 8;

/** Pairs made in advance, whose names are removed already. */
export class PipeSupply {
  private readonly ready: OutputPipes[] = [];
  /** how many come */
  private making: Promise<number> | undefined;

  /** undefined where the system has no named pipes: then Node's own sockets have to do. */
  async take(): Promise<OutputPipes | undefined> {
    for (;;) {
      const pipes = this.ready.pop();
      if (pipes) return pipes;
      this.making ??= OutputPipes.make(PAIRS_AT_ONCE)
        .then(made => this.ready.push(...made))
        .finally(() => {
          this.making = undefined;
        });
      if ((await this.making) === 0) return undefined;
    }
  }
}

/** Two pipes with their descriptors. */
export class OutputPipes {
  private constructor(
    private readonly readers: readonly number[],
    /** what the child writes to: stdout, stderr */
    readonly writers: readonly number[],
  ) {}

  /** As many pairs as can be made, at most `count`. */
  static async make(count: number): Promise<OutputPipes[]> {
    if (process.platform === "win32") return [];
    const made: OutputPipes[] = [];
    let folder: string | undefined;
    const remove = () => folder && rmSync(folder, { recursive: true, force: true });
    process.once("exit", remove);
    try {
      folder = await mkdtemp(join(tmpdir(), "strata-"));
      const paths = Array.from({ length: 2 * count }, (_, at) => join(folder ?? "", `${at}`));
      await promisify(execFile)("mkfifo", ["-m", "600", ...paths], { env: { PATH: SYSTEM_PATH } });
      for (let at = 0; at < paths.length; at += 2) made.push(OutputPipes.open(paths.slice(at, at + 2)));
    } catch {
      // no mkfifo, a temporary folder that takes no pipes, no more descriptors: rare, and commands still run
    } finally {
      process.off("exit", remove);
      remove();
    }
    return made;
  }

  private static open(paths: readonly string[]): OutputPipes {
    const opened: number[] = [];
    const open = (flags: number) => {
      for (const path of paths) opened.push(openSync(path, flags));
      return opened.slice(-paths.length);
    };
    try {
      // The reading ends first and without waiting: opening the others waits for a reader.
      return new OutputPipes(open(constants.O_RDONLY | constants.O_NONBLOCK), open(constants.O_WRONLY));
    } catch (error) {
      closeAll(opened);
      throw error;
    }
  }

  /** Once the child has its ends: closes ours, so that the streams end when the last writer is gone. */
  streams(): Readable[] {
    closeAll(this.writers);
    return this.readers.map(fd => new Socket({ fd, readable: true, writable: false }));
  }

  /** The child did not start. */
  discard(): void {
    closeAll([...this.writers, ...this.readers]);
  }
}

function closeAll(descriptors: readonly number[]): void {
  for (const descriptor of descriptors) closeSync(descriptor);
}
