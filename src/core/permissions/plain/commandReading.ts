/**
 * What a command would do, as far as its text tells: every program that it starts, whether it only reads, and the files that it
 * names. What the strict language (line.ts) does not have is one part that acts, with all its words as what it may start or touch.
 * Pure; `core/permissions/policy.ts` decides.
 */
import { t } from "../../../shared/l10n";
import { fileName, joinPath } from "../../../shared/paths";
import { type LinePart, type LineWord, NAME, OPEN, readLine, reserved } from "./line";
import { isProgram, plainName, riskyOptions } from "./programKinds";
import { readProgram } from "./programs";

export interface CommandReading {
  parts: readonly CommandPart[];
  /** why it always asks: it is unknown what runs */
  problems: readonly string[];
  /** Not read: its text without quotes and escapes, in which every word may be what it starts. */
  unread?: string;
}

/** A program of the command with its words. */
export interface CommandFact {
  /** as rules match it: words with one blank between them */
  text: string;
  words: readonly string[];
  /** as a person wrote it */
  shown: string;
  /** `wraps`: it only starts another one, or changes the shell's folder */
  effect: "reads" | "acts" | "wraps";
  /** some of its words are patterns */
  isOpen?: true;
  /** why it is not known to only read */
  why?: string;
  /** The options for which it is asked about, but where a rule names each of them; absent: none. */
  risky?: readonly string[];
  /** `text` with patterns as unknown words, for rules that forbid; absent: it has none */
  globbed?: string;
  /** `text` as seen from the workspace, for rules that allow: `./x` in another folder has that folder in it */
  placed?: string;
  /** texts that it is given to read: a program that is not known may run them */
  given?: readonly string[];
  /** Some of its words are a program that it starts: all of them, without quotes and escapes. */
  starts?: string;
  /** where it may run: absolute, '/' */
  folders?: readonly string[];
}

export interface CommandPart extends CommandFact {
  /** patterns that may stand for an option */
  globs?: readonly string[];
  files: readonly FileUse[];
  folders: readonly string[];
}

/** A file that a part names. */
export interface FileUse {
  shown: string;
  writes: boolean;
  /** the program changes what it is given, or puts something in its place */
  changes?: true;
  /** its content is shown, or that of a folder's files */
  content?: true;
  /** the content of all of a folder's files is shown, dot files too */
  all?: true;
  /** it is a path, also where nothing is there */
  isSure?: true;
  /** Git shows it, which shows nothing of its own folder */
  byGit?: true;
  /** seen from the top of the Git repository that `paths`, which are folders then, are in */
  fromTop?: string;
  /** where it may be: absolute, '/' separators, or `~/…`; undefined: only known when it runs */
  paths: readonly string[] | undefined;
  /** the content of matching files is shown: absolute patterns as the shell takes them. `paths` is then the folder of them all */
  patterns?: readonly string[];
}

const MAX_FOLDERS = 4;
/** The shell's own words, which do something to its course alone. */
const changeNothing = new Set(": exit true false".split(" "));

/** @param cwd absolute, '/' separators */
export function readCommand(command: string, cwd: string): CommandReading {
  const line = readLine(command);
  if ("why" in line) return unread(command, cwd, line.why);
  const parts: CommandPart[] = [];
  let folders: readonly string[] = [cwd];
  let seen = folders;
  for (const [at, part] of line.entries()) {
    if (part.joint === ";" || part.joint === "||") folders = seen;
    const isPiped = part.joint === "|" || line[at + 1]?.joint === "|";
    const read = partsOf(part, isPiped, folders);
    if (typeof read === "string") return unread(command, cwd, read);
    const given = isPiped ? printedAround(line, at) : [];
    parts.push(...read.map(each => ({ ...each, ...(given.length > 0 && { given }) })));
    const [program, to] = part.words;
    if (program?.value !== "cd" || to === undefined) continue;
    folders = folders.map(folder => joinPath(folder, to.value));
    seen = [...new Set([...seen, ...folders])];
    if (seen.length > MAX_FOLDERS)
      return unread(command, cwd, t("changes to a folder that is only known when it runs"));
  }
  return { parts, problems: [] };
}

/** What the programs of its pipeline print of their own words. */
function printedAround(line: readonly LinePart[], at: number): string[] {
  let first = at;
  while (line[first]?.joint === "|") first -= 1;
  let last = at;
  while (line[last + 1]?.joint === "|") last += 1;
  return line
    .slice(first, last + 1)
    .flatMap(({ words: [program, ...words] }) =>
      /^(?:echo|printf)$/.test(program?.value ?? "") ? [words.map(({ value }) => value).join(" ")] : [],
    );
}

