/**
 * Where the comments of a text are, by rules that read one token each: comments, and strings in which a comment's mark means
 * nothing. Every rule reads on to where its token ends or the text does, so the time is linear in the text. Pure.
 */

/** UTF-16 offsets, with the comment's marks. */
export interface CommentRange {
  start: number;
  end: number;
  /** up to the end of its line; else it has an end mark */
  line: boolean;
}

export interface Scan {
  readonly text: string;
  readonly comments: CommentRange[];
  /** the language's rules, which hold for code within its strings too */
  readonly rules: RuleTable;
  /** how many times more the text may be searched for the end of what only may have begun */
  searches: number;
  /** how deep in `${}` of strings */
  depth: number;
}

export interface Rule {
  /** characters that what it reads may begin with */
  first: string;
  /** @returns the end of the token that begins at `at`, or `at` where there is none of this kind */
  read(scan: Scan, at: number): number;
}

/** What closes what was opened. */
export const closingBrackets: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]", "<": ">" };

/** Deeper nesting is nobody's code. */
const DEEPEST = 64;
const SEARCHES = 500;

/** In order, none within another. */
export function scanComments(text: string, rules: readonly Rule[]): CommentRange[] {
  const scan: Scan = { text, comments: [], rules: byFirst(rules), searches: SEARCHES, depth: 0 };
  readCode(scan, 0);
  return scan.comments;
}

type RuleTable = ReadonlyMap<string, readonly Rule[]>;

function byFirst(rules: readonly Rule[]): RuleTable {
  const table = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const char of rule.first) {
      const list = table.get(char);
      if (list) list.push(rule);
      else table.set(char, [rule]);
    }
  }
  return table;
}

/**
 * Reads code from `at` on, to the end of the text or to the closing character that has no opening one.
 * @returns where that stands, or the text's length
 */
export function readCode(scan: Scan, at: number, brackets?: { open: string; close: string }): number {
  const { text } = scan;
  let open = 0;
  let next = at;
  while (next < text.length) {
    const char = text.charAt(next);
    const end = readToken(scan, next, scan.rules.get(char));
    if (end > next) {
      next = end;
      continue;
    }
    if (char === brackets?.open) open++;
    else if (char === brackets?.close && open-- === 0) return next;
    next++;
  }
  return text.length;
}

function readToken(scan: Scan, at: number, rules: readonly Rule[] | undefined): number {
  for (const rule of rules ?? []) {
    const end = rule.read(scan, at);
    if (end > at) return end;
  }
  return at;
}

/** Code within a string, after its opening bracket at `at - 1`. @returns the offset after the closing bracket */
export function readInserted(scan: Scan, at: number, open = "{", close = "}"): number {
  if (scan.depth >= DEEPEST) return at;
  scan.depth++;
  const end = readCode(scan, at, { open, close });
  scan.depth--;
  return Math.min(scan.text.length, end + 1);
}

/** The offset of the line end at or after that offset (of `\r\n` the `\r`), or the text's length. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  const line = end < 0 ? text.length : end;
  return line > at && text[line - 1] === "\r" ? line - 1 : line;
}

/** Whether only blanks stand before that offset in its line. */
export function atLineStart(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text[before] === " " || text[before] === "\t")) before--;
  return before < 0 || text[before] === "\n" || text[before] === "\r";
}

/** Whether that offset is the first of its line. */
export function atColumnZero(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n" || text[at - 1] === "\r";
}

/** The offset after the next `mark`, or the text's length. */
export function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
