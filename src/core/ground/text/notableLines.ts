/**
 * Finds the important lines of a long output (docs/tools.md, "Long output") as it streams, in bounded memory. Lines are ranked
 * (lineRank.ts); of similar lines two are shown and the rest counted, so that one failure among a thousand warnings is shown.
 */
import { tellsWhy } from "./errorLine";
import { FailureNames } from "./failureNames";
import { lineKind, shapeOf, warningKind } from "./lineKind";
import { ERROR, hasPassed, lineRank, PLACE, saysNothing, VERDICT, WARNING } from "./lineRank";
import { chooseLines, type LineRoom, type NotableLine, NUMBERED, rankedLines, type ShownLine } from "./notableChoice";
import { isInFile, Outline, type TextLine } from "./outline";

/** `src/a.py:7: KeyError`, without what it says. */
const PLACE_OF_ERROR = /^\S{1,200}:\d{1,7}: [A-Za-z]{1,60}(?:Error|Exception)$/;
/** Of all that ran: no class of them, no time. */
const SUM =
  /\bTests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$|^[#ℹ] fail \d|\b\d+ failed\b.*\b\d+ (?:passed|total)\b/;
const tellsOf = (text: string) => (SUM.test(text) ? "sum" : tellsWhy(text) ? "why" : "that");
const NUMBERED_LINE = /^\s*\d{1,4}\) \S/;

/** How far below an error what is told of it may stand, and how much of that is kept. */
const REACH = 12;
const DETAILS = 6;
/** So many lines right below it belong to it, unless the output is full of their like. */
const BELOW = 2;
const BELOW_NUMBERED = 3;
const COMMON = 3;
const DIFF_LINE = /^\s*[-+]\s*\S/;

