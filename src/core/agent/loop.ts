/**
 * The loop (ARCHITECTURE.md, "The one flow"): one turn, one step at a time, until the model calls no tool, the user stops it, or
 * a limit is met. Read it from top to bottom; helpers stand below in call order.
 */

import { defined } from "../../shared/defined";
import { plural, t } from "../../shared/l10n";
import type { MessageMetadata, MessagePart, ToolCallPart } from "../../shared/messages";
import type { NewRecord, RecordOf } from "../../shared/records";
import type { TurnError } from "../../shared/turnError";
import type { StepEnd, StepPlace } from "../context/requests/request";
import type { Clock, Ids } from "../ground/ports";
import { askedAbout, suspendedCalls } from "../log/conversation";
import type { History } from "../log/history";
import { isCutCall } from "../tool/cutCall";
import type { Tool } from "../tool/tool";
import { needsApproval } from "./approvals";
import type { Injections } from "./injections";
import { errorResult, type Observation, resultImages } from "./observation";

interface LoopDeps {
  history: History;
  clock: Clock;
  ids: Ids;
  tools: ReadonlyMap<string, Tool>;
  maxSteps(): number;
  /** A call that nobody was there to allow ends the turn; else the model goes on without it. */
  stopsUnanswered: boolean;
  /** why nothing more may be spent; undefined: it may */
  costLimit(): Promise<TurnError | undefined>;
  /** why a hook wants nothing to go on; undefined: none does */
  halted(): string | undefined;
  /** Asks the hooks of a turn's end. false: one has more to do for the model, and the next request says so */
  mayEnd(signal: AbortSignal): Promise<boolean>;
  /** Puts steering messages that came meanwhile into the history; how many. */
  takeSteering(): Promise<number>;
  /** Text that nobody typed, from tools and others: joins the history where it may stand. */
  injections: Pick<Injections, "settle">;
  request(place: StepPlace, signal: AbortSignal): Promise<StepEnd>;
  runTool(call: ToolCallPart, signal: AbortSignal): Promise<Observation>;
  /** Makes blobs of what is kept of an observation, and its records. */
  record(place: StepPlace & { messageId: string }, call: ToolCallPart, observation: Observation): Promise<NewRecord[]>;
}

/** How a turn ended; what it counted is derived from its records. */
export interface TurnOutcome {
  reason: RecordOf<"turnEnd">["reason"];
  error?: TurnError;
}

/** The same call with the same input so many times in a row is a model that is stuck; where it waits for something, more. */
const MAX_REPEATS = 3;
const MAX_POLLS = 20;
/** So many answers in a row whose call was cut off: the model does not manage in parts. */
const MAX_CUTS = 3;

/** Runs the newest turn to its end. Rejects with StorageError only: the caller says so and keeps the user's text. */
export async function runTurn(
  turn: Pick<StepPlace, "runId" | "turn">,
  deps: LoopDeps,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const repeats = repeatCounter();
  let isContinued: boolean = false;
  let cuts = 0;
  const unanswered = await runSuspended(turn, deps, signal);
  if (unanswered) return { reason: "error", error: unanswered };
  for (let steps = 0; ; steps++) {
    if (signal.aborted) return { reason: "stopped" };
    await deps.takeSteering();
    const halted = deps.halted();
    if (halted !== undefined) return haltedOutcome(halted);
    if (steps >= deps.maxSteps()) return stepLimitOutcome(steps);
    const tooDear = await deps.costLimit();
    if (tooDear) return { reason: "limit", error: tooDear };
    await deps.injections.settle();
    const place: StepPlace = { ...turn, step: deps.history.conversation.step + 1 };

    const answer = await deps.request(place, signal);
    if (answer.kind === "failed") return { reason: "error", error: answer.error };
    if (answer.kind === "stopped" && answer.parts.length === 0) return { reason: "stopped" };
    const message = await appendAnswer(place, answer, deps);
    if (answer.kind === "stopped") return { reason: "stopped" };

    const calls = answer.parts.filter(part => part.type === "dynamic-tool");
    if (calls.length === 0) {
      const goesOn: boolean = answer.finishReason === "length" && !isContinued;
      await noteCutAnswer(answer.finishReason, goesOn, deps);
      await deps.injections.settle();
      if ((await deps.takeSteering()) === 0 && !goesOn && (await deps.mayEnd(signal))) return { reason: "done" };
      isContinued = goesOn;
      continue;
    }
    isContinued = false;
    const stuck = calls.find(call => repeats(call) > maxRepeats(call, deps));
    if (stuck) return stopRepeating(stuck, calls, { ...place, messageId: message.message.id }, deps);
    const unanswered = await runToolCalls(calls, { ...place, messageId: message.message.id }, deps, signal);
    if (unanswered) return { reason: "error", error: unanswered };
    const cut = calls.find(isCutCall);
    cuts = cut ? cuts + 1 : 0;
    if (cut && cuts >= MAX_CUTS) return cutCallsOutcome(cut);
  }
}

