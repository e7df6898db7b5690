/**
 * Which calls a hook is for: names with `|` and `*`, or a small regular expression, as other agents take them, and `if`, a permission
 * rule. Pure, and never slow: the pattern may be a repository's. At most two repetitions and no repeated group: none is slow on a
 * long name. An unreadable `if` lets a guard run for every call, and what comes after a call not at all.
 */
import { isObject } from "../../../shared/isObject";
import { t } from "../../../shared/l10n";
import { slippedField } from "../../../shared/nearestNames";
import { isWithin, joinPath, relativeTo } from "../../../shared/paths";
import { toolsThat, toolTraits } from "../../../shared/toolTraits";
import type { FileRef } from "../../ground/ports";
import { readCommand } from "../../permissions/plain/commandReading";
import {
  matchesCommand,
  matchesFile,
  matchesInput,
  mayLieIn,
  namesCall,
  namesIn,
  parseRules,
  type Rule,
  wildcard,
} from "../../permissions/rules";

export type HookMatcher = (names: readonly string[]) => boolean;

/** @returns a sentence where it cannot be read */
export function readMatcher(text: string): HookMatcher | string {
  const plain = text.trim().replace(/^\^/, "").replace(/\$$/, "");
  const inner = /^\(([^()]*)\)$/.exec(plain)?.[1] ?? plain;
  if (inner === "" || inner === "*" || inner === ".*") return () => true;
  const parts = inner.split("|").map(part => part.trim().replaceAll(".*", "*"));
  const rule = ruleIn(text);
  if (rule !== undefined)
    return t(
      'The matcher "{0}" is a permission rule, which no tool\'s name fits: write "matcher": "{1}" and the rule in "if".',
      text.slice(0, 100),
      rule,
    );
  const isOdd = parts.some(part => !/^[\p{L}\p{N}_:*.-]+$/u.test(part));
  const expression = isOdd ? smallExpression(text.trim()) : undefined;
  if (expression) return names => names.some(name => expression.test(name.slice(0, MAX_NAME)));
  if (isOdd || parts.length > 200)
    return t(
      'The matcher "{0}" cannot be read: it takes names with | between them, * in them, and small regular expressions.',
      text.slice(0, 100),
    );
  return names => parts.some(part => names.some(name => wildcard(part, name)));
}

/** `Bash(rm:*)`: as an expression it would fit no tool, and a guard would be none without a word. @returns the tool */
function ruleIn(text: string): string | undefined {
  for (const [, part = "", tool = ""] of text.matchAll(RULE)) {
    const expression = smallExpression(`^${part}$`);
    if (!expression?.test(tool)) return tool;
  }
  return undefined;
}
const RULE =
  /(?<![^|]) {0,9}((Bash|Read|Edit|Write|MultiEdit|NotebookEdit|Grep|Glob|LS|Skill|WebFetch|WebSearch)\([^()|]+\)) {0,9}(?![^|])/g;

const MAX_EXPRESSION = 500;
/** characters: each step is tried at most this often to the power of MAX_REPEATS */
const MAX_NAME = 200;
const MAX_REPEATS = 2;

/** undefined: no expression, or one that could take long: it repeats a group, or too much. */
function smallExpression(text: string): RegExp | undefined {
  const plain = text
    .replace(/\\[A-Za-z]/g, "a")
    .replace(/\\./g, "a")
    .replace(/\[\^?[^\][]*\]/g, "a");
  const repeats = plain.match(/[*+{]/g)?.length ?? 0;
  if (text.length > MAX_EXPRESSION || repeats > MAX_REPEATS || /\)[*+{]|\\|[[\]]/.test(plain)) return undefined;
  // "Bash(git *)" is a permission rule written here by mistake; a blank is in no tool's name.
  if (/\s/.test(plain)) return undefined;
  try {
    return new RegExp(text);
  } catch {
    // no expression
    return undefined;
  }
}

/** The names that a tool goes by; the last is what other agents call it: `db:query` → `mcp__db__query`. */
export function toolNames(name: string): string[] {
  const [, server, tool] = /^([^:]+):(.+)$/.exec(name) ?? [];
  // Several edits are one call of Edit: a guard for them would be none without a word.
  if (server === undefined || tool === undefined) return name === "Edit" ? ["MultiEdit", name] : [name];
  const plain = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, "_");
  return [name, `mcp__${plain(server)}__${plain(tool)}`];
}

interface HookCall {
  /** of its tool: see `toolNames` */
  names: readonly string[];
  /** with absolute paths */
  input: unknown;
  /** the project's: absolute, '/' separators */
  folder: string;
}

export interface Condition {
  /** as written */
  text: string;
  /** Of a call that cannot be read to its end it is said to hold: what guards is not passed by. */
  covers(call: HookCall): boolean;
}

