/** Hooks around a tool call: what they forbid, change and add. What they let through is decided as without them. */
import type { HookRun } from "../../shared/hooks";
import { isObject } from "../../shared/isObject";
import { plural, t } from "../../shared/l10n";
import type { Json, ToolCallPart } from "../../shared/messages";
import type { AroundCompaction } from "../context/compaction/compactor";
import { cutPoint } from "../ground/text/format";
import { hookSource } from "../ground/text/sources";
import { toolNames } from "../guidance/hooks/matcher";
import type { HookOutcome, SessionHooks } from "../guidance/hooks/sessionHooks";
import type { Inject } from "../tool/tool";
import type { HookDecision } from "./authorize";
import { deniedObservation, type Observation } from "./observation";

/** Characters of an input that a hook changed, as the model is told. */
const MAX_INPUT = 2_000;
/** what names files in inputs: hooks know them absolute */
const PATHS = ["file_path", "path"];

function refusal({ halt, reason }: HookOutcome): string {
  if (halt !== undefined) return `A hook stopped the turn before this call ran: ${halt}`;
  return `A hook does not let this call run. Do not try to reach the same by another way. Other ways to it ask the user, too. It says:\n${reason}`;
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

// The hooks of one turn: around its calls, at its end, and what stops it.

/** How often hooks may keep a turn from its end: one that never lets it end would cost without end. */
const MAX_HOLDS = 8;

/** Around every compaction; only one by hand can be kept from beginning, since a full window cannot wait. */
export const compactionHooks = (hooks: SessionHooks): AroundCompaction => ({
  async before(trigger, guidance, signal) {
    const fields = { trigger, custom_instructions: guidance };
    const fired = await hooks.tell("PreCompact", { names: [trigger], fields }, signal);
    hooks.tellLater(fired.contexts);
    const isKept = trigger === "manual" && (fired.decision === "deny" || fired.halt !== undefined);
    return isKept ? t("A hook keeps it from beginning. It says: {0}", fired.halt ?? fired.reason ?? "") : undefined;
  },
  async after(trigger, signal) {
    const { contexts } = await hooks.tell("PostCompact", { names: [trigger], fields: { trigger } }, signal);
    const anew = { names: ["compact"], fields: { source: "compact" } };
    hooks.tellLater([...contexts, ...(await hooks.tell("SessionStart", anew, signal)).contexts]);
  },
});

export class TurnHooks {
  private halting: string | undefined;
  private holds = 0;

  constructor(
    private readonly hooks: SessionHooks,
    private readonly inject: Inject,
  ) {}

  /** why the turn stops; undefined: it does not */
  get halted(): string | undefined {
    return this.halting;
  }

  /**
   * Runs the call as hooks want it, or not at all.
   * @param runs takes each run, for the card, also where the call fails
   * @param run the call after them
   * @param refused is told of one that a hook denies, and by which: before its result
   */
  async around(
    call: ToolCallPart,
    runs: HookRun[],
    signal: AbortSignal,
    run: (call: ToolCallPart, says: HookDecision | undefined) => Promise<Observation>,
    refused: (call: ToolCallPart, hook: string) => Promise<void>,
  ): Promise<Observation> {
    const { hooks } = this;
    let count = 0;
    const tell = (event: HookRun["event"] | undefined, text: string) => {
      count += 1;
      this.inject.injectSystemOnce(text, `hook ${call.toolCallId} ${count}`, hookSource(event ?? "PreToolUse"));
    };
    const take = (fired: HookOutcome) => {
      runs.push(...fired.runs);
      if (fired.halt !== undefined) this.halting ??= fired.halt;
      for (const context of fired.contexts) tell(fired.runs[0]?.event, context);
    };
    const names = toolNames(call.toolName);
    const about = { tool_name: names.at(-1), tool_use_id: call.toolCallId };
    const asked = { ...about, tool_input: absolutePaths(call.input, hooks.folder) };
    const before = await hooks.fire("PreToolUse", { names, fields: asked }, signal);
    take(before);
    if (!signal.aborted && (before.decision === "deny" || before.halt !== undefined)) {
      const by = before.runs.find(({ outcome }) => outcome === "denied");
      if (by) await refused(call, by.command);
      return deniedObservation(call, refusal(before), "hook");
    }
    const { updatedInput, decision, reason = "" } = before;
    const changed = updatedInput ? { ...call, input: updatedInput as Json } : call;
    if (updatedInput) {
      const text = JSON.stringify(updatedInput);
      const ran = text.slice(0, cutPoint(text, MAX_INPUT));
      tell(before.runs[0]?.event, `A hook changed the input of this call. What ran is: ${ran}`);
    }
    const observation = await run(changed, decision && decision !== "deny" ? { decision, reason } : undefined);
    if (observation.result.status === "error" || signal.aborted) return observation;
    const did = { tool_input: absolutePaths(changed.input, hooks.folder), tool_response: response(observation) };
    const after = await hooks.fire("PostToolUse", { names, fields: { ...about, ...did } }, signal);
    take(after);
    if (after.decision === "deny")
      tell(after.runs[0]?.event, `A hook has an objection to what ${call.toolName} did:\n${after.reason}`);
    return observation;
  }

  /** What was said between the steps, by hooks of a compaction say, comes to the model. */
  bringLater(): void {
    for (const [at, text] of this.hooks.takeLater().entries())
      this.inject.injectSystemOnce(text, `hook later ${at} ${text}`, hookSource("SessionStart"));
  }

  /** Asks the hooks of a turn's end. false: one has more to do, and the model is told with the next request. */
  async mayEnd(signal: AbortSignal): Promise<boolean> {
    const fields = { stop_hook_active: this.holds > 0 };
    const fired = await this.hooks.tell("Stop", { fields }, signal);
    if (signal.aborted || fired.halt !== undefined || fired.decision !== "deny") return true;
    const text = `A hook does not let the turn end yet. It says:\n${fired.reason}`;
    // Of a turn that goes on in another process some were told before.
    while (this.holds < MAX_HOLDS) {
      this.holds += 1;
      if (this.inject.injectSystemOnce(text, `hook stop ${this.holds}`, hookSource("Stop"))) return false;
    }
    await this.hooks.note(
      plural(
        MAX_HOLDS,
        "A hook kept the turn from its end once, so Strata ended it.",
        "Hooks kept the turn from its end {0} times, so Strata ended it.",
      ),
    );
    return true;
  }
}
