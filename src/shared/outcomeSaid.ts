/** A call in a person's words: its verb, what its record says in English for the model and the log, and what takes a no to it back. */
import type { Denial } from "./denial";
import { formatClockTime, inARow } from "./format";
import { locale, t } from "./l10n";
import type { RecordOf } from "./records";
import { isOwnTool, type OwnToolName, toolTraits } from "./toolTraits";

/** Before it is done, or where it was not, and after it. */
type Verb = () => readonly [todo: string, done: string];

const edit: Verb = () => [t("Edit"), t("Edited")];
const check: Verb = () => [t("Check"), t("Checked")];
const search: Verb = () => [t("Search"), t("Searched")];

const verbs: Record<OwnToolName, Verb> = {
  Read: () => [t("Look at"), t("Looked at")],
  LS: () => [t("List"), t("Listed")],
  Glob: search,
  Grep: search,
  Edit: edit,
  MultiEdit: edit,
  Write: () => [t("Write"), t("Edited")],
  // A row is a button: "Run npm test" would promise to run it.
  Bash: () => [t("Command"), t("Ran")],
  BashOutput: check,
  KillBash: () => [t("Stop"), t("Stopped")],
  Recall: () => [t("Recall"), t("Recalled")],
  Diagnostics: check,
  Code: () => [t("Look up"), t("Looked up")],
  Refactor: () => [t("Refactor"), t("Refactored")],
  RunTask: () => [t("Run task"), t("Ran task")],
  FindTools: () => [t("Search tools"), t("Searched tools")],
  AskUser: () => [t("Asks you"), t("Asked you")],
  TodoWrite: () => [t("Update todos"), t("Updated todos")],
  Skill: () => [t("Load skill"), t("Loaded skill")],
  Task: () => [t("Delegate"), t("Delegated")],
};

/** What a person reads for a tool's name; that of a foreign tool is its own. */
export function toolVerb(toolName: string, outcome: RecordOf<"result"> | null = null): string {
  if (!isOwnTool(toolName)) return toolName;
  const [todo, done] = verbs[toolName]();
  if (outcome === null || (outcome.error && outcome.error.code !== "EXIT")) return todo;
  return outcome.changes?.[0]?.created && toolTraits(toolName).target?.kind === "file" ? t("Created") : done;
}

/** The digest, which begins with the tool's name, as a sentence. */
export function callSaid(result: RecordOf<"result">): string {
  const { toolName, digest } = result;
  const said = digest.startsWith(`${toolName} `) ? digest.slice(toolName.length + 1) : digest;
  return `${toolVerb(toolName, result)} ${outcomeSaid(said)}`;
}

/** What is counted, by its English word for one. */
const counted: Readonly<Record<string, (number: string) => string>> = {
  hit: number => t("{0} hits", number),
  file: number => t("{0} files", number),
  folder: number => t("{0} folders", number),
  line: number => t("{0} lines", number),
  entry: number => t("{0} entries", number),
  problem: number => t("{0} problems", number),
  error: number => t("{0} errors", number),
  warning: number => t("{0} warnings", number),
  "new problem": number => t("{0} new problems", number),
  "new error": number => t("{0} new errors", number),
  "new warning": number => t("{0} new warnings", number),
  "new line": number => t("{0} new lines", number),
  turn: number => t("{0} turns", number),
};

const fixed: Readonly<Record<string, () => string>> = {
  "no problems": () => t("no problems"),
  "nothing new": () => t("nothing new"),
  "in the sandbox": () => t("in sandbox"),
  "runs on": () => t("running"),
};

/** Parts of it that are not known stay as they are. */
export function outcomeSaid(outcome: string): string {
  if (locale() === "en") return outcome;
  return outcome.split(" · ").map(partSaid).join(" · ");
}

function partSaid(part: string): string {
  const [, inside, files] = /^(.+) in (\d[\d,]*) files?$/.exec(part) ?? [];
  if (inside !== undefined && files !== undefined) return t("{0} in {1} files", countsSaid(inside), files);
  const [, exit] = /^exit (\d+)$/.exec(part) ?? [];
  if (exit !== undefined) return t("exit {0}", exit);
  const [, done, all] = /^(\d+) of (\d+) todos done$/.exec(part) ?? [];
  if (done !== undefined && all !== undefined) return t("{0} of {1} todos done", done, all);
  return countsSaid(part);
}

const countsSaid = (text: string) => {
  const parts = text.split(", ").map(countSaid);
  return parts.includes(undefined) ? text : inARow(parts.filter(part => part !== undefined));
};

function countSaid(text: string): string | undefined {
  if (Object.hasOwn(fixed, text)) return fixed[text]?.();
  const [, number = "", words = ""] = /^(\d[\d,]*) ([a-z ]+)$/.exec(text) ?? [];
  const one = words.replace(/ies$/, "y").replace(/s$/, "");
  return Object.hasOwn(counted, one) ? counted[one]?.(number) : undefined;
}

