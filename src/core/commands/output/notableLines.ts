/**
 * Finds the important lines of a long output (docs/tools.md, "Long output") as it streams, in bounded memory. Lines are ranked
 * (lineRank.ts); of similar lines two are shown and the rest counted, so that one failure among a thousand warnings is shown.
 */
import { count } from "../../ground/text/format";
import { tellsWhy } from "./errorLine";
import {
  alike,
  ERROR,
  hasPassed,
  lineKind,
  lineRank,
  PLACE,
  SERVER_ERROR,
  SIGN,
  SUMMARY,
  saysNothing,
  shapeOf,
  VERDICT,
  WARNING,
} from "./lineRank";

interface TextLine {
  /** 1-based number of the line in the output */
  line: number;
  text: string;
}

/** With a note below it. */
export interface ShownLine extends TextLine {
  note?: string;
}

interface NotableLine extends TextLine {
  heading: TextLine | undefined;
  /** lines below that tell more */
  details: TextLine[];
  /** It sums all tests up, or has the words of what was thrown. */
  isFirst: boolean;
}

/** Of all that ran: no class of them, no time. */
const SUM =
  /\bTests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$|^[#ℹ] fail \d|\b\d+ failed\b.*\b\d+ (?:passed|total)\b/;

/** Lines below an error that may be its details, and how many are kept. */
const REACH = 12;
const DETAILS = 6;
/** So many lines right below it belong to it, unless the output is full of their like. */
const BELOW = 2;
const COMMON = 3;

const STACK_FRAME =
  /^\s+at\s|^\t\S+\.go:\d+(?: \+0x[\da-f]+)?$|^\s*File ".*", line \d+|^\s+\d+: [\w<]\S*::|^\s+#\d+ 0x[\da-f]+ |^#\d+ (?:\S+\(\d+\): |\{main\}|\[internal function\])/;
/** Above a frame of Go: what was called there. */
const CALLED = /^(?:created by )?[\w./*()-]+\([^()]*\)$|^created by \S/;
/** Of a runtime, or of what was installed. */
const FOREIGN_FRAME =
  /\bnode:|[/\\](?:node_modules|site-packages|vendor|gems|rustc|sysdeps|libsanitizer)[/\\]|[/\\]go(?:-[\d.]+)?[/\\]src[/\\]|[/\\]pkg[/\\]mod[/\\]|<anonymous>\)|\(native\)|\[internal function\]|^\s+\d+: |^\s+at (?:<|(?:java|javax|jdk|sun|kotlin|scala|System|Microsoft|org\.(?:junit|springframework|apache))[./])/;

/** `12:5  error`: a place in the file that a line above names alone. */
const PLACE_IN_FILE = /^\s*\d+(?::\d+)?[\s|]/;
const FILE = /^\s*(?:\w+:?\s+)?[\w@.~:/\\-]*[/\\][\w@.-]+\.\w{1,6}:?\s*$/;
const MAX_PATH = 300;

/** Most lines of a log are of few shapes. Beyond this many it is no log. */
const MAX_SHAPES = 300;
/** In so many lines of a log, one of a shape of its own is notable, in any language. */
const LOG_LINES = 200;
const MAX_ODD = 12;

/** Kinds of a rank that are told apart; lines of further kinds are counted alone. */
const MAX_KINDS = 200;

/** In this order ranks get room, each at most its share of the rest; their details get the second share. */
const SHARES: readonly { rank: number; lines: number; details: number }[] = [
  { rank: VERDICT, lines: 0.6, details: 0.5 },
  { rank: ERROR, lines: 0.6, details: 0.4 },
  { rank: SUMMARY, lines: 0.5, details: 0 },
  { rank: WARNING, lines: 0.4, details: 0 },
  { rank: PLACE, lines: 0.3, details: 0 },
];
const ODD_SHARE = 0.3;
/** Of the room for lines of a rank, for those that tell the most. */
const FIRST_SHARE = 0.7;

export class NotableLines {
  private readonly ranks = SHARES.map(() => new RankedLines());
  private lines = 0;
  private shapes: Map<number, TextLine & { count: number }> | undefined = new Map();
  /** of a stack: whether all its frames until now are of others' code */
  private stack: { isForeign: boolean } | undefined;
  /** the newest error: lines up to `reach` may belong to it; `below` many count without a sign */
  private error: NotableLine | undefined;
  private reach = 0;
  private below = 0;
  /** the newest line with nothing but a file's name */
  private file: TextLine | undefined;

  /** how many there were, shown or not */
  get count(): number {
    return this.ranks.reduce((sum, { count }) => sum + count, 0);
  }

  /** as far as words tell */
  get hasFailure(): boolean {
    return [VERDICT, ERROR].some(rank => (this.ranks[rank]?.count ?? 0) > 0);
  }

  /** Takes every line of the output, in order. @param may as `lineRank` @returns its rank; undefined: none */
  add(line: number, text: string, may: number): number | undefined {
    if (!/\S/.test(text)) return undefined;
    const isCommon = this.countShape(line, text);
    const isFrame = (may & SIGN.frame) !== 0 && STACK_FRAME.test(text);
    const { stack } = this;
    if (stack && CALLED.test(text)) return undefined;
    const isForeign = isFrame && FOREIGN_FRAME.test(text);
    this.stack = isFrame ? { isForeign: isForeign && (stack?.isForeign ?? true) } : undefined;
    // Of a stack, its top, and where that is in others' code the first frame that is not.
    if (isFrame && stack && (!stack.isForeign || isForeign)) return undefined;
    const heading = this.file && PLACE_IN_FILE.test(text) ? this.file : undefined;
    if (text.length <= MAX_PATH && FILE.test(text)) this.file = { line, text };
    const ranked = lineRank(text, may);
    const isFirst = (ranked === VERDICT || ranked === ERROR) && (SUM.test(text) || tellsWhy(text));
    const rank = isFirst ? VERDICT : ranked;
    if (rank === undefined || rank > ERROR) this.addDetail(line, text, rank, isCommon);
    if (isFrame) this.below = 0;
    if (rank !== undefined) this.take({ line, text, heading, details: [], isFirst }, rank);
    return rank;
  }

  /** As many as there is room for, in the order of the output, without those that are shown elsewhere. */
  select(room: LineRoom, isShown: (line: number) => boolean): ShownLine[] {
    const choice = new LineBudget(room, isShown);
    for (const { rank, lines, details } of SHARES) {
      const ranked = this.ranks[rank];
      if (!ranked) continue;
      const chosen = choice.fitting(ranked, lines);
      for (const line of chosen) choice.take(line);
      if (details > 0) for (const { heading } of chosen) if (heading) choice.take(heading);
      choice.takeDetails(chosen, details);
    }
    choice.takeSome(this.oddLines(), ODD_SHARE);
    for (const { groups } of this.ranks) choice.takeSecond(groups.values());
    return [...choice.lines.values()].sort(byLine);
  }

  private take(line: NotableLine, rank: number): void {
    const { text } = line;
    const kind = SERVER_ERROR.test(text) ? alike(text) : lineKind(text, rank === VERDICT);
    this.ranks[rank]?.add(line, kind);
    if (rank > ERROR) return;
    this.error = line;
    this.reach = line.line + REACH;
    this.below = BELOW;
  }

  private addDetail(line: number, text: string, rank: number | undefined, isCommon: boolean): void {
    const { error } = this;
    if (!error || line > this.reach || error.details.length >= DETAILS || hasPassed(text) || saysNothing(text)) return;
    const isHeaded = error.text.endsWith(":") && line === error.line + 1;
    const tellsMore = isHeaded || (rank !== undefined && rank !== WARNING);
    if (!tellsMore && (this.below === 0 || isCommon || rank === WARNING)) return;
    if (!tellsMore) this.below -= 1;
    error.details.push({ line, text });
  }

  /** @returns whether there were more of its shape */
  private countShape(line: number, text: string): boolean {
    this.lines += 1;
    if (!this.shapes) return false;
    const key = shapeOf(text);
    const shape = this.shapes.get(key);
    if (shape) shape.count += 1;
    else if (this.shapes.size >= MAX_SHAPES) this.shapes = undefined;
    else this.shapes.set(key, { line, text, count: 1 });
    return (shape?.count ?? 0) > COMMON;
  }

  /** Of a log, those unlike all others. */
  private oddLines(): TextLine[] {
    if (!this.shapes || this.lines < LOG_LINES) return [];
    const odd = [...this.shapes.values()].filter(({ count, text }) => count === 1 && !hasPassed(text));
    return odd.length <= MAX_ODD ? odd : [];
  }
}

/** Lines that say the same. */
interface Group {
  count: number;
  first: NotableLine;
  last?: NotableLine;
}

/** The lines of one rank. */
class RankedLines {
  count = 0;
  readonly groups = new Map<string, Group>();

  add(line: NotableLine, kind: string): void {
    this.count += 1;
    const group = this.groups.get(kind);
    if (group) Object.assign(group, { count: group.count + 1, last: line });
    else if (this.groups.size < MAX_KINDS) this.groups.set(kind, { count: 1, first: line });
  }
}

interface LineRoom {
  characters: number;
  lines: number;
}

/** What a line costs beside its text: its number, the end. */
const BESIDE = 8;
const MAX_COST = 250;
const cost = ({ text }: TextLine) => Math.min(text.length, MAX_COST) + BESIDE;
const costOf = (lines: readonly TextLine[]) => lines.reduce((sum, line) => sum + cost(line), 0);

class LineBudget {
  readonly lines = new Map<number, ShownLine>();
  private left: number;

  constructor(
    private readonly room: LineRoom,
    private readonly isShown: (line: number) => boolean,
  ) {
    this.left = room.characters;
  }

  /** One line of each kind, as far as there is room; beyond that some, spread over the output. */
  fitting({ groups }: RankedLines, share: number): NotableLine[] {
    const room = this.left * share;
    const isFree = ({ line }: NotableLine) => !this.isShown(line);
    const firsts = [...groups.values()].map(({ first }) => first).filter(isFree);
    if (costOf(firsts) <= room) return firsts;
    const best = firsts.filter(({ isFirst }) => isFirst);
    const rest = firsts.filter(({ isFirst }) => !isFirst);
    const chosen = best.length > 0 ? spreadWithin(best, rest.length > 0 ? room * FIRST_SHARE : room) : [];
    if (rest.length > 0) chosen.push(...spreadWithin(rest, room - costOf(chosen)));
    return chosen.sort(byLine);
  }

  take({ line, text }: TextLine): boolean {
    if (this.lines.has(line) || this.isShown(line)) return true;
    if (cost({ line, text }) > this.left || this.lines.size >= this.room.lines) return false;
    this.left -= cost({ line, text });
    this.lines.set(line, { line, text });
    return true;
  }

  /** Of each line the first one, then of each the second. */
  takeDetails(of: readonly NotableLine[], share: number): void {
    const rest = this.left * (1 - share);
    for (let at = 0; at < DETAILS; at += 1) {
      for (const { details } of of) {
        if (this.left <= rest) return;
        const detail = details[at];
        if (detail) this.take(detail);
      }
    }
  }

  takeSome(lines: readonly TextLine[], share: number): void {
    const rest = this.left * (1 - share);
    for (const line of lines) if (this.left > rest) this.take(line);
  }

  /** Of each group that is shown another line, and how many more there are. */
  takeSecond(groups: Iterable<Group>): void {
    for (const group of groups) {
      if (!group.last || !this.lines.has(group.first.line)) continue;
      const isSecondShown = this.take(group.last);
      const more = group.count - (isSecondShown ? 2 : 1);
      const under = this.lines.get(group.last.line) ?? this.lines.get(group.first.line);
      if (more > 0 && under) under.note = `… ${count(more)} more like ${isSecondShown ? "these" : "this"}`;
    }
  }
}

const byLine = (a: TextLine, b: TextLine) => a.line - b.line;

/** As many as there is room for, one at least, evenly spread, the first and the last among them. */
function spreadWithin(lines: readonly NotableLine[], room: number): NotableLine[] {
  const all = costOf(lines);
  if (all <= room) return [...lines];
  const most = Math.max(1, Math.floor((room * lines.length) / all));
  if (most === 1) return lines.slice(0, 1);
  const step = (lines.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => lines[Math.round(index * step)]).filter(line => line !== undefined);
}
