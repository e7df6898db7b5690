/** `@file` in a message (CONTEXT.md, section 9). Pure, and linear in the length of the text. */

import { attachmentKind } from "./attachments";
import { type PlainName, plainName } from "./plainName";

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
 * `@"any path"` (in it `\"` is a quote and `\\` a backslash), or where a path without quotes begins, optionally after `folder:`. No
 * repetition stands in another one that could split it.
 */
const pattern =
  /@(?:"((?:[^"\\\n\r]|\\[^\n\r])+)"|((?:[a-zA-Z0-9_-][a-zA-Z0-9._-]*:(?=[a-zA-Z0-9/._-]|[^\0-\x7f]))?)(?=[a-zA-Z0-9/._-]|[^\0-\x7f]))/gu;

/**
 * All mentions of a text, in order. What they name need not exist: `@/etc/passwd` and `@../x` are mentions too, of something
 * that lies outside. Where a path without quotes could end earlier, the longest is meant: see `shorterReadings`.
 */
export function parseMentions(text: string): Mention[] {
  const mentions: Mention[] = [];
  const search = new RegExp(pattern);
  for (let match = search.exec(text); match; match = search.exec(text)) {
    const [whole, quoted, folder = ""] = match;
    const start = match.index;
    const nameEnd = quoted === undefined ? nameOf(text, start, folder).end : start + whole.length;
    const { length, first, last } = linesAt(text, nameEnd);
    const end = nameEnd + length;
    search.lastIndex = Math.max(end, start + 1);
    if (end - start > LONGEST || !mayBegin(text, start)) continue;
    const mention =
      quoted === undefined
        ? plainMention(text.slice(start + 1, nameEnd), first, last)
        : quotedMention(quoted, first, last);
    if (!mention) continue;
    const { cut, ...named } = mention;
    const ownEnd = cut === undefined ? end : start + cut;
    search.lastIndex = Math.max(ownEnd, search.lastIndex);
    mentions.push({ raw: text.slice(start, ownEnd), ...named, start, end: ownEnd });
  }
  return mentions;
}

/**
 * What a mention without quotes names if nothing is there that it names as a whole, longest first: where words have no blanks
 * between them, `@Makefile的内容` is about `Makefile`, and only what exists can tell.
 */
export function shorterReadings({ raw, start }: Pick<Mention, "raw" | "start">): Mention[] {
  if (raw.startsWith('@"')) return [];
  const folder = /^@([a-zA-Z0-9_-][a-zA-Z0-9._-]*:)/.exec(raw)?.[1] ?? "";
  return nameOf(raw, 0, folder).shorter.flatMap(end => {
    const [mention] = parseMentions(raw.slice(0, end));
    return mention ? [{ ...mention, start, end: start + mention.end }] : [];
  });
}

/** The path without quotes behind the `@` at that offset. @param folder `folder:` where it may be one */
function nameOf(text: string, at: number, folder: string): PlainName {
  const from = at + 1;
  const name = plainName(text, from + folder.length);
  if (folder !== "" && name.end === from + folder.length) return plainName(text, from);
  // `@problems和@changes`
  if (attachmentKind(text.slice(from, name.usual))) return { ...name, end: name.usual, shorter: [] };
  return name;
}

/** `:10` or `:10-40` */
function linesAt(text: string, at: number): { length: number; first?: string; last?: string } {
  const [whole = "", first, last] = /^:(\d{1,9})(?:-(\d{1,9}))?(?!\d)/.exec(text.slice(at, at + 21)) ?? [];
  return { length: whole.length, ...(first ? { first } : {}), ...(last ? { last } : {}) };
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
  if (!/[\p{L}\p{N}_]/u.test(path)) return undefined;
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
