/** `@file` in a message (CONTEXT.md, section 9). Pure, and linear in the length of the text. */

export interface LineRange {
  /** 1-based, inclusive */
  first: number;
  last: number;
}

export interface Mention {
  /** as it stands in the text, with `@` */
  raw: string;
  /** what is named: `src/a.ts`, `src/`, `folder:src/a.ts`, without quotes and range */
  path: string;
  /** 1-based lines, inclusive */
  range?: LineRange;
  /** UTF-16 offsets of `raw` */
  start: number;
  end: number;
}

/** No file system has longer paths. */
const LONGEST = 4096;

/**
 * `@"any path"` (in it `\"` is a quote and `\\` a backslash) or `@path`, the path optionally after `folder:`; then optionally
 * `:10` or `:10-40`. No two of its alternatives begin alike and no repetition stands in another one that could split it.
 */
const pattern =
  /@(?:"((?:[^"\\\n\r]|\\[^\n\r])+)"|((?:[a-zA-Z0-9_-][a-zA-Z0-9._-]*:(?=[a-zA-Z0-9/._-]))?[a-zA-Z0-9/._-]+))(?::(\d{1,9})(?:-(\d{1,9}))?(?!\d))?/g;

/**
 * All mentions of a text, in order. What they name need not exist: `@/etc/passwd` and `@../x` are mentions too, of something
 * that lies outside.
 */
export function parseMentions(text: string): Mention[] {
  const mentions: Mention[] = [];
  for (const match of text.matchAll(pattern)) {
    if (match[0].length > LONGEST || !mayBegin(text, match.index)) continue;
    const [whole, quoted, plain, first, last] = match;
    const mention = quoted === undefined ? plainMention(plain ?? "", first, last) : quotedMention(quoted, first, last);
    if (!mention) continue;
    const { cut, ...named } = mention;
    const end = match.index + (cut ?? whole.length);
    mentions.push({ raw: text.slice(match.index, end), ...named, start: match.index, end });
  }
  return mentions;
}

/**
 * Whether an `@` at that offset may begin a mention: not in the middle of a word (`me@example.com`, `名@a`), of a path or an
 * address (`node_modules/@types`, `https://example.com/@joe`), and not as the second of `@@`.
 */
export function mayBegin(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  if (before === "/" || before === "\\") return !/[\p{L}\p{N}_.)-]/u.test(characterBefore(text, at - 1));
  return before !== "@" && !/[\p{L}\p{N}]/u.test(before);
}

/** What stands between the quotes of a mention as it is written. */
export function unquote(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, "$1");
}

type Named = Pick<Mention, "path" | "range"> & {
  /** how much of what matched belongs to the mention, where that is not all */
  cut?: number;
};

function quotedMention(quoted: string, first: string | undefined, last: string | undefined): Named | undefined {
  const path = unquote(quoted);
  return /[^\s./]/.test(path) ? { path, ...lines(first, last) } : undefined;
}

function plainMention(plain: string, first: string | undefined, last: string | undefined): Named | undefined {
  const sentence = first === undefined ? withoutPunctuation(plain) : plain;
  // `@src/a.ts:12` reads `src/a.ts` and a line, `@app:12` a file named so in a folder or a line: digits are lines.
  const folderLine = first === undefined ? /^([^:]+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(sentence) : null;
  const whole = folderLine?.[1] ?? sentence;
  const path = withoutPunctuation(whole);
  if (!/[a-zA-Z0-9_]/.test(path)) return undefined;
  if (path.length < whole.length) return { path, cut: 1 + path.length };
  const cut = sentence.length < plain.length ? { cut: 1 + sentence.length } : {};
  return { path, ...(folderLine ? lines(folderLine[2], folderLine[3]) : lines(first, last)), ...cut };
}

function lines(first: string | undefined, last: string | undefined): Pick<Mention, "range"> {
  if (first === undefined) return {};
  const from = Math.max(1, Number(first));
  return { range: { first: from, last: Math.max(from, Number(last ?? first)) } };
}

/** `@src/a.ts.` at the end of a sentence names `src/a.ts`. */
function withoutPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && ".,;:!?-".includes(path.charAt(end - 1))) end--;
  return path.slice(0, end);
}

/** One code point: a letter may take two units. */
function characterBefore(text: string, at: number): string {
  if (at <= 0) return "";
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.charAt(at - 1);
}
