/**
 * What the model reads of a command's output (docs/tools.md, "Long output"): all of it where it is short; else its beginning,
 * the lines that matter with their numbers, its end, and the handle of the rest. Streaming, in bounded memory (100 MB
 * without a line end are fine), and the same for every way to cut the output into chunks.
 */
import { count, counted, recallHint } from "../text/format";
import { type NotableLine, NotableLines } from "../text/notableLines";
import { lineText, type TerminalLine, TerminalText } from "../text/terminalText";

export type Stream = "stdout" | "stderr";

const WHOLE_LINES = 200;
const WHOLE_CHARACTERS = 8_000;
const FIRST = 10;
const LAST = 30;
const NOTABLE = 40;
const LINE = 500;
/** Where 80 lines of 500 characters would be too much, lines are cut shorter. */
const SHOWN_CHARACTERS = 12_000;
const SHORT_LINE = 160;

/** One line, or several that are the same. */
interface Entry {
  /** 1-based number of the first */
  line: number;
  stream: Stream;
  /** clipped to what is shown of a line among many */
  text: string;
  times: number;
}

/** For the kept form (docs/context.md). */
export interface OutputFacts {
  lines: number;
  stdoutLines: number;
  stderrLines: number;
  /** The first 5 and the last 10 that are not among them; lines that are the same count as one, "× n". */
  stdoutFirst: string[];
  stdoutLast: string[];
  /** lines of stdout between them */
  stdoutLeft: number;
  /** at most 20 */
  stderrLast: string[];
  stderrLeft: number;
  /** at most 10 of those that stand in none of the others, with their numbers */
  notable: string[];
}

export class OutputDigest {
  private readonly screens: Record<Stream, TerminalText> = {
    stdout: new TerminalText(line => this.add("stdout", line)),
    stderr: new TerminalText(line => this.add("stderr", line)),
  };
  private readonly lines: Record<Stream, number> = { stdout: 0, stderr: 0 };
  private characters = 0;
  private repeated = false;
  /** The newest entry: it may be repeated yet. */
  private open: (Entry & { full: string }) | undefined;
  /** Everything, as long as it is short enough; then undefined. */
  private whole: Entry[] | undefined = [];
  private wholeCharacters = 0;
  private readonly first: Entry[] = [];
  private last: Entry[] = [];
  private readonly stdoutFirst: Entry[] = [];
  private readonly lastOf: Record<Stream, Entry[]> = { stdout: [], stderr: [] };
  private readonly notable = new NotableLines();

  push(stream: Stream, text: string): void {
    this.screens[stream].push(text);
  }

  /** No more comes. Call it once, before `render` and `facts`. */
  end(): void {
    this.screens.stdout.end();
    this.screens.stderr.end();
    this.close();
  }

  /** `render` leaves no line out. */
  get complete(): boolean {
    return this.whole !== undefined;
  }

  /** `render` shows every character that was printed: nothing was repainted, collapsed or left out. */
  get exact(): boolean {
    return this.complete && !this.repeated && !this.screens.stdout.repainted && !this.screens.stderr.repainted;
  }

  /** `raw`: the blob that holds the output, where it could be stored. */
  render(raw?: { sha256: string }): string {
    if (this.whole) return this.whole.map(entry => this.show(entry)).join("\n");
    const lastShown = this.first.at(-1);
    const end = this.last.slice(-LAST).filter(entry => entry.line > (lastShown?.line ?? 0));
    const isShown = (line: number) => line <= lastLine(lastShown) || line >= (end[0]?.line ?? Number.POSITIVE_INFINITY);
    const notable = this.notable.select(NOTABLE, isShown);
    const long = this.layOut(end, notable, text => text);
    const body = long.length <= SHOWN_CHARACTERS ? long : this.layOut(end, notable, shorter);
    const where = raw ? ` Complete output: ${recallHint(raw.sha256)}.` : "";
    return `${body}\n(${this.counts()}.${where})`;
  }

