/**
 * `@file` in a message (docs/context.md). Pure, and linear in the length of the text.
 * A path without quotes is read as long as it goes; where that is not sure, what exists decides, longest first.
 */
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

/** No file system has longer paths, and none longer names. */
const MAX_PATH = 4096;
const MAX_NAME = 255;

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
    if (end - start > MAX_PATH || !mayBegin(text, start)) continue;
    const mention =
      quoted === undefined
        ? plainMention(text.slice(start + 1, nameEnd), first, last)
        : quotedMention(quoted, first, last);
    if (!mention || (joinsWords(characterBefore(text, start)) && !isPlain(mention, quoted !== undefined))) continue;
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
export function shorterReadings({ raw, start }: Mention): Mention[] {
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
  const address = folder === "" ? undefined : addressEnd(text, from + folder.length);
  if (address !== undefined) return { end: address, usual: address, shorter: [] };
  const name = plainName(text, from + folder.length);
  if (folder !== "" && name.end === from + folder.length) return plainName(text, from);
  // `@problems和@changes`
  if (attachmentKind(text.slice(from, name.usual))) return { ...name, end: name.usual, shorter: [] };
  return name;
}

/** `server:demo://notes/1`: a resource, no file */
export const isAddress = (path: string): boolean => /^[^:/]+:[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** `server:demo://notes/1`, the address of a resource: up to a blank, or to what no address has. @returns undefined: none */
function addressEnd(text: string, at: number): number | undefined {
  const [found] = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'`<>()[\]{}|\\^]+/i.exec(text.slice(at, at + MAX_PATH)) ?? [];
  return found === undefined ? undefined : at + found.length;
}

/** `:10` or `:10-40` */
function linesAt(text: string, at: number): { length: number; first?: string; last?: string } {
  const [whole = "", first, last] = /^:(\d{1,9})(?:-(\d{1,9}))?(?!\d)/.exec(text.slice(at, at + 21)) ?? [];
  return { length: whole.length, ...(first ? { first } : {}), ...(last ? { last } : {}) };
}

/**
 * Whether an `@` at that offset may begin a mention: not in the middle of a word (`me@example.com`), of a path or an
 * address (`node_modules/@types`, `https://example.com/@joe`), not as the second of `@@`, and not as `\@`, by which people say so.
 * Scripts without blanks between words have it right behind one: `修改@src/a.ts`.
 */
export function mayBegin(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  if (before === "/") return !/[\p{L}\p{N}_.)-]/u.test(characterBefore(text, at - 1));
  return before !== "@" && before !== "\\" && (joinsWords(before) || !/[\p{L}\p{N}]/u.test(before));
}

/** Nothing but a mention looks so, also within a word: `名@a` may be anybody. */
const isPlain = ({ path, range }: MentionPart, isQuotedPath: boolean) =>
  isQuotedPath || range !== undefined || /[/.:]/.test(path) || attachmentKind(path) !== undefined;

