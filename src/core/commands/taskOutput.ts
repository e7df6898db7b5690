/**
 * What a background task prints, for two kinds of readers: the agent reads the output since its last look, shortened and
 * with a handle for the whole; people follow it in a terminal. Redacted before it is kept anywhere; in bounded memory.
 */
import { defined } from "../../shared/defined";
import type { Clock, Redactor, TextWriter } from "../ground/ports";
import { decodingNotes, OutputDecoder } from "../ground/text/outputDecoder";
import { LineRedactor, LiveRedactor } from "../secrets/lineRedactor";
import { OutputDigest, type OutputFacts, type Stream } from "./output/outputDigest";
import type { TestFacts } from "./output/testCounts";
import { MAX_RAW, outputNotes, RawCapture } from "./rawCapture";
import { TextRing } from "./textRing";

/** characters that a terminal which is opened later begins with */
const REPLAY = 1024 * 1024;

export interface TaskOutputDeps {
  redactor: Pick<Redactor, "redact" | "safeEnd">;
  blobs(): TextWriter;
  clock: Clock;
  /** as `Shell.encoding` */
  encoding?: string | undefined;
}

const BYTES_A_SECOND = 8 * 1024 * 1024;

const STREAMS: readonly Stream[] = ["stdout", "stderr"];

export class TaskOutput {
  /** printed so far */
  lines = 0;
  private unread: CommandOutput;
  private readonly replay = new TextRing(REPLAY);
  private readonly followers = new Set<(text: string) => void>();
  private readonly live: LiveRedactor;
  private readonly redactors: Record<Stream, LineRedactor>;
  private readonly decoders: Record<Stream, OutputDecoder>;
  /** that came since `since` (ms) */
  private bytes = 0;
  private since: number;
  /** the last line of a stream has no end yet */
  private readonly isOpen: Record<Stream, boolean> = { stdout: false, stderr: false };

  /** @param onPrinted called whenever lines came */
  constructor(
    private readonly deps: TaskOutputDeps,
    private readonly onPrinted: () => void,
  ) {
    this.since = deps.clock.now();
    this.unread = new CommandOutput(deps.blobs);
    this.decoders = { stdout: new OutputDecoder(deps.encoding), stderr: new OutputDecoder(deps.encoding) };
    const { redact, safeEnd } = deps.redactor;
    this.redactors = { stdout: new LineRedactor(redact, safeEnd), stderr: new LineRedactor(redact, safeEnd) };
    this.live = new LiveRedactor(deps.redactor, (_, text) => this.show(text), deps.clock);
  }

  /** Resolves when there is room for more. Never rejects. */
  async push(stream: Stream, chunk: Uint8Array): Promise<void> {
    const text = this.decoders[stream].push(chunk);
    this.live.push(stream, text);
    await this.pass(stream, this.redactors[stream].push(text));
    await this.slowDown(chunk.length);
  }

  /** Notes on how bytes became text. */
  get decoding(): string[] {
    return decodingNotes(this.decoders);
  }

  /** No more comes. */
  async end(): Promise<void> {
    for (const stream of STREAMS) {
      const rest = this.decoders[stream].end();
      this.live.push(stream, rest);
      await this.pass(stream, this.redactors[stream].push(rest) + this.redactors[stream].end());
      if (this.isOpen[stream]) this.lines += 1;
    }
    this.live.end();
    this.followers.clear();
  }

  /** What the agent has not read; `lines` are those that ended. */
  get news(): { any: boolean; lines: number } {
    return { any: this.unread.any || STREAMS.some(stream => this.redactors[stream].waits), lines: this.unread.lines };
  }

  /** What came since the last reading, which counts as read from here on; undefined: nothing did. */
  async read(): Promise<OutputReading | undefined> {
    // A line that takes its time (a prompt, a progress bar) is read as far as it has come.
    for (const stream of STREAMS) void this.pass(stream, this.redactors[stream].soFar());
    const { unread } = this;
    if (!unread.any) return undefined;
    this.unread = new CommandOutput(this.deps.blobs);
    return unread.reading();
  }

  /**
   * Calls `follow` with what comes from here on.
   * @returns the earlier output, as far as it is kept (`dropped` characters are not), and `stop`, which ends the calls
   */
  watch(follow: (text: string) => void): { text: string; dropped: number; stop(): void } {
    this.followers.add(follow);
    return { text: this.replay.text, dropped: this.replay.dropped, stop: () => void this.followers.delete(follow) };
  }

  /** Drops the unread output. */
  discard(): Promise<void> {
    return this.unread.discard();
  }

  /**
   * Resolves when more may come: at once, below 8 MB a second. A program that prints without end is held back,
   * so that the editor stays responsive.
   */
  private async slowDown(bytes: number): Promise<void> {
    const { clock } = this.deps;
    this.bytes += bytes;
    if (this.bytes < BYTES_A_SECOND) return;
    const early = 1000 - (clock.now() - this.since);
    if (early > 0) await clock.sleep(early);
    this.since = clock.now();
    this.bytes = 0;
  }

  private show(text: string): void {
    this.replay.push(text);
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

export interface OutputReading {
  /** for the model; empty: nothing was printed */
  text: string;
  /** sentences below the text */
  notes: string[];
  facts: OutputFacts;
  /** what test runners and compilers counted */
  counted: TestFacts;
  /** the whole output, where `text` leaves some out */
  blob?: { sha256: string; bytes: number };
}

/** What a command printed, redacted: whole in a blob where the model reads a part, shortened for the model. */
export class CommandOutput {
  any = false;
  /** that ended */
  lines = 0;
  private readonly digest = new OutputDigest();
  private readonly capture: RawCapture;

  constructor(blobs: () => TextWriter) {
    this.capture = new RawCapture(blobs, MAX_RAW);
  }

  /** Resolves when there is room for more; never rejects. @param ends line ends in the text */
  push(stream: Stream, text: string, ends = 0): Promise<void> {
    if (text === "") return Promise.resolve();
    this.any = true;
    this.lines += ends;
    this.digest.push(stream, text);
    return this.capture.write(text);
  }

  /** Once. Nothing comes any more. @param failed as far as is known: else its words tell */
  async reading(failed?: boolean): Promise<OutputReading> {
    const { digest, capture } = this;
    digest.end();
    const blob = digest.exact ? undefined : await capture.finish();
    await capture.discard();
    return {
      text: digest.render(blob, failed),
      notes: outputNotes(capture, digest, blob),
      facts: digest.facts(failed),
      counted: digest.counted,
      ...defined({ blob }),
    };
  }

  discard(): Promise<void> {
    return this.capture.discard();
  }
}