/**
 * The calls at which the turn was left, to go on here. The one that asked the person has its answer by then; where it could not be
 * asked again (the file moved, the mode forbids it) nothing more is done before the person says so.
 */
async function runSuspended(
  turn: Pick<StepPlace, "runId" | "turn">,
  deps: LoopDeps,
  signal: AbortSignal,
): Promise<TurnError | undefined> {
  const { conversation } = deps.history;
  const [first, ...others] = signal.aborted ? [] : suspendedCalls(conversation);
  if (!first) return undefined;
  const place = { ...turn, step: conversation.step, messageId: first.messageId };
  const waits = ({ toolCallId }: ToolCallPart) => askedAbout(conversation, toolCallId) !== undefined;
  let isGone = false;
  const runTool: LoopDeps["runTool"] = async (call, stop) => {
    const waited = waits(call);
    const observation = await deps.runTool(call, stop);
    if (!waited || !waits(call)) return observation;
    isGone = true;
    return { ...observation, unanswered: true };
  };
  const calls = [first, ...others].map(({ call }) => call);
  const unanswered = await runToolCalls(calls, place, { ...deps, runTool, stopsUnanswered: true }, signal);
  return unanswered && isGone ? questionGoneError() : unanswered;
}

/** Durable before any tool runs. */
function appendAnswer(
  { runId, turn, step }: StepPlace,
  answer: Extract<StepEnd, { kind: "answered" | "stopped" }>,
  { history, clock }: LoopDeps,
): Promise<RecordOf<"message">> {
  const finished: Partial<MessageMetadata> =
    answer.kind === "answered"
      ? {
          // As a log that is read again says it: without keys that have no value.
          ...defined({ usage: answer.usage }),
          model: answer.model,
          requestTokens: answer.requestTokens,
          ...defined({ sharedTokens: answer.sharedTokens || undefined }),
          finishReason: answer.finishReason,
        }
      : { stopped: true };
  const { thoughtMs } = answer;
  if (thoughtMs !== undefined) finished.thoughtMs = Math.round(thoughtMs);
  return history.append({
    kind: "message",
    parentId: history.conversation.messages.at(-1)?.id ?? null,
    message: {
      id: `msg_${answer.requestId.slice(answer.requestId.indexOf("_") + 1)}`,
      role: "assistant",
      parts: answer.parts,
      metadata: { ts: clock.now(), turn, step, runId, requestId: answer.requestId, kind: "normal", ...finished },
    },
  });
}

/** Reading calls that follow each other run together; everything else waits for its turn. Results are logged as they end. */
async function runToolCalls(
  calls: readonly ToolCallPart[],
  place: StepPlace & { messageId: string },
  deps: LoopDeps,
  signal: AbortSignal,
): Promise<TurnError | undefined> {
  let unanswered: TurnError | undefined;
  const images: MessagePart[] = [];
  const runOne = async (call: ToolCallPart) => {
    const observation = unanswered ? notRunObservation(call) : await deps.runTool(call, signal);
    if (observation.unanswered && deps.stopsUnanswered) unanswered = needsApprovalError(call);
    const records = await deps.record(place, call, observation);
    await deps.history.appendAll(records);
    images.push(...resultImages(records));
  };
  for (const group of groupCalls(calls, deps.tools)) await settleAll(group.map(runOne));
  if (images.length > 0) await appendImages(images, place, deps);
  await deps.injections.settle();
  return unanswered;
}

async function appendImages(parts: MessagePart[], { runId, turn, step }: StepPlace, deps: LoopDeps): Promise<void> {
  const { history, clock, ids } = deps;
  const metadata = { ts: clock.now(), turn, step, runId, kind: "notice" as const, settles: true as const };
  const parentId = history.conversation.messages.at(-1)?.id ?? null;
  await history.append({ kind: "message", parentId, message: { id: ids.next("msg"), role: "user", parts, metadata } });
}

