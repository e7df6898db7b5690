/**
 * The layers below history, as text (docs/context.md): L1 is Strata's prompt and facts that hold still, L2 the
 * project's rules; the tail is what changes from step to step. Pure.
 */
import factsPrompt from "../../../prompts/facts.md";
import planModePrompt from "../../../prompts/planMode.md";
import systemPrompt from "../../../prompts/system.md";
import { defined } from "../../shared/defined";
import { asLogged, type Redact, type Redacted } from "../../shared/redacted";
import type { Todo } from "../../shared/toolResult";
import type { EditorState, Root, RuleFile } from "../ground/ports";
import { codeSpan, oneLine, renderTemplate, sanitizeText } from "../ground/text/format";
import { PLAN, rulesSource, skillSource } from "../ground/text/sources";
import type { Skill } from "../guidance/skills/parse";
import { skillList, skillText } from "../guidance/skills/texts";
import type { Conversation } from "../log/conversation";
import { standingText } from "../log/plans/planText";

export interface EnvironmentFacts {
  roots: readonly Root[];
  platform: string;
  shell: string;
}

export interface Layers {
  system: string;
  facts: Redacted;
  /** names and descriptions; undefined: there are none */
  skills?: Redacted | undefined;
  /** project rules, then the skills and the plan that a compaction moved here */
  rules: { source: string; text: Redacted; trust: RuleFile["trust"] | "user" }[];
  tail: TailText[];
}

interface TailText<Text extends string = Redacted> {
  source: string;
  text: Text;
}

interface TailInput {
  planning: boolean;
  todos: readonly Todo[];
  editor: EditorState | undefined;
  /** what of the work still holds, after a compaction took the words about it */
  workingState: string | undefined;
  /** commands that run in the background, or ended there since */
  tasks: string | undefined;
  /** the day, where it is another one than the first request said */
  day: string | undefined;
  /** the conversation ends with an answer that was stopped: the tail says that it continues */
  unfinished: boolean;
}

interface LayersInput extends TailInput {
  facts: EnvironmentFacts;
  rules: readonly RuleFile[];
  skills: readonly Skill[];
  /** names of those whose text is in L2 */
  activeSkills: readonly string[];
  plan: string | undefined;
}

/** The door of all texts that no record has: here they lose their secrets. */
export function buildLayers(input: LayersInput, redact: Redact): Layers {
  const active = input.skills.filter(({ name }) => input.activeSkills.includes(name));
  // Before the list cuts them: of half a secret nothing is found.
  const skills = skillList(input.skills.map(skill => ({ ...skill, description: redact(skill.description) })));
  const rules = [
    ...input.rules.map(rule => ({ source: rulesSource(rule.path), text: ruleText(rule), trust: rule.trust })),
    ...active.map(skill => ({
      source: skillSource(skill.name),
      trust: skill.trust,
      text: sanitizeText(skillText(skill)),
    })),
  ];
  const plan = input.plan === undefined ? undefined : asLogged(standingText(input.plan));
  return {
    system: renderTemplate(systemPrompt, {}),
    facts: redact(factsText(input.facts)),
    ...defined({ skills: skills === undefined ? undefined : redact(skills) }),
    rules: [
      ...rules.map(rule => ({ ...rule, text: redact(rule.text) })),
      ...(plan === undefined ? [] : [{ source: PLAN, text: plan, trust: "user" as const }]),
    ],
    tail: tailTexts(input).map(part => ({ ...part, text: redact(part.text) })),
  };
}

export function factsText({ roots, platform, shell }: EnvironmentFacts): string {
  const several = roots.length > 1;
  const folders = roots.map(root => plainName(several ? `${root.name} = ${root.path}` : root.path)).join(", ");
  const text = renderTemplate(factsPrompt, { folders: folders || "none is open", platform, shell });
  const lines = [
    text,
    several && `- paths: relative to ${plainName(roots[0]?.name ?? "")}; in another folder as folder:path`,
  ];
  return lines.filter(line => line !== false).join("\n");
}

/** A folder may have any name: it begins no line of the prompt. */
const plainName = (name: string): string => sanitizeText(name).replace(/[\r\n]+/g, " ");

export function ruleText({ path, text, cutBytes, importedBy, unread = [] }: RuleFile): string {
  const cut = cutBytes > 0 ? `\n[${cutBytes} more bytes of this file were left out: it is too long]` : "";
  const not = unread.map(each => `\n[${each.path}, which it imports, was not read. ${each.problem}]`).join("");
  const from = importedBy === undefined ? path : `${path}, which ${importedBy} imports`;
  return sanitizeText(`Rules from ${from}:\n\n${text.trim()}${cut}${not}`);
}

