/**
 * What a command would do, as far as its text tells: every program that it starts, wrappers looked through, whether it only
 * reads, and the files that it names. Pure; `core/permissions/policy.ts` decides.
 */
import { judge } from "./judge";
import { OPEN } from "./open";
import { type Folders, joinPath, readScript, type ShellScript, type SimpleCommand } from "./script";
import type { ShellWord } from "./words";
import { ends, unwrap } from "./wrappers";

export interface CommandReading {
  parts: readonly CommandPart[];
  /** Why it cannot be told what runs, or that it changes what runs: parts of sentences, "defines ls, …". Asked whatever rules say. */
  problems: readonly string[];
}

export interface CommandPart {
  /** the words with one blank between them, as rules match them; OPEN for each that is only known when it runs */
  text: string;
  /** as a person reads it */
  shown: string;
  /** undefined: only known when it runs */
  words: readonly (string | undefined)[];
  /** `wraps`: it only starts another part */
  effect: "reads" | "acts" | "wraps";
  /** why it is not known to only read */
  why?: string;
  /** an option for which it is asked about, but where a rule names that option */
  risky?: string;
  /** it runs what git's settings of this repository name */
  git?: true;
  files: readonly FileUse[];
  /** where it runs */
  folders: Folders;
}

/** A file that a part names. */
export interface FileUse {
  shown: string;
  writes: boolean;
  /** the program changes what it is given, or puts something in its place */
  changes?: true;
  /** what is in it is shown, of a folder perhaps what is in all of its files */
  content?: true;
  /** of a folder: what is in all of its files is shown, also in those whose names begin with a dot */
  all?: true;
  /** where it may be: absolute, '/' separators, or `~/…`; undefined: only known when it runs */
  paths: readonly string[] | undefined;
  /** what is in files that match is shown: absolute patterns as the shell takes them. `paths` is then the folder of them all */
  patterns?: readonly string[];
}

/** programs that start another one, within each other */
const MAX_DEPTH = 30;
/** What is written is looked at to its end, for what is denied. What is only guessed ends here. */
const MAX_GUESSES = 5000;

/** @param cwd absolute, '/' separators */
export function readCommand(text: string, cwd: string): CommandReading {
  const found = { parts: [] as CommandPart[], problems: new Set<string>() };
  readInto(found, readScript(text, [cwd]), 0);
  return { parts: found.parts, problems: [...found.problems] };
}

interface Found {
  parts: CommandPart[];
  problems: Set<string>;
}

function readInto(found: Found, { commands, problems }: ShellScript, depth: number): void {
  for (const problem of problems) found.problems.add(problem);
  for (const command of commands) expand(found, command, depth);
}

function expand(found: Found, command: SimpleCommand, depth: number): void {
  const redirects = command.redirects.map(({ target, writes }) => fileUse(target, command.folders, writes));
  const [program] = command.words;
  if (depth > MAX_DEPTH) {
    found.problems.add("starts programs through too many others");
    for (const inner of ends(command)) expandInner(found, inner, depth, true);
    return;
  }
  if (program === undefined) {
    if (redirects.length > 0)
      found.parts.push({ text: "", shown: "", words: [], effect: "reads", files: redirects, folders: command.folders });
    return;
  }
  if (program.value === undefined || program.isGlob)
    found.problems.add(`starts \`${program.text}\`, which is only known when it runs`);
  if (/^[A-Za-z_]\w*\+?=/.test(program.value ?? "")) {
    found.problems.add("starts a program that is named like an assignment");
    for (const inner of ends(command)) expandInner(found, inner, depth, true);
  }
  if (program.value === "") found.problems.add("starts a program without a name");
  const unwrapped = unwrap(command);
  if (unwrapped?.problem && !unwrapped.actsItself) found.problems.add(unwrapped.problem);
  const isWrapper = unwrapped !== undefined && baseName(program.value ?? "") !== "find" && !unwrapped.actsItself;
  const own = part(command, isWrapper);
  found.parts.push({
    ...own,
    ...(unwrapped?.acts && { effect: "acts" as const, ...unwrapped.acts }),
    files: [...own.files, ...redirects],
  });
  for (const inner of unwrapped?.inner ?? [])
    expandInner(found, inner, depth, unwrapped?.actsItself || unwrapped?.problem !== undefined);
  for (const script of unwrapped?.guesses ?? []) {
    const guessed: Found = { parts: [], problems: new Set() };
    readInto(guessed, readScript(script, command.folders), depth + 1);
    for (const { text, shown, words, folders } of guessed.parts)
      found.parts.push({ text, shown, words, folders, effect: "wraps", files: [] });
  }
  for (const script of unwrapped?.scripts ?? []) readInto(found, readScript(script, command.folders), depth + 1);
}

/** Where it is not known what is started, each end of the words is looked at for what is denied, and nothing else. */
function expandInner(found: Found, inner: SimpleCommand, depth: number, isGuess: boolean | undefined): void {
  if (!isGuess) expand(found, inner, depth + 1);
  else if (found.parts.length < MAX_GUESSES)
    found.parts.push({ ...named(inner), effect: "wraps", files: [], folders: inner.folders });
}