/** What stands between the quotes of a mention as it is written. */
export const unquote = (quoted: string): string => quoted.replace(/\\(["\\])/g, "$1");

interface MentionPart {
  path: string;
  range?: LineRange;
  /** how much of what matched belongs to the mention, where that is not all */
  cut?: number;
}

function quotedMention(quoted: string, first: string | undefined, last: string | undefined): MentionPart | undefined {
  const path = unquote(quoted);
  return /[^\s./]/.test(path) ? { path, ...lines(first, last) } : undefined;
}

function plainMention(plain: string, first: string | undefined, last: string | undefined): MentionPart | undefined {
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

function lines(first: string | undefined, last: string | undefined): { range?: LineRange } {
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

interface PlainName {
  /** behind its last character; a sentence's punctuation may still be at its end */
  end: number;
  /** of its first character that is no ASCII letter or digit nor one of `/._-`; `end`, where there is none */
  usual: number;
  /** Where it ends if the whole is not there, longest first: `@Makefile的内容` may name `Makefile` */
  shorter: readonly number[];
}

const closing = new Map([..."()[]{}"].flatMap((char, at, all) => (at % 2 ? [] : [[char, all[at + 1] ?? ""]])));
/** Names have these beside letters and digits: `+page.svelte`, `$id.tsx`, `c++`, `year=2024`. */
const SPECIAL = "+$~%=&#";

/**
 * Letters of any script belong to a name, brackets that are closed in it where a `/` stands before (`app/(group)/[id].tsx`), and
 * what `SPECIAL` has where the name goes on behind it. But once a part has a file's ending, only a usual character or `/` goes on:
 * who writes Chinese puts no blank behind `src/a.ts`.
 */
function plainName(text: string, from: number): PlainName {
  const unusual: number[] = [];
  let [at, part] = [from, from];
  while (at < from + MAX_PATH) {
    const char = text.charAt(at);
    if (isUsual(char)) {
      at += 1;
      if (char === "/") part = at;
      continue;
    }
    const end = unusualEnd(text, at, part, from);
    if (end === at) break;
    unusual.push(at);
    at = end;
  }
  // A word of another script alone is a person's name, or the sentence.
  if (unusual[0] === from && !/\/|\.[a-zA-Z0-9]+$/.test(text.slice(from, at).replace(/(?<![.-])[.-]+$/, "")))
    return { end: from, usual: from, shorter: [] };
  const shorter = unusual.filter(cut => mayEndAt(text, cut, at)).reverse();
  return { end: at, usual: unusual[0] ?? at, shorter };
}

/** @param part where the part of the path begins that stands around `at` @returns `at`: it ends the path */
function unusualEnd(text: string, at: number, part: number, from: number): number {
  if (isWhole(text.slice(Math.max(part, at - 12), at)) || isLine(text, from, at)) return at;
  const char = characterAt(text, at);
  if (isOtherLetter(char)) return endOf(text, at, isOtherLetter);
  if (closing.has(char)) return part > from ? groupEnd(text, at) : at;
  // A folder `@modal`, which some frameworks have.
  if (char === "@") return at === part && part > from && /\p{L}/u.test(characterAt(text, at + 1)) ? at + 1 : at;
  if (!SPECIAL.includes(char) || (at === from && part === from)) return at;
  const end = endOf(text, at, each => SPECIAL.includes(each));
  return /^(?:[\p{L}\p{N}_([{/]|\.[\p{L}\p{N}])/u.test(text.slice(end, end + 3)) ? end : at;
}

/** `a.ts` */
const isWhole = (name: string) => fileEndings.has(/[^.]\.([a-zA-Z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");

/** `10` of `@a.ts:10行` */
const isLine = (text: string, from: number, at: number): boolean =>
  text.charAt(from - 1) === ":" && /^\d{1,9}(?:-\d{1,9})?$/.test(text.slice(from, Math.min(at, from + 20)));

/** Never a folder whose file was written: in `src/(group)` or `docs/说明.md`, what stands behind the `/` is no sentence. */
function mayEndAt(text: string, at: number, end: number): boolean {
  const char = characterAt(text, at);
  const isInPart = !"/:".includes(text.charAt(at - 1));
  if (isInPart && joinsWords(char)) return true;
  return (isInPart ? !isOtherLetter(char) : joinsWords(char)) && !/[./]/.test(text.slice(at, end));
}

/** Behind the bracket that closes the one at `at`. @returns `at`: none does, or nothing stands in them */
function groupEnd(text: string, at: number): number {
  const open: string[] = [];
  for (let end = at; end < Math.min(text.length, at + MAX_NAME); ) {
    const char = characterAt(text, end);
    const closes = closing.get(char);
    if (closes !== undefined) open.push(closes);
    else if (char === open.at(-1)) {
      open.pop();
      if (open.length === 0) return end > at + 1 ? end + 1 : at;
    } else if (char === "/" || !(isUsual(char) || isOtherLetter(char) || `${SPECIAL},`.includes(char))) return at;
    end += char.length;
  }
  return at;
}

function endOf(text: string, at: number, belongs: (char: string) => boolean): number {
  let end = at;
  for (let char = characterAt(text, end); char !== "" && belongs(char); char = characterAt(text, end))
    end += char.length;
  return end;
}

const isUsual = (char: string) => /^[a-zA-Z0-9/._-]$/.test(char);

const isOtherLetter = (char: string) =>
  char > "\u007f" && /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u200c\u200d]$/u.test(char);

/** Of scripts that have no blanks between words, or put endings on them as Korean does: it may be the sentence that goes on. */
const joinsWords = (char: string) =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]$/u.test(
    char,
  ) && char > "\u007f";

/** One code point: a letter may take two units. "" at the end */
function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** Endings that files have; without a folder before it, `@pytest.fixture` is no file and `@setup.py` is one. */
const fileEndings = new Set(
  (
    "astro bash bat bib bicep c cc cfg cjs clj cljs cmake cmd conf config cpp cs csproj css csv cts cu cxx dart diff doc docx " +
    "edn ejs elm env erl ex exs fish fs fsx gif go gql gradle graphql groovy h hbs hcl hh hpp hrl hs html hxx ico ini ipynb " +
    "java jl jpeg jpg js json json5 jsonc jsonl jsx kt kts less lock log lua m md mdc mdx mjs mk ml mli mm mts nix pas patch pdf php " +
    "pl plist png pm po prisma properties proto ps1 psd1 psm1 pug py pyi pyx r rake rb razor rkt rmd rs rst sass sbt scala scm " +
    "scss sh sln snap sol sql sty svelte svg swift tcl tex tf tfvars toml tpl ts tsx tsv txt vb vue wasm webp xaml xml yaml yml zig zsh"
  ).split(" "),
);

/** A word alone (`@param`, `@Injectable`, `@todo`) names no file in a comment; a path, an ending or quotes do. */
export const namesFile = (text: string, mention: Mention): boolean =>
  isQuoted(text, mention) || /[/.:]/.test(mention.path) || mention.range !== undefined;

/** `@param` at the beginning of a line of a doc comment: its language completes that. @param line up to the cursor */
export const isDocTag = (line: string): boolean => /^\s*(?:\/\*\*|\*)\s*@[a-zA-Z]*$/.test(line);

/** Certainly something else: `@angular/core@17`, `@Get(`, `@app.route(`, an address with more after it. */
export function looksOtherwise(text: string, mention: Mention): boolean {
  if (isQuoted(text, mention)) return false;
  const next = text.charAt(mention.end);
  return next === "@" || (next === "(" && !mention.path.includes("/"));
}

/** Whether nothing but a mention looks like that: its file, where it is missing, is a mistake. */
export function certain(text: string, mention: Mention, where: "prompt" | "prose"): boolean {
  const { path, start, end } = mention;
  if (isAddress(path)) return false;
  const [before, next] = [text.charAt(start - 1), text.charAt(end)];
  // A string of code; a pattern.
  if (/['"`]/.test(before) || (next === "*" && path.endsWith("/"))) return false;
  if (where === "prose" && looksLikeCode(text, mention)) return false;
  if (isQuoted(text, mention) || path.endsWith("/")) return true;
  if (next === "(") return false;
  const ending = endingOf(path);
  if (ending === undefined) return mention.range !== undefined && path.includes("/");
  if (fileEndings.has(ending) && !/^types\//.test(path)) return true;
  return path.includes("/") && /^[a-z][a-z0-9]*$/.test(ending) && path.split("/").length > 2;
}

/** Strings (`@"C:\temp"`), scopes (`@babel/`), aliases (`@/a.vue`), packages (`@three.js`), sizes of pictures (`@2x.png`). */
function looksLikeCode(text: string, mention: Mention): boolean {
  const { path } = mention;
  if (isQuoted(text, mention))
    return path.includes("\\") || !(path.endsWith("/") || fileEndings.has(endingOf(path) ?? ""));
  return /^[^/:]+\/$|^\/|^\d+x\.|^[a-z][a-z0-9-]*\.js$/.test(path);
}

const endingOf = (path: string): string | undefined => /[^/]\.([a-zA-Z0-9]{1,10})$/.exec(path)?.[1];

const isQuoted = (text: string, mention: Mention): boolean => text.charAt(mention.start + 1) === '"';

// Attachments.

/**
 * What can be mentioned beside files, by name, in the order in which completion offers it: its content goes out with the message
 * (docs/context.md). Where it is read: the port `Attachments`; what it becomes: core/mentions/attachments/attach.ts.
 */
export const attachments = {
  problems: { title: "Problems", icon: "pulse" },
  selection: { title: "Selection", icon: "list-selection" },
  changes: { title: "Changes", icon: "diff" },
  terminal: { title: "Terminal", icon: "terminal" },
} as const;
export type AttachmentKind = keyof typeof attachments;

export const attachmentNames = Object.keys(attachments) as readonly AttachmentKind[];

/** How an attachment is called: `@problems`, `@server:uri`; a server's prompt `/server:prompt`. @param name as its record has it */
export const attachedAs = (name: string): string => (name.startsWith("/") ? name : `@${name}`);

/** `@problems` and the like. @param path of a mention, as `parseMentions` gives it */
export const attachmentKind = (path: string): AttachmentKind | undefined => attachmentNames.find(name => name === path);