/** source of a tail that stays where it was said, in the conversation */
export const KEPT_TAIL = "tail";

const PLAN_MODE = renderTemplate(planModePrompt, {});

/** Each text is one `<system-reminder>` of the last message. */
function tailTexts({ planning, todos, workingState, tasks, day, editor, unfinished }: TailInput): TailText<string>[] {
  const texts = {
    mode: planning && PLAN_MODE,
    todo: todos.length > 0 && `The todo list now:\n${todoRecap(todos)}`,
    ...{ state: workingState, tasks, day, editor: editor && editorText(editor) },
    continue: unfinished && "Your last answer was stopped. Go on where it ends.",
  };
  return Object.entries(texts).flatMap(([name, text]) => (text ? [{ source: `tail:${name}`, text }] : []));
}

export const isPlanning = (tail: string | undefined): boolean => tail?.includes(PLAN_MODE) ?? false;

/** For a model whose call could not be read: its answer is not in the conversation, so it is quoted here. */
export function repairText(unreadable: string, redact: Redact): TailText {
  const text = redact(
    `Your last answer was thrown away: an action in it could not be read. ${sanitizeText(unreadable)}\nWrite the answer again, all of it. The input of an action is one valid JSON object.`,
  );
  return { source: "tail:repair", text };
}

const marks: Record<Todo["status"], string> = { completed: "[x]", in_progress: "[>]", pending: "[ ]" };

const todoRecap = (todos: readonly Todo[]): string =>
  todos.map(todo => sanitizeText(`${marks[todo.status]} ${todo.content}`)).join("\n");

function editorText({ activeFile, selection }: EditorState): string | undefined {
  if (!activeFile) return undefined;
  const lines =
    selection && selection.path === activeFile ? `, lines ${selection.first}-${selection.last} selected` : "";
  return `In the editor: ${sanitizeText(activeFile)}${lines}. This may or may not matter for the task.`;
}

export const reminder = (text: string): string => `<system-reminder>\n${text}\n</system-reminder>`;

const FILES = 5;
const PATH_CHARACTERS = 200;

/**
 * What still holds of the work although the messages that said so are gone: in the tail after a compaction, never in
 * a summary. The todo list has a recap of its own.
 * @returns undefined: nothing was summarised, or nothing is left to be said
 */
export function workingState(conversation: Conversation): string | undefined {
  if (conversation.summaries.length === 0) return undefined;
  const kinds = [failingLine, interruptedLine, filesLine, deniedLine];
  const lines = kinds.map(kind => kind(conversation)).filter(line => line !== undefined);
  if (lines.length === 0) return undefined;
  return ["Working state (parts of the history are summarised; this still holds):", ...lines].join("\n");
}

function failingLine({ failing }: Conversation): string | undefined {
  if (!failing) return undefined;
  const line = failing.line === undefined ? "" : `: ${sanitizeText(failing.line)}`;
  return `- The last command that failed and has not succeeded since: ${codeSpan(sanitizeText(failing.command))}, ${failing.ended} (turn ${failing.turn})${line}`;
}

function interruptedLine({ interrupted }: Conversation): string | undefined {
  if (!interrupted) return undefined;
  const what = interrupted.what === "" ? "" : ` ${codeSpan(sanitizeText(interrupted.what))}`;
  return `- A call was interrupted, its effect is unknown: ${interrupted.toolName}${what} (turn ${interrupted.turn}). Check before you repeat it.`;
}

const DENIALS = 5;

/** The newest of what was refused. */
function deniedLine({ denials }: Conversation): string | undefined {
  if (denials.length === 0) return undefined;
  const titles = new Set(denials.slice(-DENIALS).map(({ title }) => oneLine(sanitizeText(title), PATH_CHARACTERS)));
  return `- Refused, and other ways to the same ask the user, too: ${[...titles].join("; ")}`;
}

/** Those changed last come first. */
function filesLine({ changed }: Conversation): string | undefined {
  const files = [...changed.values()].map((file, at) => ({ file, at }));
  if (files.length === 0) return undefined;
  const newest = files.sort((a, b) => b.file.turn - a.file.turn || b.at - a.at).slice(0, FILES);
  const names = newest.map(
    ({ file }) =>
      `${codeSpan(oneLine(sanitizeText(file.path), PATH_CHARACTERS))} (${file.created ? "created, " : ""}+${file.added} −${file.removed})`,
  );
  const more = files.length - names.length;
  return `- Files changed in this session, the newest first: ${names.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
