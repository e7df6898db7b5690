/**
 * Which lines of a long output matter (docs/tools.md, "Long output"), found while it streams by and kept in bounded memory.
 * Lines are ranked by what they tell; of lines that are alike but for their numbers, one counts before the second of any
 * other: the one failure among a thousand harmless complaints is always among those shown.
 */

export interface NotableLine {
  /** 1-based number of the line in the output */
  line: number;
  text: string;
  next?: string;
}

/** What passed is not notable, whatever its title says. */
const PASSED = /^\s*(?:[✓✔√]|ok\b|PASS\b|--- PASS|\[PASS|test .* \.\.\. ok$)/;

/** "0 errors", "no failures", "errors: 0", "fail 0": taken out before a line is looked at. */
const NOTHING_WRONG =
  /\b(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|fail(?:ed|ures?|ing)?|warnings?|exceptions?)\b|\b(?:errors?|fail(?:ed|ures?|ing)?|warnings?|exceptions?)(?:\s*[:=]\s*|\s+)(?:0|none|null|nil|false)\b/gi;

/** By rank, the weightiest first. */
const RANKS: readonly RegExp[] = [
  // verdicts, crashes, what compilers refuse
  /\bFAIL(?:ED|URE|URES)?\b|^\s*not ok\b|^\s*[×⨯✕]|[✗✖✘❌]|\bpanicked at\b|^panic:|^Traceback\b|\bfatal(?: error)?:|\bFATAL\b|[Ss]egmentation fault|core dumped|\b(?:OutOfMemory|out of memory)\b|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^\s*(?:Uncaught |Unhandled )?\w*(?:Error|Exception)\b(?: \[\w+\])?:|\bAssertionError\b|\berror TS\d+|^error(?:\[E\d+\])?:|:\d+: (?:fatal )?error\b/,
  // errors
  /\b\w*(?:Error|Exception)\b|\berror\b|\bERR(?:OR)?\b|\bfail(?:ed|ure|s|ing)?\b|\bunhandled\b|\buncaught\b|\bdenied\b|\bnot found\b|[Nn]o such file|[Cc]annot |[Cc]an't |\bundefined reference\b|^E {2,}/i,
  // where and what: compilers' file:line, stack tops, assertion diffs
  /(?:^|[\s("'[])[\w@./\\-]+\.[A-Za-z]\w{0,5}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))|^\s+at\s\S|^\s*File ".*", line \d+|^\s*[-+]\s*(?:expected|actual|received)\b|^\s*(?:expected|received|actual)\b/i,
  /warn(?:ing)?s?\b|\bdeprecat/i,
];

/** Lines of a diff count as details where an error stands a few lines above. */
const DETAILS = 2;
const DIFF_LINE = /^\s*[-+]\s/;
const DIFF_REACH = 12;

const STACK_FRAME = /^\s+at\s|^\s*File ".*", line \d+/;

/** undefined: not notable; 0 is the weightiest. */
export function lineRank(text: string): number | undefined {
  // Most lines match nothing: what they are excused by need not be looked for.
  if (firstRank(text) < 0 || PASSED.test(text)) return undefined;
  const rank = firstRank(text.replace(NOTHING_WRONG, ""));
  return rank < 0 ? undefined : rank;
}

const firstRank = (text: string) => RANKS.findIndex(pattern => pattern.test(text));

const MAX_KINDS = 100;

class Rank {
  count = 0;
  /** the first line of each kind; a kind: lines that are alike but for their numbers */
  readonly firsts = new Map<string, NotableLine>();
  readonly others = new SpreadSample<NotableLine>(80);

  add(line: NotableLine): void {
    this.count += 1;
    const kind = line.text.replace(/0x[0-9a-f]+|\d+/gi, "#").slice(0, 120);
    if (this.firsts.has(kind) || this.firsts.size >= MAX_KINDS) this.others.add(line);
    else this.firsts.set(kind, line);
  }
}

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

export class NotableLines {
  private readonly ranks = RANKS.map(() => new Rank());
  private previous: NotableLine | undefined;
  private inStack = false;
  private lastError = Number.NEGATIVE_INFINITY;

  /** how many there were, shown or not */
  get count(): number {
    return this.ranks.reduce((sum, rank) => sum + rank.count, 0);
  }

  /** Takes every line of the output, in order. */
  add(line: number, text: string): void {
    if (this.previous && text.trim() !== "") this.previous.next = text;
    this.previous = undefined;
    const isFrame = STACK_FRAME.test(text);
    const isBelowTop = isFrame && this.inStack;
    this.inStack = isFrame;
    // Of a stack, its top.
    const rank = isBelowTop ? undefined : (lineRank(text) ?? this.diffRank(line, text));
    if (rank === undefined) return;
    if (rank < DETAILS) this.lastError = line;
    this.previous = { line, text };
    this.ranks[rank]?.add(this.previous);
  }

  private diffRank(line: number, text: string): number | undefined {
    return line - this.lastError <= DIFF_REACH && DIFF_LINE.test(text) ? DETAILS : undefined;
  }

  /** At most `most`, in the order of the output, without those that are shown elsewhere. */
  select(most: number, isShown: (line: number) => boolean): NotableLine[] {
    const chosen: NotableLine[] = [];
    const open = (lines: Iterable<NotableLine>) => [...lines].filter(({ line }) => !isShown(line));
    for (const rank of this.ranks) {
      const room = most - chosen.length;
      const firsts = open(rank.firsts.values());
      const others = open(rank.others.items);
      if (firsts.length > room) {
        chosen.push(...spread([...firsts, ...others].sort(inOrder), room));
        break;
      }
      // Half of what is left, so that the next rank has room too.
      chosen.push(...firsts, ...spread(others, Math.ceil((room - firsts.length) / 2)));
    }
    return chosen.sort(inOrder);
  }
}

const inOrder = (a: NotableLine, b: NotableLine) => a.line - b.line;

/** `most` of the items, evenly spread, the first and the last among them. */
function spread<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most || most <= 1) return items.slice(0, Math.max(0, most));
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)]).filter(item => item !== undefined);
}