  facts(): OutputFacts {
    const { stdout, stderr } = this.lines;
    const lastFirst = this.stdoutFirst.at(-1)?.line ?? 0;
    const stdoutLast = this.lastOf.stdout.slice(-10).filter(entry => entry.line > lastFirst);
    const stderrLast = this.lastOf.stderr.slice(-20);
    const shown = [...this.stdoutFirst, ...stdoutLast];
    const isShown = new Set([...shown, ...stderrLast].map(entry => entry.line));
    return {
      lines: stdout + stderr,
      stdoutLines: stdout,
      stderrLines: stderr,
      stdoutFirst: this.stdoutFirst.map(times),
      stdoutLast: stdoutLast.map(times),
      stdoutLeft: stdout - lineCount(shown),
      stderrLast: stderrLast.map(times),
      stderrLeft: stderr - lineCount(stderrLast),
      notable: this.notable.select(10, line => isShown.has(line)).map(({ line, text }) => `${line}: ${text}`),
    };
  }

  private add(stream: Stream, line: TerminalLine): void {
    this.lines[stream] += 1;
    this.characters += line.length + 1;
    const full = lineText(line, WHOLE_CHARACTERS);
    if (this.open?.stream === stream && this.open.full === full) {
      this.open.times += 1;
      this.repeated = true;
      return;
    }
    this.close();
    const number = this.lines.stdout + this.lines.stderr;
    this.open = { line: number, stream, full, text: lineText(line, LINE), times: 1 };
  }

  private close(): void {
    if (!this.open) return;
    const { full, ...entry } = this.open;
    this.open = undefined;
    this.keepWhole({ ...entry, text: full });
    if (this.first.length < FIRST) this.first.push(entry);
    this.last = pushBounded(this.last, entry, LAST);
    const text = times(entry);
    if (entry.stream === "stdout" && this.stdoutFirst.length < 5) this.stdoutFirst.push(entry);
    this.lastOf[entry.stream] = pushBounded(this.lastOf[entry.stream], entry, 20);
    this.notable.add(entry.line, text);
  }

  private keepWhole(entry: Entry): void {
    if (!this.whole) return;
    this.wholeCharacters += entry.text.length + 1;
    if (this.whole.length >= WHOLE_LINES || this.wholeCharacters > WHOLE_CHARACTERS + 1) this.whole = undefined;
    else this.whole.push(entry);
  }

  private layOut(end: readonly Entry[], notable: readonly NotableLine[], cut: (text: string) => string): string {
    const out = this.first.map(entry => cut(this.show(entry)));
    const next = lastLine(this.first.at(-1)) + 1;
    const from = end[0]?.line ?? next;
    if (notable.length > 0) {
      out.push(`… ${notable.length} of ${counted(this.notable.count, "notable line")}, with their numbers:`);
      let shown = 0;
      for (const { line, text, next: after } of notable) {
        if (line > shown) out.push(`${line}: ${cut(text)}`);
        shown = Math.max(shown, line);
        const isNotable = notable.some(other => other.line === line + 1);
        if (after !== undefined && !isNotable) out.push(`${line + 1}: ${cut(after)}`);
      }
    }
    if (from > next) out.push(notable.length > 0 ? "… the end:" : `… ${counted(from - next, "line")} left out`);
    return [...out, ...end.map(entry => cut(this.show(entry)))].join("\n");
  }

  private counts(): string {
    const { stdout, stderr } = this.lines;
    const streams = stdout > 0 && stderr > 0 ? ` (${count(stdout)} stdout, ${count(stderr)} stderr)` : "";
    return `${counted(stdout + stderr, "line")}${streams}, ${counted(this.characters, "character")}`;
  }

  /** Where both streams have lines, those of stderr are marked. */
  private show(entry: Entry): string {
    const isMixed = this.lines.stdout > 0 && this.lines.stderr > 0;
    const tag = isMixed && entry.stream === "stderr" ? "[stderr] " : "";
    return tag + times(entry);
  }
}

const lastLine = (entry: Entry | undefined) => (entry ? entry.line + entry.times - 1 : 0);

const lineCount = (entries: readonly Entry[]) => entries.reduce((sum, entry) => sum + entry.times, 0);

const times = (entry: Entry) =>
  entry.times > 1 && entry.text.trim() !== "" ? `${entry.text}  × ${entry.times}` : entry.text;

const shorter = (text: string) =>
  text.length <= SHORT_LINE ? text : `${text.slice(0, SHORT_LINE - 50)} … ${text.slice(-50)}`;

/** The list with the item at its end, and no more than `most`: the first go. */
function pushBounded<T>(list: T[], item: T, most: number): T[] {
  list.push(item);
  // Cut back now and then only: cutting by one each time would copy the list for every line.
  return list.length > most * 2 ? list.slice(-most) : list;
}
