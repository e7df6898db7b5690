/** Hooks as their files have them, in the format of Claude and VS Code: the commands that run, and problems. Pure. */
import * as z from "zod";
import { defined } from "../../../shared/defined";
import { type HookEvent, hookEvents } from "../../../shared/hooks";
import { isObject } from "../../../shared/isObject";
import { issueWords } from "../../../shared/issueWords";
import { t } from "../../../shared/l10n";
import { shellQuoted } from "../../../shared/shellQuoted";
import type { HookFile } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";
import { parseSettingsFile } from "../../ground/text/json";
import { type Condition, type HookMatcher, readCondition, readMatcher } from "./matcher";

export interface Hook {
  event: HookEvent;
  matches: HookMatcher;
  /** as written; "" for all */
  matcher: string;
  /** which of these calls it is for; absent: all */
  condition?: Condition;
  /** for the shell */
  command: string;
  /** ms */
  timeoutMs: number;
  /** it runs in the background and decides nothing */
  background?: true;
  /** of a session, the first time alone */
  once?: true;
  /** a call does not run where it fails */
  failsClosed?: true;
  /** a workspace's that starts outside the sandbox */
  outside?: true;
  /** the file, for people */
  source: string;
  /** absolute; absent: it is the person's own */
  folder?: string;
}

/** What one file has. */
export interface HookSet {
  file: HookFile;
  hooks: readonly Hook[];
  /** why hooks do not run: sentences */
  problems: readonly string[];
  /** what does nothing here, moments and fields of other agents above all: sentences */
  notes: readonly string[];
  /** the file switches every hook off: `disableAllHooks` */
  switchesOff: boolean;
  /** everything under `hooks`, byte for byte */
  exact: string;
  /** its commands as a POSIX shell reads them */
  texts: readonly string[];
}

/** Collected while a file is read: its lists, as they grow. */
type HookEntries = { [List in "hooks" | "texts" | "problems" | "notes"]: HookSet[List][number][] };

interface EntryPlace {
  /** as the file calls the moment */
  written: string;
  event: HookEvent;
  file: HookFile;
}

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 3_600;
const MAX_COMMAND = 20_000;
/** of a file */
const MAX_NOTES = 50;

/** Nothing runs otherwise by them. */
const SAYS_NOTHING = /^(?:name|title|id|description|comments?|notes?|statusMessage|version|sequential|[$_].*|\/\/.*)$/;

/** of a file */
const MAX_HOOKS = 200;

export function readHooks(file: HookFile): HookSet {
  const nothing = { file, hooks: [], notes: [], switchesOff: false, exact: "", texts: [] };
  const content = parseSettingsFile(file.text);
  const value = content.problem === undefined ? (content.value ?? {}) : undefined;
  const given = isObject(value) ? (value.hooks ?? {}) : undefined;
  if (!isObject(value) || !isObject(given)) {
    const why = content.problem ?? t('it is not JSON with an object "hooks" in it');
    return { ...nothing, problems: [t("{0} cannot be read: {1}.", file.path, why)] };
  }
  const outside = "hooks" in value ? undefined : Object.keys(value).find(name => eventOf(name));
  if (outside !== undefined)
    return {
      ...nothing,
      problems: [t('"{0}" in {1} is ignored because it is not under "hooks".', outside, file.path)],
    };
  const switchesOff = value.disableAllHooks === true;
  const found: HookEntries = { hooks: [], texts: [], problems: [], notes: [] };
  for (const [written, groups] of Object.entries(given)) {
    const event = eventOf(written);
    if (!event) {
      if (found.notes.length < MAX_NOTES) found.notes.push(t('"{0}" is not a hook event here.', oneLine(written, 60)));
      continue;
    }
    for (const group of Array.isArray(groups) ? groups : [groups])
      if (group !== null) readEntries({ written, event, file }, group, found);
  }
  const { hooks, texts, problems, notes } = found;
  if (hooks.length > MAX_HOOKS) problems.push(t("Only the first {0} hooks in the file run.", MAX_HOOKS));
  return { file, hooks: hooks.slice(0, MAX_HOOKS), notes, problems, switchesOff, exact: JSON.stringify(given), texts };
}

/** In any case of letters. */
const eventOf = (written: string) => hookEvents.find(event => event.toLowerCase() === written.toLowerCase());