// Titles of calls.

type TitleShape = readonly [RegExp, (...parts: string[]) => string];

const shapes: readonly TitleShape[] = [
  [/^Run `(.*)` in the background$/s, command => t("Run `{0}` in the background", command)],
  [/^Run `(.*)`$/s, command => t("Run `{0}`", command)],
  [/^Run the task (.*)$/s, task => t("Run the task {0}", task)],
  [/^Create (.*)$/s, path => t("Create {0}", path)],
  [/^Overwrite (.*)$/s, path => t("Overwrite {0}", path)],
  [/^Edit (.*)$/s, path => t("Edit {0}", path)],
  [/^Read (.*)$/s, path => t("Read {0}", path)],
  [
    /^Rename (.*) to (.*) in (.*)$/s,
    (name, other, files) => t("Rename {0} to {1} in {2}", name, other, outcomeSaid(files)),
  ],
  [/^Apply "(.*)" in (.*)$/s, (fix, files) => t('Apply "{0}" in {1}', fix, outcomeSaid(files))],
  [/^Organize imports in (.*)$/s, files => t("Organize imports in {0}", outcomeSaid(files))],
  [/^Start the MCP server (.*)$/s, server => t("Start the MCP server {0}", server)],
  [/^Call (.*)$/s, tool => t("Call {0}", tool)],
  // What another agent asks.
  [/^([^:`]{1,80}): (.*)$/s, (name, title) => t("{0}: {1}", name, actionTitle({ title }))],
];

/** A title of another shape is said as it is. */
export function actionTitle({ title }: { title: string }): string {
  for (const [shape, say] of shapes) {
    const found = shape.exec(title);
    if (found) return say(...found.slice(1));
  }
  return title;
}

/** What people call one that was refused: "`rm -r data`", "Edit a.ts" */
export const deniedName = ({ title }: { title: string }): string =>
  /^Run (`.*`)/s.exec(title)?.[1] ?? actionTitle({ title });

/** "You said no to `rm -r data` at 14:02". @param now ms since the epoch */
export function deniedWords(denial: Denial, now: number): string {
  const [name, time] = [deniedName(denial), formatClockTime(denial.ts, now)];
  if (denial.by === "user") return t("You said no to {0} at {1}", name, time);
  const { rule = "" } = denial;
  return denial.by === "rule"
    ? t("The rule `{0}` forbade {1} at {2}", rule, name, time)
    : t("The hook `{0}` forbade {1} at {2}", rule, name, time);
}

/** Why a rule forbids a call: written for the model, here for the person. */
export const forbiddenWords = (reason: string) =>
  reason.replace(/ Do not try to reach the same by another way\..*/s, "").replace(/(?<=^|”\. )The user's/, "Your");

// A message that takes a no back. Nothing is lifted before a click: it is only offered, and only where the words are plain.

/** Enough where one no holds. */
const plainly =
  /\byou (?:may|can) now\b|\bgo ahead\b|\bit['’]?s (?:ok|okay|fine) (?:now to\b|to\b.{1,80}\bnow\b)|\ballow (?:it|that|this)\b|可以.{1,40}了|允许(?:它|这|该)/i;
/** Where it names what was denied, too. */
const maybe =
  /\byou (?:may|can) (?:now )?(?:run|do|use|go|git|delete|remove|edit|change|write|push|install|call)\b|\bit['’]?s (?:ok|okay|fine) to\b|\ballow (?:the|running)\b|允许/i;
const negated = /\b(?:not|never|dont|cannot|cant)\b|n['’]t\b|不|别/i;
/** A longer message is about something else. */
const LONGEST = 600;

/** The one that a person's words plainly take back; undefined: none, or it is not clear which. */
export function takenBack<D extends { title: string }>(text: string, denials: readonly D[]): D | undefined {
  if (denials.length === 0 || text.length > LONGEST) return undefined;
  const sentences = text.match(/[^!?\n。！？]+[!?。！？]?/g) ?? [];
  const said = sentences.filter(each => maybe.test(each) || plainly.test(each)).filter(each => !/[?？]$/.test(each));
  const words = said.filter(each => !negated.test(each)).join("\n");
  if (words === "") return undefined;
  const counts = denials.map(denial => namesIn(words, deniedName(denial)));
  const most = Math.max(...counts);
  const named = denials.filter((_, at) => counts[at] === most);
  return named.length === 1 && (most > 0 || plainly.test(words)) ? named[0] : undefined;
}

/** How many of its words, options left out, stand in a text. */
function namesIn(text: string, name: string): number {
  const known = new Set(text.toLowerCase().split(/[\s`"'“”，、]+|(?<![.,;:])[.,;:]+(?=\s|$)/));
  const words = new Set(name.toLowerCase().split(/[\s`"']+/));
  return [...words].filter(word => word.length > 1 && !word.startsWith("-") && known.has(word)).length;
}