/** Most lines begin otherwise. */
const FRAME_START = /^\s+[aF#\d/]|^[F#]/;
const STACK_FRAME =
  /^\s+at\s|^\t\S+\.go:\d+(?: \+0x[\da-f]+)?$|^\s*File ".*", line \d+|^\s+\d+: [\w<]\S*::|^\s+#\d+ 0x[\da-f]+ |^#\d+ (?:\S+\(\d+\): |\{main\}|\[internal function\])/;
/** Above a frame of Go: what was called there. */
const CALLED = /^(?:created by )?[\w./*()-]+\([^()]*\)$|^created by \S/;
/** Of a runtime, or of what was installed. */
const FOREIGN_FRAME = new RegExp(
  [
    /\bnode:|[/\\](?:node_modules|site-packages|dist-packages|vendor|gems|rustc|sysdeps|csu|libsanitizer)[/\\]/,
    /[/\\]go(?:-[\d.]+)?[/\\]src[/\\]|[/\\]pkg[/\\]mod[/\\]/,
    /<anonymous>\)|\(native\)|\(<Jasmine>\)|\[internal function\]|^\s+\d+: /,
    /^\s+at (?:<|(?:java|javax|jdk|sun|kotlin|scala|System|Microsoft|org\.(?:junit|springframework|apache))[./])/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
const STACK_TOP = /^\s+at [^()]{1,200}\([^()]{0,200}\)$/;

/** Most lines of a log are of few shapes. Beyond this many it is no log. */
const MAX_SHAPES = 300;
/** In so many lines of a log, one of a shape of its own is notable, whatever its language. */
const LOG_LINES = 200;
const MAX_ODD = 12;

interface LineShape extends TextLine {
  count: number;
}

export class NotableLines {
  private readonly ranks = rankedLines();
  private readonly outline = new Outline();
  private readonly names = new FailureNames();
  private lines = 0;
  private shapes: Map<number, LineShape> | undefined = new Map();
  /** the line before, where nothing marked it */
  private unmarked: NotableLine | undefined;
  /** of a stack: whether all its frames until now are of others' code */
  private stack: { isForeign: boolean } | undefined;
  /** what the lines below it, up to `reach`, may tell more of; `below` of them were taken because they stand there */
  private error: NotableLine | undefined;
  private reach = 0;
  private below = 0;

  /** how many there were, shown or not */
  get count(): number {
    return this.ranks.reduce((sum, { count }, rank) => sum + (rank === NUMBERED ? 0 : count), 0);
  }

  /** as far as words tell */
  get hasFailure(): boolean {
    return [VERDICT, ERROR].some(rank => (this.ranks[rank]?.count ?? 0) > 0);
  }

  /** Takes every line of the output, in order. Gives its rank; undefined: none, or nobody needs it. */
  add(line: number, text: string): number | undefined {
    if (text.trim() === "") {
      // What is thrown stands right above its frames.
      this.unmarked = undefined;
      return undefined;
    }
    const isCommon = this.countShape({ line, text });
    const isFrame = FRAME_START.test(text) && STACK_FRAME.test(text);
    const { stack } = this;
    if (stack && CALLED.test(text)) return undefined;
    const isForeign = isFrame && FOREIGN_FRAME.test(text);
    this.stack = isFrame ? { isForeign: isForeign && (stack?.isForeign ?? true) } : undefined;
    // Of a stack, its top, and where that is in others' code the first that is not.
    if (isFrame && stack && (!stack.isForeign || isForeign)) return undefined;
    // What is thrown is an error, whatever its name.
    if (this.unmarked && STACK_TOP.test(text)) this.take(this.unmarked, VERDICT);
    const above = this.outline.add({ line, text });
    const ranked = NUMBERED_LINE.test(text) ? NUMBERED : lineRank(text);
    const tells = ranked === VERDICT || ranked === ERROR ? tellsOf(text) : "that";
    const rank = tells === "that" ? ranked : VERDICT;
    const heading = above && rank !== undefined && saysNothing(above.text) ? undefined : above;
    const notable: NotableLine = { line, text, heading, details: [], tells };
    this.unmarked = rank === undefined ? notable : undefined;
    if (rank === undefined || (rank > ERROR && rank !== NUMBERED)) this.addDetail(notable, rank, isCommon);
    if (isFrame) this.below = 0;
    if (rank !== undefined) this.take(notable, rank);
    const isName = this.isNameAlone(notable, rank);
    if (tells === "that" && (isName || PLACE_OF_ERROR.test(text))) notable.tells = "name";
    return rank;
  }

  /** "also failing: …", of what has no place in `shown`. */
  missing(shown: string, room: number): string[] {
    return this.names.missing(shown, room, this.ranks[VERDICT]?.count !== 0);
  }

  /** As many as there is room for, in the order of the output, without those that are shown elsewhere. */
  select(room: LineRoom, isShown: (line: number) => boolean): ShownLine[] {
    return chooseLines({ ranks: this.ranks, odd: this.oddLines(), room, isShown });
  }

  private take(line: NotableLine, rank: number): void {
    const { text } = line;
    this.ranks[rank]?.add(
      line,
      rank === WARNING ? warningKind(text) : lineKind(text, rank === VERDICT || rank === NUMBERED),
    );
    if (rank > ERROR && rank !== NUMBERED) return;
    this.error = line;
    this.reach = line.line + REACH;
    this.below = rank === NUMBERED ? BELOW_NUMBERED : BELOW;
  }

  private isNameAlone({ text, heading }: NotableLine, rank: number | undefined): boolean {
    const isError = rank === VERDICT || rank === ERROR;
    const file = isError && heading && isInFile(text) ? heading.text : undefined;
    return this.names.add(text, { isNumbered: rank === NUMBERED, isError, isPlace: rank === PLACE, file });
  }

  private addDetail({ line, text }: NotableLine, rank: number | undefined, isCommon: boolean): void {
    if (
      !this.error ||
      line > this.reach ||
      this.error.details.length >= DETAILS ||
      hasPassed(text) ||
      saysNothing(text)
    )
      return;
    const tellsMore = (rank !== undefined && rank !== WARNING) || DIFF_LINE.test(text);
    if (!tellsMore && (this.below === 0 || isCommon || rank === WARNING)) return;
    if (!tellsMore) this.below -= 1;
    this.error.details.push({ line, text });
  }

  /** Whether there were more of its shape. */
  private countShape(line: TextLine): boolean {
    this.lines += 1;
    if (!this.shapes) return false;
    const key = shapeOf(line.text);
    const shape = this.shapes.get(key);
    if (shape) shape.count += 1;
    else if (this.shapes.size >= MAX_SHAPES) this.shapes = undefined;
    else this.shapes.set(key, { ...line, count: 1 });
    return (shape?.count ?? 0) > COMMON;
  }

  /** Of a log, those unlike all others: whoever wrote it had something else to say there. */
  private oddLines(): TextLine[] {
    if (!this.shapes || this.lines < LOG_LINES) return [];
    const odd = [...this.shapes.values()].filter(({ count, text }) => count === 1 && !hasPassed(text));
    return odd.length <= MAX_ODD ? odd : [];
  }
}