function groupCalls(calls: readonly ToolCallPart[], tools: ReadonlyMap<string, Tool>): ToolCallPart[][] {
  const reads = (call: ToolCallPart | undefined) => call !== undefined && tools.get(call.toolName)?.effect === "read";
  const grouped: ToolCallPart[][] = [];
  for (const call of calls) {
    const last = grouped.at(-1);
    if (last && reads(call) && reads(last[0])) last.push(call);
    else grouped.push([call]);
  }
  return grouped;
}

/** Waits for all of them, then throws the first failure: none goes on behind the turn's back. */
async function settleAll(promises: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find(result => result.status === "rejected");
  if (failed) throw failed.reason;
}

const maxRepeats = ({ toolName }: ToolCallPart, { tools }: LoopDeps) =>
  tools.get(toolName)?.isPolled ? MAX_POLLS : MAX_REPEATS;

async function stopRepeating(
  stuck: ToolCallPart,
  calls: readonly ToolCallPart[],
  place: StepPlace & { messageId: string },
  deps: LoopDeps,
): Promise<TurnOutcome> {
  for (const call of calls) await deps.history.appendAll(await deps.record(place, call, notRunObservation(call)));
  const message = t(
    "The agent made the same {0} call {1} times in a row, so Strata stopped it. Tell it what to do differently, or let it continue.",
    stuck.toolName,
    maxRepeats(stuck, deps),
  );
  return { reason: "limit", error: { code: "repeated-call", message, actions: ["continue"] } };
}

function notRunObservation(call: ToolCallPart): Observation {
  const words =
    "The call was not run: the turn was stopped before it. Do not repeat what did not work; try another way.";
  return errorResult(call, "ABORTED", words);
}

function stepLimitOutcome(steps: number): TurnOutcome {
  const message = plural(
    steps,
    "The agent took 1 step in this turn, the limit. Let it continue, or tell it what to do.",
    "The agent took {0} steps in this turn, the limit. Let it continue, or tell it what to do.",
  );
  return { reason: "limit", error: { code: "max-steps", message, actions: ["continue"] } };
}

function cutCallsOutcome({ toolName }: ToolCallPart): TurnOutcome {
  const message = t(
    '{0} answers of the model in a row ended in the middle of a call of {1}, at the limit of tokens for one answer. Nothing of these calls was done. Allow more ("Longest answer" in the settings), or ask for the work in smaller parts.',
    MAX_CUTS,
    toolName,
  );
  return { reason: "limit", error: { code: "cut-calls", message, actions: ["continue"] } };
}

function haltedOutcome(why: string): TurnOutcome {
  const error = {
    code: "hook-stopped",
    message: t("A hook stopped the turn: {0}", why),
    actions: ["continue" as const],
  };
  return { reason: "limit", error };
}

const needsApprovalError = ({ toolName }: ToolCallPart): TurnError => ({
  code: "approval-needed",
  message: needsApproval(toolName),
  actions: ["continue"],
});

function questionGoneError(): TurnError {
  const message = t(
    "Something changed while the question waited, so it was not asked again. Continue to look at it again.",
  );
  return { code: "question-gone", message, actions: ["continue"] };
}

async function noteCutAnswer(finishReason: string, goesOn: boolean, { history }: LoopDeps): Promise<void> {
  const text = goesOn ? goesOnText() : cutAnswers()[finishReason];
  if (text) await history.append({ kind: "note", level: "warning", code: `finish-${finishReason}`, text });
}

const goesOnText = () => t("The answer reached the limit of tokens, so the model goes on in a second one.");
const cutAnswers = (): Record<string, string> => ({
  length: t(
    'The answer reached the limit of tokens again and is cut off. Ask the model to go on, or allow more: "Longest answer" in the settings.',
  ),
  "tool-calls": t(
    'The answer announced a tool call twice, but no call came, so nothing more ran. If there was more to do, tell it to go on, start the server with its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser, llama.cpp: --jinja), or choose "react" as the protocol in the settings.',
  ),
  "content-filter": t(
    "The model or its provider's content filter broke off the answer above. Put the request in other words, or choose another model.",
  ),
});

/** Counts how often in a row the same call came. */
function repeatCounter(): (call: ToolCallPart) => number {
  let last = "";
  let count = 0;
  return call => {
    const key = `${call.toolName} ${JSON.stringify(call.input)}`;
    count = key === last ? count + 1 : 1;
    last = key;
    return count;
  };
}
