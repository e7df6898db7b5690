/**
 * What a background task prints, for two kinds of readers: the agent reads what is new since it last looked, shortened and
 * with a handle for the whole; people follow it in a terminal. Redacted before it is kept anywhere; in bounded memory.
 */
import type { BlobWriter, Clock, Redactor } from "../ports";
import { LineRedactor, LiveRedactor } from "../secrets/lineRedactor";
import type { Stream } from "./outputDigest";
import { TextRing } from "./textRing";
import { type LineFilter, type OutputReading, UnreadOutput } from "./unreadOutput";

/** characters that a terminal which is opened later begins with */
const REPLAY = 1024 * 1024;

export interface TaskOutputDeps {
  redactor: Pick<Redactor, "redact" | "safeEnd">;
  blobs(): BlobWriter;
  clock: Clock;
}

const STREAMS: readonly Stream[] = ["stdout", "stderr"];

export class TaskOutput {
  /** printed so far */
  lines = 0;
  private unread: UnreadOutput;
  private readonly replay = new TextRing(REPLAY);
  private readonly followers = new Set<(text: string) => void>();
  private readonly live: LiveRedactor;
  private readonly redactors: Record<Stream, LineRedactor>;
  private readonly decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  private readonly pace: OutputThrottle;
  /** the last line of a stream has no end yet */
  private readonly isOpen: Record<Stream, boolean> = { stdout: false, stderr: false };

  /** @param onPrinted called whenever lines came */
  constructor(
    private readonly deps: TaskOutputDeps,
    private readonly onPrinted: () => void,
  ) {
    this.unread = new UnreadOutput(deps.blobs);
    const { redact, safeEnd } = deps.redactor;
    this.redactors = { stdout: new LineRedactor(redact, safeEnd), stderr: new LineRedactor(redact, safeEnd) };
    this.live = new LiveRedactor(deps.redactor, (stream, text) => this.show(stream, text), deps.clock);
    this.pace = new OutputThrottle(deps.clock);
  }

  /** Resolves when there is room for more. Never rejects. */
  async push(stream: Stream, chunk: Uint8Array): Promise<void> {
    const text = this.decoders[stream].decode(chunk, { stream: true });
    this.live.push(stream, text);
    await this.pass(stream, this.redactors[stream].push(text));
    await this.pace.passed(chunk.length);
  }

  /** No more comes. */
  async end(): Promise<void> {
    const rests = STREAMS.map(stream => ({ stream, rest: this.decoders[stream].decode() }));
    for (const { stream, rest } of rests) {
      this.live.push(stream, rest);
      const last = this.redactors[stream].push(rest) + this.redactors[stream].end();
      await this.pass(stream, last);
      if (this.isOpen[stream]) this.lines += 1;
    }
    this.live.end();
    this.followers.clear();
  }

  /** What the agent has not read; `lines` are those that ended. */
  get news(): { any: boolean; lines: number } {
    return { any: this.unread.any || STREAMS.some(stream => this.redactors[stream].waits), lines: this.unread.lines };
  }

  /**
   * What came since the last reading, which counts as read from here on; undefined: nothing did.
   * What the filter throws comes back, and then nothing counts as read.
   */
  async read(filter?: LineFilter): Promise<OutputReading | undefined> {
    // A line that takes its time (a prompt, a progress bar) is read as far as it has come.
    for (const stream of STREAMS) void this.pass(stream, this.redactors[stream].soFar());
    const { unread } = this;
    if (!unread.any) return undefined;
    const found = filter && unread.filtered(filter);
    this.unread = new UnreadOutput(this.deps.blobs);
    return unread.reading(found);
  }

  /**
   * Calls `follow` with what comes from here on.
   * @returns what came before, as far as it is kept (`dropped` characters are not), and what ends the calls
   */
  watch(follow: (text: string) => void): { text: string; dropped: number; stop(): void } {
    this.followers.add(follow);
    const stop = () => void this.followers.delete(follow);
    return { text: this.replay.text, dropped: this.replay.dropped, stop };
  }

  /** Nobody reads it any more. */
  discard(): Promise<void> {
    return this.unread.discard();
  }

  private show(stream: Stream, text: string): void {
    this.replay.push(stream, text);
    for (const follow of this.followers) follow(text);
  }

  private async pass(stream: Stream, text: string): Promise<void> {
    if (text === "") return;
    const ends = text.split("\n").length - 1;
    this.lines += ends;
    this.isOpen[stream] = !text.endsWith("\n");
    const stored = this.unread.push(stream, text, ends);
    this.onPrinted();
    await stored;
  }
}

/** A program that prints without end is held back: nobody can read that much, and the editor has other things to do. */

const BYTES_A_SECOND = 8 * 1024 * 1024;

export class OutputThrottle {
  private since: number;
  private bytes = 0;

  constructor(private readonly clock: Clock) {
    this.since = clock.now();
  }

  /** Resolves when more may come: at once, below 8 MB a second. */
  async passed(bytes: number): Promise<void> {
    this.bytes += bytes;
    if (this.bytes < BYTES_A_SECOND) return;
    const early = 1000 - (this.clock.now() - this.since);
    if (early > 0) await this.clock.sleep(early);
    this.since = this.clock.now();
    this.bytes = 0;
  }
}
