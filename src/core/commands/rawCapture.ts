/**
 * The whole output of a call on its way into a blob: small outputs never touch the disk, large ones never fill memory,
 * and beyond a cap bytes are counted but not kept.
 */
import { errorMessage } from "../../shared/errorMessage";
import type { TextWriter } from "../ground/ports";
import { count, recallHint, size, wordStart } from "../ground/text/format";
import type { OutputDigest } from "./output/outputDigest";

/** bytes of one command's output that are kept */
export const MAX_RAW = 100 * 1024 * 1024;

/** Characters: below this, nothing is opened until it is known that the blob is needed; then so much is written at once. */
const BUFFERED = 64 * 1024;

export class RawCapture {
  /** everything that came, kept or not */
  bytes = 0;
  /** Why the output could not be stored, in the storage's words; undefined: all is well. */
  failure: string | undefined;
  private kept = 0;
  private full = false;
  private buffer: string[] = [];
  private buffered = 0;
  private writer: TextWriter | undefined;
  private finished = false;
  /** One write after the other, in the order they came. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly open: () => TextWriter,
    private readonly cap: number,
  ) {}

  /** Resolves when there is room for more. Never rejects: see `failure`. */
  write(text: string): Promise<void> {
    const bytes = bytesOf(text);
    this.bytes += bytes;
    const room = this.cap - this.kept;
    if (this.full || this.failure !== undefined) return Promise.resolve();
    this.full = bytes > room;
    // Half a secret may not be known as one.
    const part = this.full ? text.slice(0, wordStart(text, room)) : text;
    this.kept += bytesOf(part);
    this.buffer.push(part);
    this.buffered += part.length;
    if (this.buffered <= BUFFERED) return Promise.resolve();
    this.last = this.flush();
    return this.last;
  }

  /** Bytes that came after the cap. */
  get dropped(): number {
    return this.bytes - this.kept;
  }

  /** The blob; undefined where storing failed (`failure`). */
  async finish(): Promise<{ sha256: string; bytes: number } | undefined> {
    await this.flush();
    let done: { sha256: string; bytes: number } | undefined;
    await this.guarded(async writer => {
      done = await writer.finish();
      this.finished = true;
    });
    return done;
  }

  /** Drops the output; does nothing after `finish`. */
  async discard(): Promise<void> {
    await this.last;
    this.buffer = [];
    if (!this.finished && this.failure === undefined) await this.writer?.discard();
    this.finished = true;
  }

  private async flush(): Promise<void> {
    const waiting = this.buffer;
    this.buffer = [];
    this.buffered = 0;
    await this.last;
    // As they came: a piece that was redacted before is known then (secrets/redact.ts).
    for (const piece of waiting) await this.guarded(writer => writer.write(piece));
  }

  private async guarded(work: (writer: TextWriter) => Promise<void>): Promise<void> {
    if (this.failure !== undefined) return;
    try {
      // Another window may have taken the session meanwhile: then nothing can be stored here.
      this.writer ??= this.open();
      await work(this.writer);
    } catch (error) {
      // The call continues: its result still tells what it did, and that its output could not be stored.
      this.failure = errorMessage(error);
      // What cannot be removed now is swept with the session.
      await this.writer?.discard().catch(() => undefined);
    }
  }
}

const bytesOf = (text: string) => (/[^\0-\x7f]/.test(text) ? new TextEncoder().encode(text).length : text.length);

/** Notes below an output: how much is kept, and where. @param blob holds the output, where that was needed and could be stored */
export function outputNotes(
  raw: Pick<RawCapture, "dropped" | "failure">,
  digest: Pick<OutputDigest, "complete"> & { exact?: boolean },
  blob: { sha256: string } | undefined,
): string[] {
  const notes: string[] = [];
  if (raw.dropped > 0)
    notes.push(`Of the output, the first ${size(MAX_RAW)} were kept; ${count(raw.dropped)} more bytes were not.`);
  if (raw.failure !== undefined) notes.push(`The complete output could not be stored: ${raw.failure}`);
  // A short output says where it was collapsed; the handle has it as it came.
  if (blob && digest.complete)
    notes.push(
      `(${digest.exact ? "As" : "Repeated or repainted lines are collapsed; as"} printed: ${recallHint(blob.sha256)})`,
    );
  return notes;
}