/** Of a group with a matcher, or straight under the moment: fields beside `hooks` count for each hook. */
function readEntries(place: EntryPlace, given: unknown, found: HookEntries): void {
  if (isObject(given) && "hooks" in given) {
    const { hooks, ...shared } = given;
    const entries = Array.isArray(hooks) ? hooks : isObject(hooks) ? [hooks] : undefined;
    if (entries) for (const each of entries) readEntry(place, isObject(each) ? { ...shared, ...each } : each, found);
    else found.problems.push(t("An entry of {0} has hooks that are not a list.", place.written));
    return;
  }
  readEntry(place, given, found);
}

function readEntry(place: EntryPlace, given: unknown, found: HookEntries): void {
  const note = (text: string) => {
    const sentence = t("A hook of {0}: {1}", place.written, text);
    if (found.notes.length < MAX_NOTES && !found.notes.includes(sentence)) found.notes.push(sentence);
  };
  const made = isObject(given) ? hookOf(place, given, note) : noCommand();
  if (typeof made === "string") found.problems.push(t("A hook of {0} {1}", place.written, made));
  else if (made) {
    found.hooks.push(made.hook);
    found.texts.push(...made.texts);
  }
}

const textSchema = z.string().trim().min(1).max(MAX_COMMAND);
const wordSchema = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const flagSchema = z.unknown().transform(value => value === true || value === "true");
const secondsSchema = z.union([z.number(), textSchema]).transform(Number).pipe(z.number().positive()).catch(0);
const entrySchema = z
  .object({
    ...{ type: z.literal("command"), command: textSchema, linux: textSchema, osx: textSchema, windows: textSchema },
    matcher: z.union([z.string(), z.array(z.string()).transform(names => names.join("|"))]),
    args: z.array(wordSchema).max(500),
    ...{ cwd: textSchema, env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.union([wordSchema, z.null()])) },
    shell: z.union([z.boolean(), z.enum(["bash", "sh", "zsh", "dash", "ksh", "fish", "powershell", "pwsh"])]),
    ...{ if: z.unknown(), timeout: secondsSchema },
    ...{ async: flagSchema, asyncRewake: flagSchema, once: flagSchema, failClosed: flagSchema },
    ...{ disabled: z.unknown(), enabled: z.unknown(), sandbox: z.unknown() },
  })
  .partial();
type EntryFields = z.infer<typeof entrySchema>;

/** @returns why it does not run; undefined: it is switched off */
function hookOf({ event, file }: EntryPlace, given: Record<string, unknown>, note: (text: string) => void) {
  const { system = "linux" } = file;
  // What is not used here, another system's command above all, may be as it likes: the guard runs.
  const isUsed = (name: string) =>
    name === SYSTEM_FIELD[system] || !(/^(?:linux|osx|windows)$/.test(name) || (name === "shell" && given.args));
  const own = Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null && isUsed(name)));
  const { type = "command", disabled, enabled } = own;
  if (disabled === true || enabled === false) return undefined;
  if (type !== "command") return t("has the type {0}: only commands run here.", JSON.stringify(type).slice(0, 60));
  const { data: fields, error } = entrySchema.safeParse(own, { error: issueWords });
  for (const name of Object.keys(own).slice(0, MAX_NOTES))
    if (!Object.hasOwn(entrySchema.shape, name) && !SAYS_NOTHING.test(name))
      note(t("`{0}` is not known and has no effect.", oneLine(name, 60)));
  const [issue] = error?.issues ?? [];
  const command = fields?.[SYSTEM_FIELD[system]] ?? fields?.command;
  if (issue?.path[0] === "command" || (fields && command === undefined)) return noCommand();
  if (!fields || command === undefined)
    return t("does not run: `{0}`: {1}.", String(issue?.path[0]), issue?.message ?? "");
  if (fields.args && command.startsWith("-")) return t("does not run: its command begins with a dash.");
  const { matcher = "" } = fields;
  const matches = readMatcher(matcher);
  if (typeof matches === "string") return t("does not run. {0}", matches);
  const condition = conditionOf(event, fields.if, note);
  if (typeof condition === "string") return t("does not run: {0}", condition);
  const hook: Hook = {
    ...{ event, matches, matcher, ...condition, source: file.path },
    command: commandText(command, fields, system),
    timeoutMs: seconds(fields.timeout, note) * 1000,
    ...((fields.async || fields.asyncRewake) && { background: true }),
    ...(fields.once && { once: true }),
    ...(fields.failClosed && { failsClosed: true }),
    ...(file.folder !== undefined && fields.sandbox === false && { outside: true }),
    ...defined({ folder: file.folder }),
  };
  return { hook, texts: [commandText(command, fields, "linux"), ...(fields.args ? [] : [command])] };
}
const SYSTEM_FIELD = { linux: "linux", macOS: "osx", windows: "windows" } as const;