/** @returns why it is not read */
function partsOf(part: LinePart, isPiped: boolean, folders: readonly string[]): CommandPart[] | string {
  const redirects = part.redirects.map(({ target, writes }) => fileUse(target, folders, writes));
  const found: CommandPart[] = [];
  let words: readonly LineWord[] = part.words;
  for (let own = prefix(words); own > 0; own = prefix(words)) {
    found.push({ ...named(words), effect: "wraps", files: [], folders });
    words = words.slice(own);
  }
  const why = whyUnread(words, isPiped);
  if (why !== undefined) return why;
  const isCd = words[0]?.value === "cd";
  if (found.length > 0 && (isCd || reserved.has(words[0]?.text ?? ""))) return t("has a part that cannot be read");
  const read = isCd ? { ...named(words), effect: "wraps" as const, files: [], folders } : partOf(words, folders);
  return [...found, { ...read, files: [...read.files, ...redirects] }];
}

/** Words before the program that it starts: `timeout 60 npm test`. */
function prefix([first, second]: readonly LineWord[]): number {
  if (first?.value === "timeout" && /^\d+(?:\.\d+)?[smhd]?$/.test(second?.value ?? "")) return 2;
  return /^(?:time|nohup|nice)$/.test(first?.value ?? "") && second !== undefined ? 1 : 0;
}

/** They only read, unless one of their words is an option that starts another program. */
const lets = new Set("find rg fd fdfind sort tar man sed awk gawk mawk node".split(" "));

