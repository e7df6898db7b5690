/**
 * What the model reads of a command's output (docs/tools.md, "Long output"): all where it is short; else its beginning,
 * the lines that matter with their numbers, its end, and the handle of the rest. Streaming, in bounded memory (100 MB
 * without a line end are fine), and the same for every way to cut the output into chunks.
 * Of lines that say the same two are shown, the first and the last, with their count.
 */
import { count, counted, cutPoint, recallHint } from "../../ground/text/format";
import { lineText, type TerminalLine, TerminalText } from "../../ground/text/terminalText";
import { ErrorLine } from "./errorLine";
import { hasPassed, lineRank, lineSigns, saysNothing, shapeOf } from "./lineRank";
import { NotableLines, type ShownLine } from "./notableLines";
import { TestCounts } from "./testCounts";

export type Stream = "stdout" | "stderr";

const WHOLE_LINES = 200;
const WHOLE_CHARACTERS = 8_000;
/** of a line among many */
const LINE = 500;
/** Where all together would be too much, lines are cut shorter. */
const SHOWN_CHARACTERS = 3_000;
const SHORT_LINE = 240;
/** For notable lines, in the shown and the kept form. */
const NOTABLE_ROOM = { shown: { characters: 1_200, lines: 100 }, kept: { characters: 1_800, lines: 12 } };

/** Of the beginning and the end: where nothing failed, and where something did and needs the room. */
const FIRST = { calm: { lines: 10, characters: 500 }, failed: { lines: 2, characters: 120 } };
const LAST = { calm: { lines: 30, characters: 1_000 }, failed: { lines: 8, characters: 400 } };
/** Of stderr, also where its lines are alike, for every exit code: it tells why something failed. */
const STDERR_END = { lines: 20, shown: 1_200, kept: 2_400 };
const KEPT_FIRST = 5;
const KEPT_LAST = 10;
/** Lines of one shape at the beginning or the end of an output that failed. */
const OF_ONE_SHAPE = 2;

/** One line, or several that are the same. */
interface DigestLine {
  /** 1-based number of the first */
  line: number;
  stream: Stream;
  /** clipped */
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
  /** at most 12 of those that stand in none of the others, with their numbers */
  notable: string[];
  /** the one that tells why it failed, or else what it said first; absent: nothing was said */
  point?: string;
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
  private open: (DigestLine & { full: string }) | undefined;
  /** all lines; undefined: too many */
  private whole: DigestLine[] | undefined = [];
  private wholeCharacters = 0;
  private readonly first: DigestLine[] = [];
  private last: DigestLine[] = [];
  private readonly stdoutFirst: DigestLine[] = [];
  private readonly lastOf: Record<Stream, DigestLine[]> = { stdout: [], stderr: [] };
  private readonly notable = new NotableLines();
  private readonly error = new ErrorLine();
  private firstWords: string | undefined;
  private readonly tests = new TestCounts();

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

  /** what test runners and compilers counted */
  get counted() {
    return this.tests.facts;
  }

  /** @param raw the blob that holds the output, where it could be stored @param failed as far as is known: else its words tell */
  render(raw?: { sha256: string }, failed = this.notable.hasFailure): string {
    if (this.whole) return this.whole.map(entry => this.show(entry)).join("\n");
    const first = this.within(this.first, FIRST);
    const from = lastLine(first.at(-1));
    const ending = this.within(this.last.slice(-LAST.calm.lines).filter(isBehind(from)).reverse(), LAST);
    const stderr = failed ? lastWithin(this.stderrEnd, STDERR_END.shown).filter(isBehind(from)) : [];
    const last = [...new Set([...ending, ...stderr])].sort((a, b) => a.line - b.line);
    const long = this.layOut(first, last, text => text);
    const body = long.length <= SHOWN_CHARACTERS ? long : this.layOut(first, last, shorter);
    const where = raw ? ` Complete output: ${recallHint(raw.sha256)}.` : "";
    return `${body}\n(${this.counts()}.${where})`;
  }

  facts(failed = this.notable.hasFailure): OutputFacts {
    const { stdout, stderr } = this.lines;
    const stdoutFirst = this.stdoutFirst;
    const stdoutLast = this.lastOf.stdout.slice(-KEPT_LAST).filter(isBehind(lastLine(stdoutFirst.at(-1))));
    const stderrLast = lastWithin(this.stderrEnd, STDERR_END.kept);
    const notable = this.select("kept", [...stdoutFirst, ...stdoutLast, ...stderrLast]);
    const point = this.error.line ?? (failed ? this.lastWords : this.firstWords);
    return {
      lines: stdout + stderr,
      stdoutLines: stdout,
      stderrLines: stderr,
      stdoutFirst: stdoutFirst.map(keptText),
      stdoutLast: stdoutLast.map(keptText),
      stdoutLeft: stdout - lineCount([...stdoutFirst, ...stdoutLast]),
      stderrLast: stderrLast.map(keptText),
      stderrLeft: stderr - lineCount(stderrLast),
      notable: notable.flatMap(line => numbered(line, shorter)),
      ...(point !== undefined && { point: shorter(point) }),
    };
  }

  /** Where no line says that something failed. */
  private get lastWords(): string | undefined {
    const { stdout, stderr } = this.lastOf;
    return [stderr, stdout]
      .map(lines => lines.findLast(({ text }) => !saysNothing(text)))
      .find(Boolean)
      ?.text.trim();
  }

  private get stderrEnd(): readonly DigestLine[] {
    return this.lastOf.stderr.slice(-STDERR_END.lines);
  }

