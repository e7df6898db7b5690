/** What a background task printed since the agent last looked: whole in a blob, shortened for the model, searchable. */
import type { BlobWriter } from "../ports";
import { counted, recallHint, size } from "../text/format";
import { lineText, TerminalText } from "../text/terminalText";
import { OutputDigest, type OutputFacts, type Stream } from "./outputDigest";
import { outputNotes } from "./outputNotes";
import { MAX_RAW, RawCapture } from "./rawCapture";
import { TextRing } from "./textRing";

/** characters in which a filter looks: the newest */
const SEARCHED = 256 * 1024;
/** characters of a line in which it looks */
const SEARCHED_LINE = 2_000;

/** Indices of the lines that are wanted, ascending. */
export type LineFilter = (lines: readonly string[]) => readonly number[];

/** Lines that a filter let through, of so many. */
export interface Filtered {
  lines: { stream: Stream; text: string }[];
  of: number;
}

export interface OutputReading {
  /** what the model reads of it, with notes below; "" where a filter let nothing through */
  text: string;
  facts: OutputFacts;
  bytes: number;
  /** all of it, where the text is not */
  blob?: { sha256: string; bytes: number };
  filtered?: { lines: number; of: number };
}

const encoder = new TextEncoder();

export class UnreadOutput {
  any = false;
  /** that ended */
  lines = 0;
  private readonly digest = new OutputDigest();
  private readonly recent = new TextRing(SEARCHED);
  private readonly capture: RawCapture;

  constructor(blobs: () => BlobWriter) {
    this.capture = new RawCapture(blobs, MAX_RAW);
  }

  /** Resolves when there is room for more; never rejects. @param ends line ends in the text */
  push(stream: Stream, text: string, ends: number): Promise<void> {
    this.any = true;
    this.lines += ends;
    this.digest.push(stream, text);
    this.recent.push(stream, text);
    return this.capture.write(encoder.encode(text));
  }

  /** Without a wait, and changes nothing. Throws what the filter does. */
  filtered(filter: LineFilter): Filtered {
    const lines = this.recentLines();
    const wanted = filter(lines.map(line => line.text));
    return { lines: wanted.flatMap(at => lines[at] ?? []), of: lines.length };
  }

  /** Once. Nothing comes any more. */
  async reading(found?: Filtered): Promise<OutputReading> {
    this.digest.end();
    const shown = found ? digestFiltered(found) : this.digest;
    const isWhole = this.digest.exact && (found === undefined || found.lines.length === found.of);
    const blob = isWhole ? undefined : await this.capture.finish();
    await this.capture.discard();
    const notes = found ? this.filterNotes(found, shown, blob) : outputNotes(this.capture, this.digest, blob);
    const output = shown.render(found ? undefined : blob);
    return {
      text: [...(output === "" ? [] : [output]), ...notes].join("\n"),
      facts: shown.facts(),
      bytes: this.capture.bytes,
      ...(blob && { blob }),
      ...(found && { filtered: { lines: found.lines.length, of: found.of } }),
    };
  }

  discard(): Promise<void> {
    return this.capture.discard();
  }

  private filterNotes(found: Filtered, shown: OutputDigest, blob: { sha256: string } | undefined): string[] {
    const { dropped } = this.recent;
    const notes = outputNotes(this.capture, { complete: false }, blob);
    if (dropped > 0) notes.push(`Only the newest ${size(SEARCHED)} were searched, not ${size(dropped)} before that.`);
    const left = found.of - found.lines.length;
    const rest = left > 0 ? `${counted(left, "other line counts", "other lines count")} as read. ` : "";
    if (blob && (left > 0 || dropped > 0 || !shown.complete))
      notes.push(`(${rest}All of it: ${recallHint(blob.sha256)})`);
    return notes;
  }

  /** As a terminal shows them, in the order in which they ended. */
  private recentLines(): { stream: Stream; text: string }[] {
    const lines: { stream: Stream; text: string }[] = [];
    const screen = (stream: Stream) =>
      new TerminalText(line => lines.push({ stream, text: lineText(line, SEARCHED_LINE) }));
    const screens = { stdout: screen("stdout"), stderr: screen("stderr") };
    for (const { stream, text } of this.recent.pieces) screens[stream].push(text);
    screens.stdout.end();
    screens.stderr.end();
    return lines;
  }
}

function digestFiltered({ lines }: Filtered): OutputDigest {
  const digest = new OutputDigest();
  for (const { stream, text } of lines) digest.push(stream, `${text}\n`);
  digest.end();
  return digest;
}
