/**
 * The layers below history, as text (CONTEXT.md, section 1): L1 is Strata's prompt and facts that hold still, L2 the
 * project's rules; the tail is what changes from step to step. Pure.
 */
import factsPrompt from "../../../prompts/facts.md";
import systemPrompt from "../../../prompts/system.md";
import type { Todo } from "../../shared/toolResult";
import { type EditorState, isOnDisk, type Root, type RuleFile } from "../ports";
import { render } from "../text/renderTemplate";

export interface Facts {
  roots: readonly Root[];
  platform: string;
  shell: string;
}

/** What the request is built of beside history and tools. */
export interface Layers {
  system: string;
  facts: string;
  rules: { source: string; text: string; trust: RuleFile["trust"] }[];
  tail: { source: string; text: string }[];
}

export function buildLayers(input: {
  facts: Facts;
  rules: readonly RuleFile[];
  todos: readonly Todo[];
  editor: EditorState | undefined;
  /** what of the work still holds, after a compaction took the words about it */
  workingState: string | undefined;
  /** commands that run in the background, or ended there since */
  tasks: string | undefined;
  /** the conversation ends with an answer that was stopped: somebody has to say that it goes on */
  unfinished: boolean;
}): Layers {
  return {
    system: render(systemPrompt, {}),
    facts: factsText(input.facts),
    rules: input.rules.map(rule => ({ source: `rules:${rule.path}`, text: ruleText(rule), trust: rule.trust })),
    tail: tailTexts(input),
  };
}

/** What holds still: folders, system, shell. */
export function factsText({ roots, platform, shell }: Facts): string {
  const several = roots.length > 1;
  const folders = roots.map(root => (several ? `${root.name} = ${root.path}` : root.path)).join(", ");
  const text = render(factsPrompt, { folders: folders || "none is open", platform, shell });
  const elsewhere = roots.filter(root => !isOnDisk(root)).map(({ name }) => name);
  const lines = [
    text,
    several && `- paths: relative to ${roots[0]?.name}; in another folder as folder:path`,
    elsewhere.length > 0 && `- on no disk of this machine, so that commands cannot reach it: ${elsewhere.join(", ")}`,
  ];
  return lines.filter(line => line !== false).join("\n");
}

/** As it goes to the model. */
export function ruleText({ path, text, cutBytes }: RuleFile): string {
  const cut = cutBytes > 0 ? `\n[${cutBytes} more bytes of this file were left out: it is too long]` : "";
  return `Rules from ${path}:\n\n${text.trim()}${cut}`;
}

/** Each text stands in one `<system-reminder>` of the last message. Empty where there is nothing to say. */
function tailTexts({
  todos,
  workingState,
  tasks,
  editor,
  unfinished,
}: {
  todos: readonly Todo[];
  workingState: string | undefined;
  tasks: string | undefined;
  editor: EditorState | undefined;
  unfinished: boolean;
}): Layers["tail"] {
  const tail: Layers["tail"] = [];
  if (todos.length > 0) tail.push({ source: "tail:todo", text: `The todo list now:\n${todoRecap(todos)}` });
  if (workingState) tail.push({ source: "tail:state", text: workingState });
  if (tasks) tail.push({ source: "tail:tasks", text: tasks });
  const state = editor && editorText(editor);
  if (state) tail.push({ source: "tail:editor", text: state });
  if (unfinished) tail.push({ source: "tail:continue", text: "Your last answer was stopped. Go on where it ends." });
  return tail;
}

const marks: Record<Todo["status"], string> = { completed: "[x]", in_progress: "[>]", pending: "[ ]" };

export function todoRecap(todos: readonly Todo[]): string {
  return todos.map(todo => `${marks[todo.status]} ${todo.content}`).join("\n");
}

function editorText({ activeFile, selection }: EditorState): string | undefined {
  if (!activeFile) return undefined;
  const lines =
    selection && selection.path === activeFile ? `, lines ${selection.first}-${selection.last} selected` : "";
  return `In the editor: ${activeFile}${lines}. This may or may not matter for the task.`;
}

export function reminder(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`;
}
