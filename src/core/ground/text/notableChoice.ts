/** Which of the notable lines are shown where there is room for few (docs/tools.md, "Long output"). */
import { count } from "./format";
import { ERROR, PLACE, SUMMARY, VERDICT, WARNING } from "./lineRank";
import type { TextLine } from "./outline";

/** Lines with a number before them, as lists have them: what failed, where something did. */
export const NUMBERED = 5;
const RANKS = 6;

export interface NotableLine extends TextLine {
  heading: TextLine | undefined;
  /** of those below, what tells more of it */
  details: TextLine[];
  /** how many failed; why something did, in the words of what was thrown; that it did; its name alone, which is told anyhow */
  tells: "sum" | "why" | "that" | "name";
}

/** As it is to be shown: `note` stands below it. */
export interface ShownLine extends TextLine {
  note?: string;
}

/** Lines that say the same. */
interface Group {
  count: number;
  first: NotableLine;
  last?: NotableLine;
}

const MAX_KINDS = 100;

/** The lines of one rank. */
class RankedLines {
  count = 0;
  readonly groups = new Map<string, Group>();
  /** of kinds beyond the most that are told apart */
  readonly others = new SpreadSample<NotableLine>(80);

  add(line: NotableLine, kind: string): void {
    this.count += 1;
    const group = this.groups.get(kind);
    if (group) Object.assign(group, { count: group.count + 1, last: line });
    else if (this.groups.size < MAX_KINDS) this.groups.set(kind, { count: 1, first: line });
    else this.others.add(line);
  }
}

/** By rank. */
export const rankedLines = (): RankedLines[] => Array.from({ length: RANKS }, () => new RankedLines());

/** A sample of a stream of unknown length, evenly spread over it. */
class SpreadSample<T> {
  items: T[] = [];
  private stride = 1;
  private seen = 0;

  constructor(private readonly most: number) {}

  add(item: T): void {
    if (this.seen % this.stride === 0) this.items.push(item);
    this.seen += 1;
    if (this.items.length <= this.most) return;
    this.items = this.items.filter((_, index) => index % 2 === 0);
    this.stride *= 2;
  }
}

/** In this order ranks get room, each at most its share of what is left; what stands below its lines, the second share. */
const SHARES: readonly { rank: number; lines: number; details: number }[] = [
  { rank: VERDICT, lines: 0.6, details: 0.5 },
  { rank: NUMBERED, lines: 0.4, details: 0.4 },
  { rank: ERROR, lines: 0.6, details: 0.4 },
  { rank: SUMMARY, lines: 0.5, details: 0 },
  { rank: WARNING, lines: 0.4, details: 0 },
  { rank: PLACE, lines: 0.3, details: 0 },
];
const ODD_SHARE = 0.3;
/** Of the room for lines of a rank, for those that tell the most; then of what is left. */
const FIRST_SHARE = 0.7;

export interface LineRoom {
  characters: number;
  lines: number;
}

interface Candidates {
  ranks: readonly RankedLines[];
  /** lines of no rank that are not like the others */
  odd: readonly TextLine[];
  room: LineRoom;
  /** elsewhere */
  isShown(line: number): boolean;
}

/** In the order of the output. */
export function chooseLines({ ranks, odd, room, isShown }: Candidates): ShownLine[] {
  const choice = new LineBudget(room, isShown);
  for (const { rank, lines, details } of SHARES) {
    const ranked = ranks[rank];
    if (!ranked || (rank === NUMBERED && ranks[VERDICT]?.count === 0)) continue;
    const chosen = choice.fitting(ranked, lines);
    for (const line of chosen) choice.take(line);
    if (details > 0) for (const { heading } of chosen) if (heading) choice.take(heading);
    choice.takeDetails(chosen, details);
  }
  choice.takeSome(odd, ODD_SHARE);
  for (const { rank } of SHARES) choice.takeSecond(ranks[rank]?.groups.values() ?? []);
  return choice.inOrder();
}

/** What a line costs beside its text: its number, the end. */
const BESIDE = 8;
const MAX_COST = 250;
const cost = ({ text }: TextLine) => Math.min(text.length, MAX_COST) + BESIDE;
const costOf = (lines: readonly TextLine[]) => lines.reduce((sum, line) => sum + cost(line), 0);

class LineBudget {
  private readonly lines = new Map<number, ShownLine>();
  private left: number;

  constructor(
    private readonly room: LineRoom,
    private readonly isShown: (line: number) => boolean,
  ) {
    this.left = room.characters;
  }

  /** One line of each kind, as far as there is room; beyond that some, spread over the output. */
  fitting({ groups, others }: RankedLines, share: number): NotableLine[] {
    const room = this.left * share;
    const isFree = ({ line }: NotableLine) => !this.isShown(line);
    const firsts = [...groups.values()].map(({ first }) => first).filter(isFree);
    if (costOf(firsts) <= room) return firsts;
    const all = [...firsts, ...others.items.filter(isFree)].sort(byLine);
    const chosen: NotableLine[] = [];
    for (const kind of ["sum", "why", "that", "name"] as const) {
      const of = all.filter(({ tells }) => tells === kind);
      const left = room - costOf(chosen);
      if (of.length > 0)
        chosen.push(...spreadWithin(of, of.length + chosen.length < all.length ? left * FIRST_SHARE : left));
    }
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
    const most = Math.max(0, ...of.map(({ details }) => details.length));
    for (let at = 0; at < most; at += 1) {
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

  inOrder(): ShownLine[] {
    return [...this.lines.values()].sort(byLine);
  }
}

/** As many as there is room for, one at least. */
function spreadWithin(lines: readonly NotableLine[], room: number): NotableLine[] {
  const all = costOf(lines);
  return all <= room ? [...lines] : spread(lines, Math.max(1, Math.floor((room * lines.length) / all)));
}

const byLine = (a: TextLine, b: TextLine) => a.line - b.line;

/** `most` of the items, evenly spread, the first and the last among them. */
function spread<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most || most <= 1) return items.slice(0, Math.max(0, most));
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)]).filter(item => item !== undefined);
}
