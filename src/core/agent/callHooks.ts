/** Hooks around a tool call: what they forbid, change and add. What they let through is decided as without them. */
import type { HookRun } from "../../shared/hooks";
import { isObject } from "../../shared/isObject";
import type { Json, ToolCallPart } from "../../shared/messages";
import { cutPoint } from "../ground/text/format";
import { hookSource } from "../ground/text/sources";
import { toolNames } from "../guidance/hooks/matcher";
import type { HookOutcome, SessionHooks } from "../guidance/hooks/sessionHooks";
import type { Inject } from "../tool/tool";
import type { HookDecision } from "./authorize";
import { errorResult, type Observation } from "./observation";

export interface CallHooks {
  hooks: Pick<SessionHooks, "fire">;
  /** absolute folder that relative paths are of; undefined: there is none */
  folder(): string | undefined;
  inject: Inject;
  /** A hook wants nothing to go on: why. */
  halt(reason: string): void;
}

/** Characters of an input that a hook changed, as the model is told. */
const MAX_INPUT = 2_000;
/** what names files in inputs: hooks know them absolute */
const PATHS = ["file_path", "path"];

/**
 * Runs the call as hooks want it, or not at all.
 * @param runs takes what ran, for the card, whatever becomes of the call
 * @param run the call as it stands after them
 */
export async function withHooks(
  call: ToolCallPart,
  { hooks, folder, inject, halt }: CallHooks,
  runs: HookRun[],
  signal: AbortSignal,
  run: (call: ToolCallPart, says: HookDecision | undefined) => Promise<Observation>,
): Promise<Observation> {
  const tell = teller(call, inject);
  const take = (fired: HookOutcome) => {
    runs.push(...fired.runs);
    if (fired.halt !== undefined) halt(fired.halt);
    for (const context of fired.contexts) tell(fired.runs, context);
  };
  const names = toolNames(call.toolName);
  const about = { tool_name: names.at(-1), tool_use_id: call.toolCallId };
  const asked = { ...about, tool_input: absolutePaths(call.input, folder()) };
  const before = await hooks.fire("PreToolUse", { names, fields: asked }, signal);
  take(before);
  if (!signal.aborted && (before.decision === "deny" || before.halt !== undefined))
    return forbidden(call, refusal(before));
  const { updatedInput, decision, reason = "" } = before;
  const changed = updatedInput ? { ...call, input: updatedInput as Json } : call;
  if (updatedInput) {
    const text = JSON.stringify(updatedInput);
    tell(
      before.runs,
      `A hook changed the input of this call. What ran is: ${text.slice(0, cutPoint(text, MAX_INPUT))}`,
    );
  }
  const observation = await run(changed, decision && decision !== "deny" ? { decision, reason } : undefined);
  if (observation.result.status === "error" || signal.aborted) return observation;
  const fields = {
    ...about,
    tool_input: absolutePaths(changed.input, folder()),
    tool_response: response(observation),
  };
  const after = await hooks.fire("PostToolUse", { names, fields }, signal);
  take(after);
  if (after.decision === "deny")
    tell(after.runs, `A hook has an objection to what ${call.toolName} did:\n${after.reason}`);
  return observation;
}

function forbidden(call: ToolCallPart, message: string): Observation {
  const { result } = errorResult(call, "DENIED", message);
  return { result: { ...result, error: { code: "DENIED", message, by: "hook" } } };
}

function refusal({ halt, reason }: HookOutcome): string {
  if (halt !== undefined) return `A hook stopped the turn before this call ran: ${halt}`;
  return `A hook does not let this call run. Do not try to reach the same by another way. It says:\n${reason}`;
}

function teller(call: ToolCallPart, inject: Inject) {
  let count = 0;
  return (runs: readonly HookRun[], text: string) => {
    count += 1;
    inject.injectSystemOnce(text, `hook ${call.toolCallId} ${count}`, hookSource(runs[0]?.event ?? "PreToolUse"));
  };
}

function absolutePaths(input: unknown, folder: string | undefined): unknown {
  if (!isObject(input) || folder === undefined) return input;
  const isRelative = (value: unknown): value is string =>
    typeof value === "string" && value !== "" && !/^(?:[\\/]|[A-Za-z]:[\\/]|[a-z][\w+.-]+:\/\/)/.test(value);
  const paths = PATHS.flatMap(key => (isRelative(input[key]) ? [[key, `${folder}/${input[key]}`]] : []));
  return { ...input, ...Object.fromEntries(paths) };
}

/** Of an edit the path, of a command its code, of all the text that the model reads. */
function response({ result }: Observation) {
  const data = isObject(result.data) ? result.data : {};
  return { success: true, output: result.text, ...data };
}