const noCommand = () => t("is not a command: only {0} runs here.", '{"type": "command", "command": "…"}');

/** Only calls have rules: elsewhere the hook would have nothing to choose by. @returns why it does not run */
function conditionOf(event: HookEvent, given: unknown, note: (text: string) => void) {
  if (given === undefined || given === "") return {};
  if (event !== "PreToolUse" && event !== "PostToolUse")
    return t("its `if` is a rule for calls, and this event has no call.");
  const condition = readCondition(given);
  if (typeof condition !== "string") return { condition };
  // A guard that runs too often refuses too much; one that does not run lets everything through.
  if (event !== "PreToolUse") return t("its `if` cannot be read ({0}).", condition);
  note(t("its `if` cannot be read ({0}), so it runs for every call of its matcher.", condition));
  return {};
}

function seconds(given: number | undefined, note: (text: string) => void): number {
  const used = Math.min(given || DEFAULT_SECONDS, MAX_SECONDS);
  if (given !== undefined && given !== used)
    note(t("its `timeout` is not a number of seconds up to {0}, so it gets {1} s.", MAX_SECONDS, used));
  return used;
}

// A hook's command as one text for the shell: with its folder, its variables, and words that no shell takes apart. Pure.

type System = "linux" | "macOS" | "windows";

/** Where hooks have the project's folder from. */
const FOLDERS: Readonly<Record<string, string>> = {
  CLAUDE_PROJECT_DIR: "CLAUDE_PROJECT_DIR",
  STRATA_PROJECT_DIR: "STRATA_PROJECT_DIR",
  workspaceFolder: "CLAUDE_PROJECT_DIR",
};

/** @param command for a shell; with `args` a program, and no shell takes those apart. `cwd` is seen from the project's folder */
function commandText(command: string, { cwd = "", env = {}, args, shell }: EntryFields, system: System): string {
  const isPosix = system !== "windows";
  const folder = cwd && word(cwd, true, isPosix);
  const lines = [
    ...(folder === ""
      ? []
      : [isPosix ? `cd ${folder} || exit 1` : `Set-Location -LiteralPath ${folder} -ErrorAction Stop`]),
    ...Object.entries(env).map(([name, value]) =>
      isPosix ? `export ${name}=${word(value ?? "", true, true)}` : `$env:${name} = ${word(value ?? "", true, false)}`,
    ),
  ];
  const started = args ? [command, ...args].map(each => word(each, false, isPosix)) : inShell(command, shell, isPosix);
  const last = started ? `${isPosix ? "exec" : "&"} ${started.join(" ")}` : command;
  // On one line people can read it where lists have one; what begins as a comment or has lines of its own stays apart.
  return [...lines, last].join(/^[\w./"'$~&]/.test(last) && !last.includes("\n") ? "; " : "\n");
}

/** undefined: in the one that runs commands here */
function inShell(text: string, shell: EntryFields["shell"], isPosix: boolean): string[] | undefined {
  if (typeof shell !== "string") return undefined;
  const isPowershell = /^(?:powershell|pwsh)$/.test(shell);
  if (isPowershell ? !isPosix : isPosix && shell === "bash") return undefined;
  const flags = isPowershell ? ["-NoProfile", "-NonInteractive", "-Command"] : ["-c"];
  return [isPowershell ? "pwsh" : shell, ...flags, quoted(text, isPosix)];
}

const quoted = (text: string, isPosix: boolean): string =>
  isPosix ? shellQuoted(text) : `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;

const VARIABLE = /\$(?:\{([A-Za-z_]\w{0,200})\}|([A-Za-z_]\w{0,200}))/g;

/** A word that the shell does not take apart. @param all every variable in it counts, not the project's folder alone; so does a `~` in front */
function word(text: string, all: boolean, isPosix: boolean): string {
  if (isPosix && /^[\w@%+:,./-]+$/.test(text)) return text;
  const [before, behind] = isPosix ? [`'"\${`, `}"'`] : ["' + $env:", " + '"];
  const written = all ? text.replace(/^~(?=\/|$)/, "$HOME") : text;
  const whole = quoted(written, isPosix).replace(VARIABLE, (found, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? "";
    const variable = Object.hasOwn(FOLDERS, name) ? FOLDERS[name] : all ? name : undefined;
    return variable === undefined ? found : before + variable + behind;
  });
  return isPosix ? whole : `(${whole})`;
}
