/** Takes the output of a command's streams, a chunk at a time and in the order of arrival. */
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
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

  /**
   * Resolves when every stream has ended and was taken. A stream that a process of another group keeps open is left when
   * nothing came for `idleMs`.
   */
  async drained(idleMs: number): Promise<void> {
    while (this.streams.size > 0) {
      const before = this.chunks;
      const timer = new AbortController();
      const closed = new Promise<void>(resolve => {
        this.onClosed = resolve;
      });
      await Promise.race([closed, delay(idleMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
      timer.abort();
      if (this.streams.size > 0 && this.chunks === before && this.busy === 0) {
        for (const stream of this.streams) stream.destroy();
      }
    }
    // behind whatever is still being taken
    await this.queue.run(async () => undefined);
  }

  private fail(error: unknown): void {
    if (this.failure) return;
    this.failure = { error };
    this.onFailure();
  }
}
