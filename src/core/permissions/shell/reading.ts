/**
 * What a command would do, as far as its text tells: every program that it starts, wrappers looked through, whether it only
 * reads, and the files that it names. Pure; `core/permissions/policy.ts` decides.
 */

import { t } from "../../../shared/l10n";
import { fileName, joinPath } from "../../../shared/paths";
import { isProgram, plainName } from "../plain/programKinds";
import { readProgram } from "../plain/programs";
import { NAME, OPEN } from "./open";
import { isHarmlessSed, riskyOptions, startsByWord } from "./risky";
import { type Folders, readScript, type ScriptEnding, type ShellScript, type SimpleCommand } from "./script";
import type { ShellWord, Variables } from "./words";
import { ends, unwrap } from "./wrappers";

export interface CommandReading {
  parts: readonly CommandPart[];
  /** Why it cannot be told what runs, or that it changes what runs: parts of sentences, "defines ls, …". Asked whatever rules say. */
  problems: readonly string[];
  /** Shells may take it otherwise than it was read here, or there is more of it than was read. */
  isUnclear: boolean;
  assignments: ShellScript["assignments"];
  ending: ScriptEnding;
}

export interface CommandPart {
  /** the words with one blank between them, as rules match them; OPEN for each that is only known when it runs */
  text: string;
  /** as a person reads it */
  shown: string;
  /** undefined: only known when it runs */
  words: readonly (string | undefined)[];
  /** `wraps`: it only starts another part. `reads`: as far as its words are known */
  effect: "reads" | "acts" | "wraps";
  /** some of its words are only known when it runs */
  isOpen?: true;
  /** It may be what another program starts, or only words of that one. */
  isGuess?: true;
  /** why it is not known to only read */
  why?: string;
  /** options for which it is asked about, but where a rule names each of them */
  risky?: readonly string[];
  /** `text`, where patterns stand for what is only known when it runs; absent: there are none */
  globbed?: string;
  /** patterns that may stand for an option, as the shell takes them */
  globs?: readonly string[];
  /** texts that it is given to read */
  given?: readonly string[];
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
  /** the shell opens it for the program */
  redirected?: true;
  /** Git shows it, which shows nothing of its own folder */
  byGit?: true;
  /** seen from the top of the Git repository that `paths`, which are folders then, are in */
  fromTop?: string;
  /** where it may be: absolute, '/' separators, or `~/…`; undefined: only known when it runs */
  paths: readonly string[] | undefined;
  /** what is in files that match is shown: absolute patterns as the shell takes them. `paths` is then the folder of them all */
  patterns?: readonly string[];
}

/** programs that start another one, within each other */
const MAX_DEPTH = 30;
/** What is only guessed ends here. */
const MAX_GUESSES = 5000;
/**
 * Characters of all commands and texts that are read, one within another again each time: so many for each of the whole, and
 * some more, so that what branches takes no time that grows faster than it does.
 */
const budgetFor = (text: string) => Math.min(50_000 + 50 * text.length, 1_000_000);
/** what a command costs beside its words */
const COMMAND_COST = 50;

/** @param cwd absolute, '/' separators @param variables those that are known, beside what every shell has */
export function readCommand(text: string, cwd: string, variables?: Variables): CommandReading {
  const found = newFound(variables, { left: budgetFor(text), guessed: new Set() });
  const script = readScript(text, [cwd], variables);
  readInto(found, script, 0);
  if (found.budget.left < 0) {
    found.isCut = found.isUnclear = true;
    found.problems.add(t("is too much to read"));
  }
  if (found.isCut) for (const guess of guesses(text)) found.parts.push(guess);
  const { parts, problems, isUnclear, assignments, sendsBehind } = found;
  const ending = { ...script.ending, sendsBehind };
  return { parts, problems: [...problems], isUnclear, assignments, ending };
}

const newFound = (variables: Variables | undefined, budget: ReadingBudget): ScriptFindings => ({
  ...{ parts: [], problems: new Set(), isCut: false, isUnclear: false, assignments: [], variables, sendsBehind: false },
  budget,
});