function whyUnread([first, ...words]: readonly LineWord[], isPiped: boolean): string | undefined {
  const value = first?.value ?? "";
  const name = plainName(value);
  if (value === "" || /\s/.test(value) || first?.isGlob || /^[A-Za-z_]\w*\+?=/.test(value) || value.startsWith("-"))
    return t("starts `{0}`, which is only known when it runs", first?.text ?? "");
  const has = (option: RegExp) => words.some(word => option.test(word.value));
  if (name === "cd") {
    const [to] = words;
    const isPlain = words.length === 1 && to !== undefined && !to.isGlob && /^[^-~+]/.test(to.value);
    return isPlain && !isPiped && value === "cd" ? undefined : t("changes to a folder that is only known when it runs");
  }
  const isQuery = name === "command" && /^-[vV]$/.test(words[0]?.value ?? "");
  if (isProgram("unsettles", name) && !isQuery) return t("`{0}` may change what runs", name);
  if (isProgram("wraps", name) && !isQuery) return t("`{0}` starts another program", name);
  if (name === "find" && has(/^-(?:exec|ok)(?:dir)?$/)) return t("`{0}` starts another program", name);
  if (isProgram("shell", name) && !/^[^-+]/.test(words[0]?.value ?? "")) return t("starts a shell");
  if (/^(?:test|\[)$/.test(name) && has(/^-(?:[vR]|eq|ne|lt|le|gt|ge)$/) && has(/[[`$]/)) return t("computes an index");
  if (/^(?:test|\[)$/.test(name) && has(/^-[vR]$/)) return t("computes an index");
  if (name === "printf" && /^-v/.test(words[0]?.value ?? "")) return t("`{0}` may change what runs", name);
  if (!lets.has(name) && !(name === "git" && has(/^grep$/))) return undefined;
  const behind = name === "find" ? -1 : words.findIndex(word => word.value === "--");
  const open = words
    .slice(0, behind < 0 ? undefined : behind)
    .find((word, at) => word.isGlob && /^[-*?[]/.test(word.value) && !(name === "find" && isFindValue(words[at - 1])));
  return open && t("gives `{0}` words that are only known when it runs, and may start something", name);
}

const isFindValue = (word: LineWord | undefined) =>
  /^-(?:i?name|i?path|i?regex|wholename|type|newer|mtime|mmin|size|maxdepth|mindepth)$/.test(word?.value ?? "");

function named(words: readonly LineWord[]) {
  const values = words.map(({ value }) => value);
  const globbed = words.map(({ value, isGlob }) => (isGlob ? openGlob(value) : value)).join(" ");
  const behind = values.indexOf("--");
  const globs = words
    .slice(0, behind < 0 ? undefined : behind)
    .flatMap(({ value, isGlob }) => (isGlob && /^[-*?[]/.test(value) ? [value] : []));
  return {
    ...{ text: values.join(" "), shown: words.map(({ text }) => text).join(" "), words: values },
    ...(words.some(({ isGlob }) => isGlob) && { globbed, isOpen: true as const }),
    ...(globs.length > 0 && { globs }),
  };
}

/** Any file that it may match. */
const openGlob = (pattern: string) =>
  `${/^[*?[]/.test(pattern) ? NAME : ""}${pattern.replace(/\[[^\]]{0,255}\]|[*?[]/g, OPEN)}`;

function partOf(words: readonly LineWord[], folders: readonly string[]): CommandPart {
  const [first] = words;
  const name = plainName(first?.value ?? "");
  const start = { ...named(words), folders };
  if (changeNothing.has(first?.value ?? "")) return { ...start, effect: "wraps", files: [] };
  const known = words.map(({ value }) => value);
  const isTest = known[0] === "[" && known.at(-1) === "]";
  const reading = readProgram(isTest ? ["test", ...known.slice(1, -1)] : known, false);
  if (!("why" in reading)) {
    const written = new Map(words.map(word => [word.value, word]));
    for (const word of words) if (word.isGlob) written.set(word.value, word);
    const files = reading.files.map(({ path, shows, fromTopOf }) => ({
      ...(fromTopOf === undefined
        ? fileUse(written.get(path) ?? { text: path, value: path }, folders, false)
        : { shown: path, writes: false, paths: placed(fromTopOf, folders), fromTop: path }),
      ...(shows !== "names" && { content: true as const }),
      ...(shows === "tree" && { all: true as const }),
      ...(reading.git && { byGit: reading.git }),
    }));
    return { ...start, effect: "reads", files };
  }
  const isShell = isProgram("shell", name);
  const starting = isShell ? known.slice(1, 2) : riskyOptions(known);
  const [starts] = starting;
  const why = isShell
    ? t("runs the script {0}, whatever it does", known[1] ?? "")
    : starts === undefined
      ? reading.why
      : t("`{0} {1}` may write or start something", fileName(first?.value ?? ""), starts);
  const risky = [...new Set([...starting, ...(name === "git" || isShell ? [] : unknownTo(known))])];
  const changes = isProgram("changes", name) && { changes: true as const };
  return {
    ...start,
    effect: "acts",
    why,
    ...(risky.length > 0 && { risky }),
    ...((isProgram("starts", name) || isProgram("elsewhere", name)) && { starts: plainText(known.slice(1).join(" ")) }),
    files: words.slice(1).flatMap(word => argumentFiles(word, folders).map(file => ({ ...file, ...changes }))),
  };
}

/** What keeps a program that otherwise only reads from being known to: behind one option there may be another one. */
function unknownTo(words: readonly string[]): string[] {
  const found: string[] = [];
  for (let left = [...words]; found.length < MAX_UNKNOWN; ) {
    const reading = readProgram(left, false);
    if (!("why" in reading) || reading.unknown === undefined) break;
    const { unknown } = reading;
    const at = left.findIndex(word => word === unknown || word.startsWith(`${unknown}=`));
    found.push(unknown);
    if (at < 0) break;
    left = left.filter((_, index) => index !== at);
  }
  return found;
}
const MAX_UNKNOWN = 20;

// ---------------------------------------------------------------- unread commands

/** Letters as `$'\x72m'` has them. */
const code = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3}))/gi;
const plainText = (command: string) =>
  command
    .replace(/\\\n/g, "")
    .replace(/\$'((?:[^'\\]|\\.)*)'/gs, (_, text: string) =>
      text.replace(code, (__, ...digits: (string | undefined)[]) => {
        const [hex, octal] = [digits.slice(0, 3).find(each => each !== undefined), digits[3]];
        const point = hex === undefined ? Number.parseInt(octal ?? "0", 8) : Number.parseInt(hex, 16);
        return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
      }),
    )
    .replace(/\$(?=['"])/g, "")
    .replace(/['"\\]/g, "");

const MAX_WORDS = 600;
const nothing = /^\/dev\/(?:null|stdin|stdout|stderr)$/;

function unread(command: string, cwd: string, why: string): CommandReading {
  const text = plainText(command);
  const places = text.replace(/\$\{?HOME\b\}?/g, "~").replace(/\$\{?PWD\b\}?/g, cwd);
  const split = (of: string) => of.split(/[ \t\n\r;&|()<>`{}]+/);
  const quoted = [...command.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? "");
  const named = [...split(places), ...split(command), ...quoted].filter(word => !nothing.test(word));
  const words = [...new Set(named)].slice(0, MAX_WORDS);
  const folders = [cwd];
  for (const [, to = ""] of places.matchAll(/(?:\b(?:cd|pushd)|\s-C)\s+(?:--\s+|-[LP]\s+)?([^\s;&|()<>]+)/g))
    if (folders.length < MAX_FOLDERS * 2)
      folders.push(...folders.map(folder => joinPath(folder, to)).slice(0, MAX_FOLDERS));
  const changes = words.some(word => isProgram("changes", plainName(word)));
  const files = words.flatMap(word => {
    const uses = argumentFiles({ text: word, value: word }, folders);
    const isSure = /[/~]/.test(word) && { isSure: true as const };
    return [
      ...uses.map(file => ({ ...file, ...isSure })),
      ...(changes ? uses.map(file => ({ ...file, changes: true as const })) : []),
    ];
  });
  const redirected = />{1,2}[|&]?[ \t]*(?!&|\/dev\/(?:null|stdout|stderr)(?=[\s;&|)]|$))([^ \t\n\r;&|()<>`]+)/g;
  const written = [places, command].flatMap(of => [...of.matchAll(redirected)].map(([, path = ""]) => path));
  const writes = written
    .filter(path => !/^\d+$/.test(path))
    .map(path => fileUse({ text: path, value: path }, folders, true));
  const shown = command.replace(/\s+/g, " ").trim();
  const one = { text: shown, shown, words, why, folders };
  return { parts: [{ ...one, effect: "acts", files: [...files, ...writes] }], problems: [why], unread: text };
}

// ---------------------------------------------------------------- files

/** Words of a program that is not known, which may be files: those that are there are looked at. */
function argumentFiles({ text, value, isGlob }: LineWord, folders: readonly string[]): FileUse[] {
  if (value === "" || /[\n\r]/.test(value) || value.length > 1000) return [];
  return namedIn(value).map(path =>
    fileUse({ text, value: path, ...(isGlob && hidesName(path) && { isGlob }) }, folders, false),
  );
}

/** A pattern that finds files of which the name alone says that they are protected. */
const hidesName = (pattern: string) =>
  /(?:^|\/)\.[^/]*[*?[]/.test(pattern) ||
  (/[*?[]/.test(fileName(pattern)) && /\.(?:env|pem|key|p12|pfx|jks|ppk)$/i.test(pattern));

/** `of=x`, `--out=x`, `-ox`, `@x`, `host:x`, `file:///x`: the paths that a word may hold. */
function namedIn(value: string): string[] {
  const url = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(value)?.[1];
  if (url !== undefined) return [url];
  if (/^[a-z][\w+.-]+:\/\//i.test(value)) return [];
  const joined = /^-[A-Za-z](?=[\w./~])/.test(value) ? [value.slice(2)] : [];
  const after = [...value.matchAll(/[=@:,]/g)].slice(0, 8).map(({ index }) => value.slice(index + 1));
  return [value, ...joined, ...after].filter(each => each !== "" && !each.startsWith("-"));
}

function fileUse(word: LineWord, folders: readonly string[], writes: boolean): FileUse {
  const { value, text: shown } = word;
  if (value === "-" && !writes) return { shown, writes, paths: [] };
  if (value === "" || (word.isGlob && mayBeProtected(value))) return { shown, writes, paths: undefined };
  if (!word.isGlob) return { shown, writes, paths: placed(value, folders) };
  // Quoted parts are no pattern, but are not told apart here.
  if (/["'\\$]/.test(shown)) return { shown, writes, paths: undefined };
  const folder = value.slice(0, value.lastIndexOf("/", value.search(/[*?[]/)) + 1) || ".";
  return { shown, writes, paths: placed(folder, folders), patterns: placed(value, folders) };
}

function placed(path: string, folders: readonly string[]): string[] {
  if (path.startsWith("/") || path === "~" || path.startsWith("~/")) return [inFolder("/", path)];
  return folders.map(folder => inFolder(folder, path));
}

/** The part before `..` may be a link, which the disk resolves. */
function inFolder(folder: string, path: string): string {
  if (!/(?:^|\/)\.\.(?:\/|$)/.test(path)) return joinPath(folder, path);
  return path.startsWith("/") || path.startsWith("~") ? path : `${folder}/${path}`;
}

/** Without an ending of its own, or beginning with a dot, a pattern may name a key or an `.env` file. */
function mayBeProtected(pattern: string): boolean {
  const names = pattern.split("/");
  const last = names.at(-1) ?? "";
  return (
    names.some(name => name.startsWith(".") && name !== "." && name !== ".." && /[*?[]/.test(name)) ||
    !/\.[a-z]{1,5}$/i.test(last) ||
    /\.(?:env|pem|key|p12|pfx|jks|ppk)$/i.test(last)
  );
}