const baseName = (program: string) => program.slice(program.lastIndexOf("/") + 1);

function named({ words, openEnded }: SimpleCommand): Pick<CommandPart, "text" | "shown" | "words"> {
  const values = words.map(({ value }) => value);
  const text = [...values, ...(openEnded ? [undefined] : [])].map(value => value ?? OPEN).join(" ");
  return { text, shown: words.map(({ text }) => text).join(" "), words: values };
}

function part(command: SimpleCommand, isWrapper: boolean): CommandPart {
  const { words, folders, openEnded } = command;
  const start = { ...named(command), folders };
  if (isWrapper) return { ...start, effect: "wraps", files: [] };
  const judged = judge(words);
  if (judged.effect === "acts") {
    const { why, risky } = judged;
    return {
      ...start,
      effect: "acts",
      why,
      ...(risky !== undefined && { risky }),
      files: argumentFiles(words.slice(1), folders).map(file => ({
        ...file,
        ...(changesItsFiles.has(baseName(words[0]?.value ?? "").toLowerCase()) && { changes: true as const }),
      })),
    };
  }
  if (openEnded && !judged.anyWords)
    return { ...start, effect: "acts", why: "it gets words that are only known when it runs", files: [] };
  // What names no file reads the folder that it runs in.
  const files = judged.files.length > 0 ? judged.files : [{ text: ".", value: "." }];
  return {
    ...start,
    effect: "reads",
    ...(judged.git && { git: true }),
    files: files.map(file => ({
      ...fileUse(judged.namesOnly ? bare(file) : file, folders, false),
      ...(!judged.namesOnly && (judged.recurses || judged.files.length > 0) && { content: true }),
      ...(judged.recurses && !judged.plainOnly && !judged.git && { all: true }),
    })),
  };
}

/** Some of their words are files that are not the same afterwards; which, is not told apart. */
const changesItsFiles = new Set(
  "tee cp mv ln touch install rm rmdir unlink truncate shred patch dd mkdir chmod chown chgrp rsync scp sponge ed ex vi vim nvim nano emacs tar unzip 7z cpio split csplit sed perl sort ditto rename prettier gofmt xcopy robocopy copy move del".split(
    " ",
  ),
);

/** Words of a program that is not known, which may be files: those that are there are looked at. */
function argumentFiles(words: readonly ShellWord[], folders: Folders): FileUse[] {
  const uses: FileUse[] = [];
  for (const word of words.slice(0, 200)) {
    const { value } = word;
    if (value === undefined || value === "" || /[\n\r]/.test(value) || value.length > 1000) continue;
    for (const named of namedIn(value))
      uses.push(fileUse({ text: word.text, value: named, isGlob: word.isGlob && hidesName(named) }, folders, false));
  }
  return uses;
}

/** A pattern that finds files of which the name alone says that they are protected. */
const hidesName = (pattern: string) =>
  /(?:^|\/)\.[^/]*[*?[]/.test(pattern) ||
  (/[*?[]/.test(pattern.slice(pattern.lastIndexOf("/") + 1)) && /\.(?:env|pem|key|p12|pfx|jks|ppk)$/i.test(pattern));

/** `of=x`, `--out=x`, `-ox`, `@x`, `host:x`, `file:///x`: the paths that a word may hold. */
function namedIn(value: string): string[] {
  const url = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(value)?.[1];
  if (url !== undefined) return [url];
  if (/^[a-z][\w+.-]+:\/\//i.test(value)) return [];
  const joined = /^-[A-Za-z](?=[\w./~])/.test(value) ? [value.slice(2)] : [];
  const after = [...value.matchAll(/[=@:,]/g)].slice(0, 8).map(({ index }) => value.slice(index + 1));
  return [value, ...joined, ...after].filter(each => each !== "" && !each.startsWith("-"));
}

function fileUse(word: ShellWord, folders: Folders, writes: boolean): FileUse {
  const { value, text: shown } = word;
  if (value === "-" && !writes) return { shown, writes, paths: [] };
  if (value === undefined || value === "" || (word.isGlob && mayBeProtected(value)))
    return { shown, writes, paths: undefined };
  if (!word.isGlob) return { shown, writes, paths: placed(value, folders) };
  // What is quoted in it is no pattern: which part that is, is not told apart.
  if (/["'\\$]/.test(shown)) return { shown, writes, paths: undefined };
  const patterns = placed(value, folders);
  return { shown, writes, paths: placed(beforeGlob(value), folders), ...(patterns && { patterns }) };
}

function placed(path: string, folders: Folders): string[] | undefined {
  if (path.startsWith("/") || path === "~" || path.startsWith("~/")) return [inFolder("/", path)];
  return folders?.map(folder => inFolder(folder, path));
}

/** What stands before `..` may be a link: where that leads is for the disk to say. */
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

/** Names are no secret: a pattern of names stands for its folder. */
const bare = (word: ShellWord): ShellWord =>
  word.isGlob && word.value !== undefined ? { text: word.text, value: beforeGlob(word.value) } : word;

/** The folder of what a pattern names. */
const beforeGlob = (pattern: string) => pattern.slice(0, pattern.search(/[*?[]/)).replace(/[^/]*$/, "") || ".";
