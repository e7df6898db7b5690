/** Hooks in Copilot's words: its names of moments and tools, and what its hooks are told. Pure. */
import { defined } from "../../../shared/defined";
import type { HookEvent } from "../../../shared/hookEvents";
import { isObject } from "../../../shared/isObject";

/** `copilot`: its own, `vscode`: what VS Code adds to Claude's */
export type Dialect = "copilot" | "vscode";

const EVENTS: Readonly<Record<string, HookEvent>> = {
  sessionStart: "SessionStart",
  sessionEnd: "SessionEnd",
  userPromptSubmitted: "UserPromptSubmit",
  userPromptSubmit: "UserPromptSubmit",
  preToolUse: "PreToolUse",
  postToolUse: "PostToolUse",
  preCompact: "PreCompact",
  agentStop: "Stop",
  stop: "Stop",
  notification: "Notification",
};

/** undefined: it is none of its words */
export const copilotEvent = (written: string): HookEvent | undefined =>
  Object.hasOwn(EVENTS, written) ? EVENTS[written] : undefined;

/** Its names of a tool, and of what the tool is given. */
const TOOLS: Readonly<Record<string, { name: string; fields: Readonly<Record<string, string>> }>> = {
  Bash: { name: "bash", fields: {} },
  Read: { name: "view", fields: { file_path: "path" } },
  Write: { name: "create", fields: { file_path: "path", content: "file_text" } },
  Edit: { name: "edit", fields: { file_path: "path", old_string: "old_str", new_string: "new_str" } },
  MultiEdit: { name: "edit", fields: { file_path: "path" } },
  Grep: { name: "grep", fields: {} },
  Glob: { name: "glob", fields: {} },
  AskUser: { name: "ask_user", fields: {} },
  TodoWrite: { name: "update_todo", fields: {} },
};

/** With its name of the tool, which a matcher may mean. */
export const copilotNames = (names: readonly string[]): string[] => [
  ...names,
  ...names.flatMap(name => toolOf(name)?.name ?? []),
];
const toolOf = (name: string) => (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined);

/** What a hook of this dialect is told, beside what all are. @param at ms since the epoch */
export function toldIn(dialect: Dialect, told: Readonly<Record<string, unknown>>, at: number): Record<string, unknown> {
  const { session_id: sessionId, transcript_path: transcriptPath, hook_event_name: hookEventName } = told;
  const common = { ...told, sessionId, hookEventName };
  if (dialect === "vscode") return { ...common, timestamp: new Date(at).toISOString() };
  const { tool_name: name, tool_input: input, tool_response: response } = told;
  const tool = typeof name === "string" ? toolOf(name) : undefined;
  const text = isObject(response) ? response.output : undefined;
  return {
    ...{ ...common, timestamp: at, transcriptPath },
    ...(name !== undefined && { toolName: tool?.name ?? name, toolArgs: JSON.stringify(renamed(input, tool?.fields)) }),
    ...defined({ toolResult: text !== undefined ? { resultType: "success", textResultForLlm: text } : undefined }),
  };
}

/** With both names: a script may look for either. */
function renamed(input: unknown, fields: Readonly<Record<string, string>> = {}): unknown {
  if (!isObject(input)) return input;
  const more = Object.entries(fields).flatMap(([own, name]) => (own in input ? [[name, input[own]]] : []));
  return { ...input, ...Object.fromEntries(more) };
}

/** An input that such a hook changed, in our own names: what it wrote under its name counts. @param input that of the call */
export function changedIn(
  toolName: unknown,
  changed: Record<string, unknown>,
  input: unknown,
): Record<string, unknown> {
  const { fields = {} } = (typeof toolName === "string" && toolOf(toolName)) || {};
  const result = { ...changed };
  for (const [own, name] of Object.entries(fields)) {
    if (!(name in changed)) continue;
    delete result[name];
    if (!(own in changed) || !isObject(input) || changed[name] !== input[own]) result[own] = changed[name];
  }
  return result;
}
