/**
 * Rules of the settings: `Bash(npm test *)`, `Edit(src/**)`, `server:tool`, `Fetch(url=https://docs.*)`. Deny wins, then ask, then
 * allow. A rule that cannot be read loosens nothing: one that would allow is left out, one that would forbid makes its tool ask.
 */

import { globTest } from "../../shared/glob";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { isBelow, withEnd } from "../../shared/paths";
import { toolTraits } from "../../shared/toolTraits";
import type { FileRef, SettingLevel } from "../ground/ports";
import type { CommandFact } from "./plain/commandReading";
import { NAME, OPEN } from "./plain/line";
import { plainName } from "./plain/programKinds";

type RuleKind = "deny" | "ask" | "allow";

export interface Rule {
  kind: RuleKind;
  /** as written in the settings */
  text: string;
  /** `Bash`, `server:tool`; `*` matches any part */
  tool: string;
  /** the text in the brackets; undefined: every call of the tool */
  pattern: string | undefined;
  /** why it cannot be read */
  problem?: string;
  /** replaces all rules of an unreadable file */
  isWholeFile?: true;
  /** who gave it; absent: the person */
  level?: SettingLevel;
  /** its file, for people */
  place?: string;
  /** the sentence of a rules file that it holds; empty where the entry cannot be read */
  bound?: { file: string; sentence: string };
}

/** @param texts as the settings have them, by kind */
export function parseRules(texts: Readonly<Record<RuleKind, readonly string[]>>): Rule[] {
  return (["deny", "ask", "allow"] as const).flatMap(kind => texts[kind].map(text => parseRule(kind, text)));
}

function parseRule(kind: RuleKind, text: string): Rule {
  const match = /^([\p{L}\p{N}_.:*/@-]+) {0,9}(?:\(([\s\S]*)\))?$/u.exec(text.trim());
  const [, tool = "", inner] = match ?? [];
  // Ending a task was a tool of its own.
  if (tool === "KillBash") return { kind, text, tool: "BashOutput", pattern: "kill=true" };
  const rule = {
    kind,
    text,
    tool: tool || (/^\s*([\w.:-]+)/.exec(text)?.[1] ?? "*"),
    pattern: inner === "" ? undefined : inner,
  };
  if (!match) return { ...rule, problem: t("it is not of the form Tool or Tool(pattern)") };
  if (text.length > 2000) return { ...rule, problem: t("it is too long") };
  const path = isFileTool(tool) && inner ? globTest(pathPattern(inner), { braces: true }) : undefined;
  return typeof path === "string" ? { ...rule, problem: path } : rule;
}

/** Of a rule: `Edit` holds for every tool that edits files, `Read` for every one that looks into some. */
const fileTools: Readonly<Record<string, FileAccess>> = {
  Edit: "edit",
  Write: "edit",
  MultiEdit: "edit",
  Read: "read",
};
type FileAccess = "read" | "edit";
/** The brackets of its rules hold a path. */
const isFileTool = (tool: string) => toolTraits(tool).rules.endsWith("Files");

/** Is it a rule about this tool? Which tools a rule about files means, their effects and targets say. */
export function namesCall(rule: Rule, { toolName, effects, targets }: Call): boolean {
  if (!Object.hasOwn(fileTools, rule.tool)) return wildcard(rule.tool, toolName);
  return effects.some(effect => effect === fileTools[rule.tool]) && (targets.length > 0 || rule.tool === toolName);
}
type Call = { toolName: string; effects: readonly string[]; targets: readonly unknown[] };

/** Does it say who may read files, or edit them? */
export const isAboutFiles = ({ tool }: Rule, access: FileAccess): boolean =>
  Object.hasOwn(fileTools, tool) ? fileTools[tool] === access : wildcard(tool, access === "read" ? "Read" : "Write");

// ---------------------------------------------------------------- commands

/** `npm test:*` is `npm test *`. */
const commandPattern = ({ pattern = "" }: Rule): string =>
  pattern
    .replace(/:\*\s*$/, " *")
    .trim()
    .replace(/\s+/g, " ");

/** `npm test *` is `npm test` as well. */
const alsoBare = (pattern: string): string[] => (pattern.endsWith(" *") ? [pattern, pattern.slice(0, -2)] : [pattern]);

