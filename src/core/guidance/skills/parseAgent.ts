/**
 * A file of instructions → an agent. Files of others work unchanged, but what one takes away is never lost: where that cannot be
 * held, the file is not used, and says why.
 */
import { listed } from "../../../shared/format";
import { t } from "../../../shared/l10n";
import { toolsThat } from "../../../shared/toolTraits";
import type { InstructionFile } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";
import { lookingTools, namedTools, namesIn } from "./agentTools";
import { type AgentType, builtInAgents } from "./agentType";
import {
  common,
  firstName,
  headWarnings,
  KEY_LINE,
  type ParseResult,
  PROMPT_NAME,
  type ReadYaml,
  readFrontmatter,
  text,
  undescribed,
} from "./parse";

/** What the head has said so far. `unused`: keys */
interface AgentHead extends Omit<AgentType, "path" | "text" | "cutBytes" | "trust" | "name" | "description"> {
  without: string[];
  warnings: string[];
  unused: string[];
}

/** @returns why the file cannot be used */
type Heed = (agent: AgentHead, value: unknown, key: string) => string | undefined;

const taken = new Set([...builtInAgents, ...toolsThat(() => true)].map(name => name.toLowerCase()));

/** @param readYaml as of `parseSkill` */
export function parseAgent(file: InstructionFile, readYaml?: ReadYaml): ParseResult<AgentType> {
  const head = readFrontmatter(file.text, readYaml);
  const { fields } = head;
  // What else the head may have said was not read, where it has neither.
  if (text(fields.name) === "" && text(fields.description) === "")
    return { problem: t("Its front matter has neither a name nor a description.") };
  if (head.body === "") return { problem: t("It has only front matter.") };
  const name = firstName([text(fields.name), file.name], PROMPT_NAME);
  if (name === undefined)
    return { problem: t('"{0}" is not a valid name: start with a letter and use no spaces.', oneLine(file.name, 80)) };
  if (taken.has(name.toLowerCase()))
    return { problem: t('"{0}" is the name of a tool or of an agent of Strata: give it another one.', name) };
  const agent: AgentHead = {
    without: [],
    skills: [],
    unused: [],
    warnings: [...headWarnings(head), ...undescribed(head)],
  };
  const unclear = unclearLine(head.lines, readYaml !== undefined && head.problem === undefined);
  if (unclear !== undefined)
    return { problem: t("What this line of its front matter takes away is not certain: {0}", oneLine(unclear, 80)) };
  for (const [key, value] of Object.entries(fields)) {
    const problem = heedOf(key)(agent, value, key);
    if (problem !== undefined) return { problem };
  }
  const { unused, ...heeded } = agent;
  if (unused.length > 0) agent.warnings.push(t("Not used here: {0}.", listed(unused)));
  const { argumentHint: _, ...described } = common(file, head, agent.warnings);
  return { ...heeded, ...described, name };
}