  private select(form: keyof typeof NOTABLE_ROOM, beside: readonly DigestLine[]): ShownLine[] {
    const isShown = new Set(beside.flatMap(({ line, times: many }) => [line, line + many - 1]));
    return this.notable.select(NOTABLE_ROOM[form], line => isShown.has(line));
  }

  /** The first of them. Of an output that failed without what passed, and few of those that are alike. */
  private within(entries: readonly DigestLine[], limits: typeof FIRST): DigestLine[] {
    const { hasFailure } = this.notable;
    const { lines, characters } = hasFailure ? limits.failed : limits.calm;
    const shapes = new Map<number, number>();
    const chosen: DigestLine[] = [];
    let left = characters;
    for (const entry of entries) {
      const shape = shapeOf(entry.text);
      const alike = shapes.get(shape) ?? 0;
      if (hasFailure && (saysNothing(entry.text) || hasPassed(entry.text))) continue;
      if (alike >= OF_ONE_SHAPE && (hasFailure || lineRank(entry.text) !== undefined)) continue;
      shapes.set(shape, alike + 1);
      left -= Math.min(entry.text.length, SHORT_LINE) + 1;
      if (chosen.length >= lines || (left < 0 && chosen.length > 0)) break;
      chosen.push(entry);
    }
    return chosen;
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
    if (this.first.length < FIRST.calm.lines) this.first.push(entry);
    this.last = pushBounded(this.last, entry, LAST.calm.lines);
    const text = times(entry);
    if (entry.stream === "stdout" && this.stdoutFirst.length < KEPT_FIRST) this.stdoutFirst.push(entry);
    this.lastOf[entry.stream] = pushBounded(this.lastOf[entry.stream], entry, STDERR_END.lines);
    const may = lineSigns.in(text);
    const rank = this.notable.add(entry.line, text, may);
    this.error.add(entry.stream, entry.text, rank);
    this.tests.add(entry.text, may);
    if (this.firstWords === undefined && SAYS.test(text)) this.firstWords = entry.text.trim();
  }

  private keepWhole(entry: DigestLine): void {
    if (!this.whole) return;
    this.wholeCharacters += entry.text.length + 1;
    if (this.whole.length >= WHOLE_LINES || this.wholeCharacters > WHOLE_CHARACTERS + 1) this.whole = undefined;
    else this.whole.push(entry);
  }

  private layOut(first: readonly DigestLine[], last: readonly DigestLine[], cut: (text: string) => string): string {
    const notable = this.select("shown", [...first, ...last]);
    const out = first.map(entry => cut(this.show(entry)));
    if (notable.length > 0) {
      out.push(`… of ${counted(this.notable.count, "notable line")}, with their numbers:`);
      out.push(...notable.flatMap(line => numbered(line, cut)));
    }
    const left = this.lines.stdout + this.lines.stderr - lineCount([...first, ...last]);
    if (left > 0) out.push(notable.length > 0 ? "… the end:" : `… ${counted(left, "line")} left out`);
    return [...out, ...last.map(entry => cut(this.show(entry)))].join("\n");
  }

  private counts(): string {
    const { stdout, stderr } = this.lines;
    const streams = stdout > 0 && stderr > 0 ? ` (${count(stdout)} stdout, ${count(stderr)} stderr)` : "";
    return `${counted(stdout + stderr, "line")}${streams}, ${counted(this.characters, "character")}`;
  }

  /** Where both streams have lines, those of stderr are marked. */
  private show(entry: DigestLine): string {
    const isMixed = this.lines.stdout > 0 && this.lines.stderr > 0;
    const tag = isMixed && entry.stream === "stderr" ? "[stderr] " : "";
    return tag + times(entry);
  }
}

const isBehind =
  (from: number) =>
  ({ line }: DigestLine) =>
    line > from;

/** The newest of them, at least one. */
function lastWithin(entries: readonly DigestLine[], characters: number): DigestLine[] {
  let left = characters;
  const from = entries.findLastIndex(entry => {
    left -= Math.min(entry.text.length, SHORT_LINE) + 1;
    return left < 0;
  });
  return entries.slice(Math.min(from + 1, entries.length - 1));
}

const lastLine = (entry: DigestLine | undefined) => (entry ? entry.line + entry.times - 1 : 0);

const lineCount = (entries: readonly DigestLine[]) => entries.reduce((sum, entry) => sum + entry.times, 0);

const times = (entry: DigestLine) =>
  entry.times > 1 && entry.text.trim() !== "" ? `${entry.text}  × ${entry.times}` : entry.text;

const shorter = (text: string) =>
  text.length <= SHORT_LINE
    ? text
    : `${text.slice(0, cutPoint(text, SHORT_LINE - 80))} … ${text.slice(cutPoint(text, text.length - 70))}`;

/** No line, no box, no trace of the shell. */
const SAYS = /^(?!\++ ).*[\p{L}\p{N}]/u;

const keptText = (entry: DigestLine) => shorter(times(entry));

const numbered = ({ line, text, note }: ShownLine, cut: (text: string) => string) => [
  `${line}: ${cut(text)}`,
  ...(note === undefined ? [] : [note]),
];

/** The list with the item at its end, and no more than `most`: the first go. */
function pushBounded<T>(list: T[], item: T, most: number): T[] {
  list.push(item);
  // Cut back now and then only: cutting by one each time would copy the list for every line.
  return list.length > most * 2 ? list.slice(-most) : list;
}