const EDITS = toolsThat(({ rules }) => rules === "editFiles");
const READS = toolsThat(({ rules }) => rules === "readFiles" || rules === "searchFiles");
/** As rules call tools, which hold for all of a kind. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(["edit", "write", "multiedit", "notebookedit"].map(name => [name, EDITS])),
  ...Object.fromEntries(["read", "notebookread"].map(name => [name, READS])),
  ...{ grep: ["Grep"], glob: ["Glob"], ls: ["LS"] },
};
const TOOLS = ["Bash", "Edit", "Write", "MultiEdit", "Read", "Grep", "Glob"];
const isKind = (tool: string) => Object.hasOwn(KINDS, tool.toLowerCase()) || tool.toLowerCase() === "bash";
const MAX_RULES = 50;
/** `Bash(git commit:*)|Bash(git push:*)` */
const SEVERAL = /\) {0,9}(?:\|\|?|&&?|,) {0,9}[A-Za-z_]\w{0,99}\(/;

/** @param given one rule, or several of which one has to hold. @returns why it cannot be read: a part of a sentence */
export function readCondition(given: unknown): Condition | string {
  const all = Array.isArray(given) ? given : [given];
  if (!all.every(each => typeof each === "string")) return t("it is no text");
  if (all.some(text => SEVERAL.test(text))) return t("it is several rules: write them as a list");
  if (all.length === 0 || all.length > MAX_RULES) return t("it is no rule");
  // What would forbid a call looks through other spellings of it, and so does what guards one.
  const rules = parseRules({ deny: all.map(text => text.trim()), ask: [], allow: [] });
  const broken = rules.find(({ problem }) => problem !== undefined);
  if (broken) return broken.problem ?? t("it is no rule");
  const slips = rules.map(({ tool }) => (isKind(tool) ? undefined : slippedField(tool, TOOLS)));
  const meant = slips.find(each => each !== undefined);
  if (meant !== undefined) return t("there is no such tool. Did you mean {0}?", meant);
  return { text: all.join(", "), covers: call => rules.some(rule => holds(rule, call)) };
}

function holds(rule: Rule, call: HookCall): boolean {
  const kind = rule.tool.toLowerCase();
  if (kind === "bash") return call.names.includes("Bash") && holdsForCommand(rule, call);
  const tools = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (tools) return call.names.some(name => tools.includes(name)) && holdsForFile(rule, call);
  return call.names.some(name => namesTool(rule, name)) && holdsForInput(rule, call);
}

/** `mcp__db` means all of its tools. */
const namesTool = (rule: Rule, toolName: string) =>
  namesCall(rule, { toolName, effects: [], targets: [] }) ||
  rule.tool.toLowerCase() === toolName.toLowerCase() ||
  (/^mcp__/.test(rule.tool) && toolName.startsWith(`${rule.tool}__`));

function holdsForCommand(rule: Rule, { input, folder }: HookCall): boolean {
  const command = isObject(input) ? input.command : undefined;
  if (rule.pattern === undefined || typeof command !== "string") return true;
  const { parts, unread } = readCommand(command, folder);
  if (unread !== undefined) return true;
  // Redirections stand in no part: a rule may be about the whole line.
  const whole = command.trim().replace(/\s+/g, " ");
  const facts = [...parts, { text: whole, words: [], shown: whole, effect: "acts" as const }];
  return (
    facts.some(fact => matchesCommand(rule, fact) !== "no") ||
    parts.some(({ starts }) => starts !== undefined && namesIn(rule, starts))
  );
}

function holdsForFile(rule: Rule, { names, input, folder }: HookCall): boolean {
  if (rule.pattern === undefined) return true;
  const given = isObject(input) ? [input.file_path, input.path, input.notebook_path] : [];
  const paths = given.filter(each => typeof each === "string");
  // What a search meets in a folder is read as well.
  const isSearch = names.some(name => toolTraits(name).rules === "searchFiles");
  // Which files it is about is not said by its input.
  if (paths.length === 0 && !isSearch) return true;
  const refs = (paths.length === 0 ? [folder] : paths).map(path => fileRef(path, folder));
  return patternsOf(rule).some(each =>
    refs.some(ref => matchesFile(each, ref) || (isSearch && !isFile(ref) && mayLieIn(each, ref))),
  );
}

/** A searched path is a folder, unless it ends as files do. */
const isFile = ({ absolute }: FileRef) => /[^/]\.\w+$/.test(absolute);

/** Other agents write `//etc` for what lies at the top of the disk, `/src` for the project's, and `~` for a home. */
function patternsOf(rule: Rule): Rule[] {
  const { pattern = "" } = rule;
  const home = pattern.replace(/^~\//, "/**/");
  const more = pattern.startsWith("//") ? [pattern.slice(1)] : [pattern.replace(/^\/(?!\*)/, ""), home];
  return [pattern, ...more].map(each => ({ ...rule, pattern: each }));
}

function fileRef(path: string, folder: string): FileRef {
  const plain = path.replaceAll("\\", "/");
  const absolute = /^[A-Za-z]:\//.test(plain) ? plain : joinPath(folder, plain);
  const inside = isWithin(folder, absolute);
  const relative = inside ? relativeTo(folder, absolute) || "." : absolute;
  return { uri: "", absolute, path: relative, relative, inside };
}

/** `name=value*` is about one value; anything else is a text in the input: `Skill(commit)`, `WebFetch(domain:x.org)`. */
function holdsForInput(rule: Rule, { input }: HookCall): boolean {
  if (rule.pattern === undefined || matchesInput(rule, input)) return true;
  if (/^\s*[\w.-]+=/.test(rule.pattern)) return false;
  const text = rule.pattern
    .trim()
    .replace(/^domain:/, "")
    .replace(/:\*$/, "*");
  return matchesInput({ ...rule, pattern: `*${text}*` }, input);
}