/** One whose key is there twice, the end of what is read, or a restriction that is not whole in a line that was read by itself. */
function unclearLine(lines: readonly string[] = [], isYaml: boolean): string | undefined {
  const said = lines.filter(line => line.trim() !== "");
  const keys = new Set<string>();
  return said.find((line, at) => {
    const key = isYaml ? /^["']?([\w.-]+)["']?\s*:/.exec(line.slice(0, 200))?.[1] : keyIn(line.slice(0, 200));
    const isTwice = key !== undefined && keys.has(key);
    keys.add(key ?? "");
    if (key === undefined || !restricts(key))
      return line.startsWith("...") || (!isYaml && line.trimStart().startsWith("?"));
    return isTwice || !(isYaml || (KEY_LINE.test(line) && /^(?:$|#|[A-Za-z][\w-]*:)/.test(said[at + 1] ?? "")));
  });
}

/** At the beginning of a line, in marks and quotes, with blanks before its colon. */
function keyIn(line: string): string | undefined {
  const [before] = /^[^:#]*(?=:)/.exec(line) ?? [];
  const words = (before?.match(/[\w.-]+/g) ?? []).filter(word => /\w/.test(word));
  return words.length > 0 && words.length < 4 ? words.join(" ") : undefined;
}

const restricts = (key: string) => (heedOf(key) === other ? isLimiting(key) : !harmless.has(lettersOf(key)));

/** `max-turns` and `MAX_TURNS` are `maxTurns`. */
const lettersOf = (key: string) => key.toLowerCase().replace(/[^a-z]/g, "");
const TAKES = /^(?:(?:allow(?:ed)?|only)?tools?|allow(?:ed)?)$/;
const TAKES_AWAY = /^(?:disallow(?:ed)?|den(?:y|ied)|exclude[ds]?|block(?:ed)?|forbid(?:den)?)(?:tools?)?$/;

function heedOf(key: string): Heed {
  const letters = lettersOf(key);
  if (TAKES.test(letters)) return takeTools;
  return TAKES_AWAY.test(letters) ? takeAway : (heeds.get(letters) ?? other);
}

/** Anywhere in a key, and as words of one. */
const LIMITING =
  /allow|diss?al|den[yi]|forb|block|blacklist|whitelist|exclu|except|restrict|limit|max|budget|permi|privileg|sandbox|network|internet|domain|approv|confirm|guard|secur|timeout|readonly|isolat|policy|protect|tool|command|bash|shell|capabilit|abled?\b|\b(?:access|ask|costs?|dirs?|edits?|execute|files?|folders?|hosts?|minutes|modes?|never|no|not|only|paths?|price|read|safe|safety|scopes?|steps|tokens?|trust(?:ed)?|turns|without|writes?)\b/;

/** A key that may take something away, or has one within. */
const isLimiting = (key: string, value?: unknown): boolean =>
  LIMITING.test(key.replace(/([a-z\d])(?=[A-Z])|[\W_]+/g, "$1 ").toLowerCase()) ||
  (typeof value === "object" && value !== null && Object.entries(value).some(([name, each]) => isLimiting(name, each)));

const takeTools: Heed = (agent, value, key) => {
  const found = namedTools(value, false);
  if (!found) return noList(key);
  readAs(agent, key, "tools");
  if (found.unknown.length > 0) agent.warnings.push(t("It names what is no tool here: {0}.", listed(found.unknown)));
  notInPart(agent, found.parts);
  if (found.names[0] !== "*") narrow(agent, found.names);
  return undefined;
};

const takeAway: Heed = (agent, value, key) => {
  const found = namedTools(value, true);
  if (!found) return noList(key);
  if (found.unknown.length > 0)
    return t("It takes away what is no tool here, and may be meant for one: {0}.", listed(found.unknown));
  readAs(agent, key, "disallowedTools");
  notInPart(agent, found.parts);
  if (found.names[0] === "*") narrow(agent, []);
  else agent.without.push(...found.names);
  return undefined;
};

/** It only looks, where this says so. */
const takeReadOnly: Heed = (agent, value, key) => {
  if (isYes(value)) narrow(agent, lookingTools);
  return isYes(value) || /^(?:false|no|off)$/i.test(text(value)) ? undefined : refused(key);
};

const takeMode: Heed = (agent, value, key) => {
  const mode = text(value);
  if (mode === "plan") narrow(agent, lookingTools);
  else if (/^(?:acceptEdits|bypassPermissions|auto|dontAsk)$/.test(mode)) unused(agent, value, `${key}: ${mode}`);
  else if (mode !== "" && mode !== "default") return refused(key);
  return undefined;
};

/** Which agents it may give tasks to: all, or none. */
const takeAgents: Heed = (agent, value, key) => {
  const names = namesIn(value);
  if (!names?.includes("*")) agent.without.push("Task");
  notInPart(agent, names?.includes("*") ? [] : (names ?? []));
  return names ? undefined : noList(key);
};

const takeModel: Heed = (agent, value) => {
  const name = text(Array.isArray(value) ? value[0] : value);
  if (/^(?:haiku|small|fast)$/i.test(name)) agent.model = "small";
  else if (/\s|^(?:sonnet|opus|best)/i.test(name))
    agent.warnings.push(t("{0} is no name of a model here, so it has the conversation's.", oneLine(name, 80)));
  else if (!/^(?:|inherit|default|auto)$/i.test(name)) agent.model = name;
  return undefined;
};

const efforts = new Map<string, NonNullable<AgentType["reasoning"]>>([
  ...(["none", "minimal", "low", "medium", "high"] as const).map(each => [each, each] as const),
  ...(["xhigh", "max"] as const).map(each => [each, "high"] as const),
]);
const takeEffort: Heed = (agent, value, key) => {
  const effort = efforts.get(text(value).toLowerCase());
  if (effort === undefined) return unused(agent, value, `${key}: ${text(value)}`);
  agent.reasoning = effort;
  return undefined;
};

const takeTurns: Heed = (agent, value, key) => {
  const turns = Number(text(value));
  if (!Number.isSafeInteger(turns) || turns < 1) return t("`{0}` is to be a whole number from 1.", key);
  agent.maxTurns = Math.min(turns, agent.maxTurns ?? turns);
  return undefined;
};

const takeSkills: Heed = (agent, value, key) => {
  const names = namesIn(value);
  agent.skills = names?.map(name => name.replace(/^\//, "")) ?? [];
  return names ? undefined : noList(key);
};

const takeIsolation: Heed = (agent, value, key) => {
  if (text(value) !== "worktree") return t("`{0}` is to be `worktree`, or not there.", key);
  agent.isolation = "worktree";
  return undefined;
};

/** Some forbid calls. */
const takeHooks: Heed = (agent, value, key) =>
  /PreToolUse|PermissionRequest/i.test(JSON.stringify(value))
    ? t("It has hooks that could forbid calls, and hooks of an agent do not run here: they belong into settings.")
    : unused(agent, value, key);

const takeTarget: Heed = (_, value) =>
  text(value) === "github-copilot" ? t("It is for another program: `target` says so.") : undefined;
const forPeople = () => t("It is not for the model to call, and people call none here.");

const none: Heed = () => undefined;
const unused: Heed = (agent, _, key) => void agent.unused.push(oneLine(key, 80));
const other: Heed = (agent, value, key) => (isLimiting(key, value) ? refused(key) : unused(agent, value, key));

/** A head that says nothing of these takes nothing more away. */
const harmless = new Set("name description userinvocable model effort skills background mcpservers".split(" "));
const heeds = new Map<string, Heed>(
  Object.entries({
    ...{ name: none, description: none, userinvocable: none, mcpservers: unused, target: takeTarget },
    ...{ model: takeModel, effort: takeEffort, skills: takeSkills, agents: takeAgents, hooks: takeHooks },
    ...{ readonly: takeReadOnly, permissionmode: takeMode, maxturns: takeTurns, maxsteps: takeTurns },
    isolation: takeIsolation,
    background: (agent, value) => void (isYes(value) && Object.assign(agent, { background: true })),
    disablemodelinvocation: (_, value) => (/^(?:false|no|off)$/i.test(text(value)) ? undefined : forPeople()),
    infer: (_, value) => (isYes(value) ? undefined : forPeople()),
  } satisfies Record<string, Heed>),
);

const isYes = (value: unknown) => /^(?:true|yes|on)$/i.test(text(value));

const narrow = (agent: AgentHead, names: readonly string[]) => {
  agent.tools = agent.tools?.filter(name => names.includes(name)) ?? names;
};

function readAs({ warnings }: AgentHead, key: string, as: string): void {
  if (key !== as) warnings.push(t("`{0}` is read as `{1}`.", key, as));
}

function notInPart({ warnings }: AgentHead, parts: readonly string[]): void {
  if (parts.length > 0)
    warnings.push(t("No agent has a part of a tool, so it does not have the tool at all: {0}.", listed(parts)));
}

const noList = (key: string) => t("What `{0}` says is no list of names.", key);
const refused = (key: string) =>
  t(
    "`{0}` looks like a restriction, and is none that can be kept here. Say which tools it has with `tools` or `disallowedTools`, and how many steps with `maxTurns`; permission rules are for all else.",
    oneLine(key, 40),
  );