/** Of a command that is asked about, since it goes beyond what is read: what it may start, for what is denied. */
function guesses(text: string): CommandPart[] {
  const pieces = [...new Set(text.split(/[\n;&|(){}`]+/))];
  return pieces.slice(0, MAX_GUESSES).flatMap((piece): CommandPart[] => {
    const words = piece.split(/[\s"'\\<>$]+/).filter(word => word !== "");
    const shown = words.join(" ");
    return words.length === 0 ? [] : [{ text: shown, shown, words, effect: "wraps", files: [], folders: undefined }];
  });
}

interface ScriptFindings {
  parts: CommandPart[];
  problems: Set<string>;
  isCut: boolean;
  isUnclear: boolean;
  assignments: ShellScript["assignments"];
  /** also of a script that it gives a shell: `sh -c 'serve &'` */
  sendsBehind: boolean;
  variables: Variables | undefined;
  budget: ReadingBudget;
}

/** One for a whole reading. */
interface ReadingBudget {
  /** characters */
  left: number;
  /** what was looked into for what is denied */
  guessed: Set<string>;
}

/** @returns whether it is read */
function spend({ budget }: ScriptFindings, characters: number): boolean {
  budget.left -= characters;
  return budget.left >= 0;
}

const spendOn = (found: ScriptFindings, { words }: SimpleCommand): boolean =>
  spend(
    found,
    words.reduce((sum, { text }) => sum + text.length + 1, COMMAND_COST),
  );

function readInto(
  found: ScriptFindings,
  { commands, problems, isCut, isUnclear, assignments, ending }: ShellScript,
  depth: number,
): void {
  found.sendsBehind ||= ending.sendsBehind;
  found.isCut ||= isCut;
  found.isUnclear ||= isUnclear;
  found.assignments.push(...assignments);
  for (const problem of problems) found.problems.add(problem);
  for (const command of commands) expand(found, command, depth);
}

function expand(found: ScriptFindings, command: SimpleCommand, depth: number): void {
  if (!spendOn(found, command)) return;
  const redirects = command.redirects.map(({ target, writes }) => ({
    ...fileUse(target, command.folders, writes),
    redirected: true as const,
  }));
  const [program] = command.words;
  if (depth > MAX_DEPTH) {
    found.problems.add(t("starts programs through too many others"));
    for (const inner of ends(command)) expandInner(found, inner, depth, true);
    return;
  }
  if (program === undefined) {
    if (redirects.length > 0)
      found.parts.push({ text: "", shown: "", words: [], effect: "reads", files: redirects, folders: command.folders });
    return;
  }
  if (program.value === undefined || program.isGlob)
    found.problems.add(t("starts `{0}`, which is only known when it runs", program.text));
  if (/^[A-Za-z_]\w*\+?=/.test(program.value ?? "")) {
    found.problems.add(t("starts a program that is named like an assignment"));
    for (const inner of ends(command)) expandInner(found, inner, depth, true);
  }
  if (program.value === "") found.problems.add(t("starts a program without a name"));
  if (/\s/.test(program.value ?? "")) found.problems.add(t("starts a program with a blank in its name"));
  const unwrapped = unwrap(command);
  if (unwrapped?.problem && !unwrapped.actsItself) found.problems.add(unwrapped.problem);
  const isWrapper = unwrapped !== undefined && fileName(program.value ?? "") !== "find" && !unwrapped.actsItself;
  const own = part(command, isWrapper);
  const starts = startsByWord(command, own.effect === "reads");
  if (starts) found.problems.add(starts);
  found.parts.push({
    ...own,
    ...(unwrapped?.acts && { effect: "acts" as const, ...unwrapped.acts }),
    files: [...own.files, ...redirects],
  });
  for (const inner of unwrapped?.inner ?? [])
    expandInner(found, inner, depth, unwrapped?.actsItself || unwrapped?.problem !== undefined);
  for (const script of unwrapped?.guesses ?? []) guess(found, script, command, depth);
  for (const script of unwrapped?.scripts ?? [])
    readInto(found, readScript(script, command.folders, found.variables), depth + 1);
}

/** What may be a script is looked into once, for what is denied. */
function guess(found: ScriptFindings, script: string, command: SimpleCommand, depth: number): void {
  if (found.budget.guessed.has(script) || found.parts.length > MAX_GUESSES) return;
  found.budget.guessed.add(script);
  if (!spend(found, script.length)) return;
  const guessed = newFound(found.variables, found.budget);
  readInto(guessed, readScript(script, command.folders, found.variables), depth + 1);
  for (const { text, shown, words, folders } of guessed.parts)
    found.parts.push({ text, shown, words, folders, effect: "wraps", isGuess: true, files: [] });
}

/** Where it is not known what is started, each end of the words is looked at for what is denied, and nothing else. */
function expandInner(found: ScriptFindings, inner: SimpleCommand, depth: number, isGuess: boolean | undefined): void {
  if (!isGuess) expand(found, inner, depth + 1);
  else if (found.parts.length < MAX_GUESSES && spendOn(found, inner))
    found.parts.push({ ...named(inner), effect: "wraps", isGuess: true, files: [], folders: inner.folders });
}

function named({ words, openEnded, given }: SimpleCommand) {
  const values = words.map(({ value }) => value);
  const end = openEnded ? [OPEN] : [];
  const text = [...values.map(value => value ?? OPEN), ...end].join(" ");
  const isGlobbed = words.some(({ isGlob }) => isGlob);
  const globbed = [...words.map(({ value = OPEN, isGlob }) => (isGlob ? openGlob(value) : value)), ...end].join(" ");
  const behind = values.indexOf("--");
  const globs = words
    .slice(0, behind < 0 ? undefined : behind)
    .flatMap(({ value = "", isGlob }) => (isGlob && /^[-*?[]/.test(value) ? [value] : []));
  return {
    ...{ text, shown: words.map(({ text }) => text).join(" "), words: values },
    ...(isGlobbed && { globbed }),
    ...(globs.length > 0 && { globs }),
    ...(given && given.length > 0 && { given }),
  };
}

/** Whatever file it is the name of. */
const openGlob = (pattern: string) =>
  `${/^[*?[]/.test(pattern) ? NAME : ""}${pattern.replace(/\[[^\]]{0,255}\]|[*?[]/g, OPEN)}`;

function part(command: SimpleCommand, isWrapper: boolean): CommandPart {
  const { words, folders, openEnded } = command;
  const start = { ...named(command), folders };
  if (isWrapper || changeNothing.has(words[0]?.value ?? "")) return { ...start, effect: "wraps", files: [] };
  const isOpen = openEnded || words.some(isOpenWord);
  const open = isOpen && { isOpen: true as const };
  // What is only known when it runs stands as a word of its own.
  const known = words.map((word, at) => word.value ?? `unknown-${at}`);
  const reading = readProgram(
    known[0] === "[" && known.at(-1) === "]" ? ["test", ...known.slice(1, -1)] : known,
    false,
  );
  if (!("why" in reading)) {
    // Of two that look alike the one counts that may be more than it says.
    const written = new Map([...words.entries()].map(([at, word]) => [known[at], word]));
    for (const [at, word] of words.entries()) if (isOpenWord(word)) written.set(known[at], word);
    const files = reading.files.map(({ path, shows, fromTopOf }) => ({
      ...(fromTopOf === undefined
        ? fileUse(written.get(path) ?? { text: path, value: path }, folders, false)
        : { shown: path, writes: false, paths: placed(fromTopOf, folders), fromTop: path }),
      ...(shows !== "names" && { content: true as const }),
      ...(shows === "tree" && { all: true as const }),
      ...(reading.git && { byGit: reading.git }),
    }));
    return { ...start, effect: "reads", ...open, files };
  }
  const files = argumentFiles(words.slice(1), folders);
  const starting = riskyOptions(words);
  const [starts] = starting;
  const why = starts === undefined ? reading.why : t("`{0} {1}` may write or start something", program(words), starts);
  const risky = [...new Set([...starting, ...(program(words) === "git" ? [] : unknownTo(known))])];
  const changes = isProgram("changes", plainName(words[0]?.value ?? ""));
  return {
    ...start,
    effect: "acts",
    ...open,
    why,
    ...(risky.length > 0 && { risky }),
    files: files.map(file => ({ ...file, ...(changes && { changes: true as const }) })),
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
    if (at < 0 && isHarmlessSed(left)) break;
    found.push(unknown);
    if (at < 0) break;
    left = left.filter((_, index) => index !== at);
  }
  return found;
}
const MAX_UNKNOWN = 20;

const isOpenWord = ({ value, isGlob }: ShellWord) => value === undefined || isGlob;

/** The shell's own words, which do something to its course alone. */
const changeNothing = new Set("cd : exit return break continue wait true false".split(" "));

const program = ([first]: readonly ShellWord[]) => fileName(first?.value ?? "");

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

/** The folder of what a pattern names. */
const beforeGlob = (pattern: string) => pattern.slice(0, pattern.search(/[*?[]/)).replace(/[^/]*$/, "") || ".";