/** `bin/foo` is `./bin/foo` to a shell. */
const fromHere = (text: string): string => (/^[^\s/.~*][^\s/]*\//.test(text) ? `./${text}` : text);

/**
 * Does the rule hold for this program with its words? A word that is only known when it runs may be any: `maybe` then counts
 * for a rule that forbids.
 */
export function matchesCommand(rule: Rule, fact: CommandFact): "yes" | "maybe" | "no" {
  if (rule.pattern === undefined) return "yes";
  const pattern = fromHere(commandPattern(rule));
  const isAllow = rule.kind === "allow";
  const text = fromHere(isAllow ? (fact.placed ?? fact.text) : (fact.globbed ?? fact.text));
  const texts = isAllow ? [text] : [text, ...otherNames(text, pattern)];
  const patterns = alsoBare(pattern);
  // A star matches a word that is only known when it runs; for rules that forbid that is enough.
  const isOpen = (text: string) => text.includes(OPEN);
  if (texts.some(text => !(isAllow && isOpen(text)) && patterns.some(each => wildcard(each, text)))) return "yes";
  const isMaybe = (text: string) => isOpen(text) && patterns.some(each => mayMatch(each, text));
  return !isAllow && texts.some(isMaybe) ? "maybe" : "no";
}

/** Would the rule allow the program, were its words known? */
export const mayHold = (rule: Rule, { text, placed = text }: CommandFact): boolean =>
  rule.pattern === undefined || alsoBare(commandPattern(rule)).some(pattern => wildcard(pattern, placed));

/**
 * May a program that is not known start what the rule names (`chronic rm x`, `python3 -c "os.system('rm x')"`)? Of two words or more
 * one may be the program itself: `git -c alias.x=push x`. Another program may spell a path otherwise. For rules that forbid or ask.
 */
export function mayStart(rule: Rule, { text, given = [] }: CommandFact): boolean {
  const behind = text.replace(/^[\w.+-]+/, "");
  if (namesIn(rule, [namedBy(rule).length > 1 ? text : behind, ...given].join(" "))) return true;
  const [path = "", ...words] = namedText(rule).split(" ");
  const program = plainName(path);
  const plain = words.filter(word => !/^(?:\.{0,2}|~)\//.test(word)).flatMap(wordsIn);
  const isOther = program !== "" && plainName(text.split(" ", 1)[0] ?? "") !== program;
  return isOther && namesAll([program, ...plain.filter(Boolean)], [behind, ...given].join(" "));
}

/**
 * Does a text that is not read name the program that the rule does, with its command (`git push` of `Bash(git push *)`)? In any
 * order, also joined to an option (`-Sgit`). Of a rule that begins with a star, all that is between its stars counts.
 */
export function namesIn(rule: Rule, text: string): boolean {
  const wanted = namedBy(rule);
  if (wanted.length > 0) return namesAll(wanted, text);
  const parts = commandPattern(rule).toLowerCase().split("*");
  return parts.every(part => text.toLowerCase().includes(part.trim()));
}

function namesAll(wanted: readonly string[], text: string): boolean {
  const words = new Set(
    wordsIn(text).flatMap(word => [word, word.replace(/\.(?:exe|cmd|bat|com)$/, ""), ...joinedWords(word)]),
  );
  return wanted.every(word => words.has(word));
}

const joinedWords = (word: string) => (/^-[a-z]/.test(word) ? [word.slice(2), word.slice(3)] : []);

/** Before its first option or star. */
const namedText = (rule: Rule): string =>
  commandPattern(rule)
    .replace(/\s-.*|\*.*/s, "")
    .toLowerCase();

const namedBy = (rule: Rule): string[] => wordsIn(namedText(rule)).filter(word => /\w/.test(word));

const wordsIn = (text: string): string[] => text.toLowerCase().split(/[^\w.+-]+/);

/** A rule that names the option itself means it, and so does one that is the command word for word. */
export function namesOption(rule: Rule, option: string, { text }: CommandFact): boolean {
  const pattern = commandPattern(rule);
  return pattern === text || pattern.split(" ").some(word => word === option || word.startsWith(`${option}=`));
}

/** `/bin/rm` is rm, `git -C x push` and `git-push` are `git push`, `rm -r -f x` is `rm -rf x`: for what forbids. */
function otherNames(text: string, pattern: string): string[] {
  const [program = "", ...rest] = text.split(" ", MAX_WORDS);
  const name = plainName(program);
  const names = name === program ? [] : [[name, ...rest].join(" ")];
  if (name.startsWith("git-")) names.push(["git", name.slice(4), ...rest].join(" "));
  // Each option before the first plain word may take the word after it.
  const isBefore = (at: number) => at === 0 || rest[at - 1]?.startsWith("-") || rest[at - 2]?.startsWith("-");
  let at = 0;
  for (; at < Math.min(rest.length, MAX_OPTIONS) && isBefore(at); at++)
    if (at > 0 && !rest[at]?.startsWith("-")) names.push([name, ...rest.slice(at)].join(" "));
  if (at === MAX_OPTIONS && isBefore(at)) names.push(`${name} ${OPEN}`);
  return [...names, ...sameFlags(name, rest, pattern)];
}
const MAX_WORDS = 5000;
/** words before a program's own command, options and what they take */
const MAX_OPTIONS = 30;

/**
 * The pattern's letters after one dash, wherever they stand and however they are spelled: `-fr`, `-r -f`, `-rfv`, `--recursive
 * --force` for `-rf`, `-i.bak` and `--in-place` for `-i`.
 */
function sameFlags(name: string, rest: readonly string[], pattern: string): string[] {
  const [program, ...wanted] = pattern.split(" ");
  const at = wanted.findIndex(word => /^-[A-Za-z]+$/.test(word));
  const flags = wanted[at];
  if (program !== name || flags === undefined) return [];
  const isOption = (word: string) => word.startsWith("-") && word !== "-" && word !== "--";
  const given = new Set(rest.filter(isOption).flatMap(lettersOf));
  if (![...flags.slice(1)].every(letter => given.has(letter) || given.has(sameLetter[letter] ?? ""))) return [];
  const words = rest.filter(word => !isOption(word));
  return [[name, ...words.slice(0, at), flags, ...words.slice(at)].join(" ")];
}

/** A long option may be cut short. */
function lettersOf(option: string): string[] {
  if (!option.startsWith("--")) return [...option.slice(1)];
  const name = option.replace(/=.*/s, "");
  return Object.entries(longOptions).flatMap(([long, letter]) =>
    name.length > 3 && long.startsWith(name) ? [letter] : [],
  );
}
const longOptions: Readonly<Record<string, string>> = {
  "--in-place": "i",
  "--recursive": "r",
  "--force": "f",
  "--delete": "d",
  "--all": "a",
};
const sameLetter: Readonly<Record<string, string>> = { r: "R", R: "r", i: "I" };

/** `*` matches anything, blanks and slashes too. In linear time. */
export function wildcard(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}

/** Up to the first place where either may be anything, they say the same. */
function mayMatch(pattern: string, text: string): boolean {
  const [[wanted = "", star], [known = ""]] = [pattern.split("*"), text.split(OPEN)];
  if (known.length > wanted.length && star === undefined) return false;
  const isSame = (letter: string, at: number) =>
    at >= wanted.length || letter === wanted[at] || (letter === NAME && !/[- ]/.test(wanted[at] ?? ""));
  return known.split("").every(isSame);
}

// ---------------------------------------------------------------- files and others

/** Relative to the workspace's root; absolute and `~/` as they are. */
const pathPattern = (pattern: string) => pattern.trim().replace(/^\.\//, "");

export function matchesFile(rule: Rule, ref: FileRef): boolean {
  if (rule.pattern === undefined) return true;
  const pattern = pathPattern(rule.pattern);
  const test = globTest(pattern.replace(/^\//, ""), { braces: true });
  const isRelative = ref.inside && !pattern.startsWith("/");
  return typeof test !== "string" && test(isRelative ? ref.relative : ref.absolute.replace(/^\//, ""));
}

/** May files that the rule names lie in the folder? By the text before the first star. */
export function mayLieIn(rule: Rule, { absolute, relative, inside }: FileRef): boolean {
  if (rule.pattern === undefined || rule.problem !== undefined) return false;
  const pattern = pathPattern(rule.pattern);
  const start = pattern.replace(/[*?[{].*/s, "");
  const folder = pattern.startsWith("/") || !inside ? absolute : relative;
  if (/^\.?$/.test(folder) || start === "" || isBelow(folder, start)) return true;
  return start !== pattern && withEnd(folder).startsWith(start);
}

/** `name=value*` looks at one value of the input, anything else at its JSON. */
export function matchesInput(rule: Rule, input: unknown): boolean {
  if (rule.pattern === undefined) return true;
  const named = /^\s*([\w.-]+)=([\s\S]*)$/.exec(rule.pattern);
  if (!named) return wildcard(rule.pattern.trim(), JSON.stringify(input) ?? "");
  const [, name = "", pattern = ""] = named;
  const value = isObject(input) && Object.hasOwn(input, name) ? input[name] : undefined;
  return value !== undefined && wildcard(pattern, typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

/**
 * The rule that forbids to read this file, or asks about it.
 * @param toolName rules for this very tool count as well: `Grep(secrets/**)`
 */
export const readingRule = (
  kind: "deny" | "ask",
  ref: FileRef,
  rules: readonly Rule[],
  toolName = "Read",
): Rule | undefined =>
  rules.find(
    rule =>
      rule.kind === kind &&
      rule.problem === undefined &&
      rule.pattern !== undefined &&
      (isAboutFiles(rule, "read") || wildcard(rule.tool, toolName)) &&
      matchesFile(rule, ref),
  );

/** What rules forbid of one file or a whole folder (`secrets/**`), for the sandbox, which cannot ask each time. @returns paths as rules write them: absolute, `~/…`, or from each root */
export function forbiddenPlaces(rules: readonly Rule[]): { read: string[]; write: string[] } {
  const places: ReturnType<typeof forbiddenPlaces> = { read: [], write: [] };
  for (const rule of rules) {
    if (rule.kind !== "deny" || rule.problem !== undefined || rule.pattern === undefined) continue;
    const path = pathPattern(rule.pattern).replace(/\/\*\*$/, "");
    if (path === "" || /[*?[\]{}!\\]/.test(path)) continue;
    if (isAboutFiles(rule, "read")) places.read.push(path);
    if (isAboutFiles(rule, "edit")) places.write.push(path);
  }
  return places;
}
