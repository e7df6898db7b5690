/** Hooks as their files have them: the format that other agents use too, read with what is wrong in it. Pure. */
import * as z from "zod";
import { type HookEvent, hookEvents } from "../../shared/hooks";
import type { HookFile, NamedScript } from "../ports";
import { startedBy } from "../starts/commands";
import { oneLine } from "../text/format";
import { parseSettingsFile } from "../text/json";
import { type Matcher, readMatcher } from "./matcher";

export interface Hook {
  event: HookEvent;
  matches: Matcher;
  /** as it is written; "" for all */
  matcher: string;
  /** for the shell */
  command: string;
  /** ms */
  timeoutMs: number;
  /** the file, for people */
  source: string;
  /** absolute; absent: it is the person's own */
  folder?: string;
}

/** What one file has. */
export interface HookSet {
  file: HookFile;
  hooks: readonly Hook[];
  /** what of it does not run although it should, and why: sentences */
  problems: readonly string[];
  /** what is for moments that only other agents have: sentences */
  foreign: readonly string[];
  /** the file switches every hook off: `disableAllHooks` */
  switchesOff: boolean;
  /** all that stands under `hooks`, byte for byte as it counts */
  exact: string;
  /** words of its commands that may be files */
  words: readonly NamedScript[];
}

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 600;
/** of a file */
const MAX_HOOKS = 200;
const MAX_COMMAND = 20_000;
/** Different words of a workspace's file that may name scripts: each is looked for before every run. */
const MAX_WORDS = 2_000;

const fileSchema = z.looseObject({
  hooks: z.record(z.string(), z.unknown()).optional(),
  disableAllHooks: z.boolean().optional(),
});
const groupSchema = z.looseObject({ matcher: z.string().optional(), hooks: z.array(z.unknown()) });
const entrySchema = z.looseObject({
  type: z.string().optional(),
  command: z.string().trim().min(1).max(MAX_COMMAND),
  timeout: z.number().positive().optional(),
});

export function readHooks(file: HookFile): HookSet {
  const nothing = { file, hooks: [], foreign: [], switchesOff: false, exact: "", words: [] };
  const content = parseSettingsFile(file.text);
  const parsed = content.problem === undefined ? fileSchema.safeParse(content.value ?? {}) : undefined;
  if (!parsed?.success) {
    const why = content.problem ?? 'it is no JSON with an object "hooks" in it';
    return { ...nothing, problems: [`${file.path} cannot be read: ${why}.`] };
  }
  const { hooks: given = {}, disableAllHooks: switchesOff = false } = parsed.data;
  const problems: string[] = [];
  const foreign: string[] = [];
  const hooks: Hook[] = [];
  for (const [event, groups] of Object.entries(given)) {
    if (!isEvent(event)) {
      foreign.push(`"${oneLine(event, 60)}" is no moment at which hooks run here.`);
      continue;
    }
    for (const group of Array.isArray(groups) ? groups : [groups]) readGroup(event, group, file, { hooks, problems });
  }
  if (hooks.length > MAX_HOOKS) problems.push(`Only the first ${MAX_HOOKS} hooks of the file run.`);
  const commands = hooks.slice(0, MAX_HOOKS).map(({ command }) => command);
  const words = file.folder === undefined ? [] : startedBy(commands, file.folder);
  // Their scripts could not all be looked at: an agreement would not be for all that runs.
  if (file.folder !== undefined && words.length > MAX_WORDS)
    return {
      ...nothing,
      problems: [`The commands in ${file.path} are too long: move them into scripts.`],
      switchesOff,
    };
  const exact = JSON.stringify(given);
  return { file, hooks: hooks.slice(0, MAX_HOOKS), problems, foreign, switchesOff, exact, words };
}

const isEvent = (name: string): name is HookEvent => (hookEvents as readonly string[]).includes(name);

function readGroup(event: HookEvent, given: unknown, file: HookFile, found: { hooks: Hook[]; problems: string[] }) {
  const group = groupSchema.safeParse(given);
  if (!group.success) {
    found.problems.push(`An entry of ${event} is not written as {"matcher": …, "hooks": [{"type": "command", …}]}.`);
    return;
  }
  const { matcher = "", hooks } = group.data;
  const matches = readMatcher(matcher);
  if (typeof matches === "string") {
    found.problems.push(`${event}: ${matches}`);
    return;
  }
  for (const each of hooks) {
    const entry = entrySchema.safeParse(each);
    if (!entry.success || (entry.data.type ?? "command") !== "command") {
      found.problems.push(`A hook of ${event} is no command: only {"type": "command", "command": "…"} runs here.`);
      continue;
    }
    const { command, timeout = DEFAULT_SECONDS } = entry.data;
    found.hooks.push({
      event,
      matches,
      matcher,
      command,
      source: file.path,
      timeoutMs: Math.min(timeout, MAX_SECONDS) * 1000,
      ...(file.folder !== undefined && { folder: file.folder }),
    });
  }
}
