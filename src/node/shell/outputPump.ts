/** Takes the output of a command's streams, a chunk at a time and in the order of arrival. */
import type { Readable } from "node:stream";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { Queue } from "../queue";

export class OutputPump {
  /** what a taker threw; the rest of the output is passed over */
  failure: { error: unknown } | undefined;
  private readonly queue = new Queue();
  private readonly streams = new Set<Readable>();
  private chunks = 0;
  private busy = 0;
  private onClosed: () => void = () => undefined;

  constructor(private readonly onFailure: () => void) {}

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
    const end = performance.now() + ms;
    for (let left = ms; this.streams.size > 0 && left > 0; left = end - performance.now()) await this.oneClosed(left);
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
    const timer = new AbortController();
    const closed = new Promise<void>(resolve => {
      this.onClosed = resolve;
    });
    await Promise.race([closed, delay(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }

  private fail(error: unknown): void {
    if (this.failure) return;
    this.failure = { error };
    this.onFailure();
  }
}
