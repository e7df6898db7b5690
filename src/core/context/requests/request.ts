/**
 * Sends one model request: it is accounted for before it leaves, and goes out again where that can help (docs/context.md).
 * Every attempt has a request id and a manifest of its own.
 */
import { withCost } from "../../../shared/cost";
import { defined } from "../../../shared/defined";
import type { AgentEvent } from "../../../shared/events";
import type { BreakCause, Manifest } from "../../../shared/manifest";
import type { Json } from "../../../shared/messages";
import { countRequest } from "../../../shared/tokenCount";
import { wireName } from "../../../shared/toolTraits";
import type { TurnAction, TurnError } from "../../../shared/turnEnd";
import type {
  Clock,
  Ids,
  Logger,
  ModelConnection,
  ModelFailure,
  ModelFailureCode,
  Models,
  SettingsSource,
  Spending,
} from "../../ground/ports";
import { AnswerError, StorageError } from "../../ground/ports";
import type { History } from "../../log/history";
import { type AssembledRequest, layerTokens } from "../assemble";
import type { RequestLog } from "../requestLog";
import type { StepDelta } from "./answer";
import { modelStep, type StepOutcome } from "./modelStep";
import { warnOnce } from "./requestBuilder";
import type { EndedRequest, Spans } from "./spans";

export interface RequestPorts {
  settings: SettingsSource;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** what all sessions of the person cost; absent: not kept */
  spending?: Spending;
}

export interface RequestDeps extends RequestPorts {
  history: History;
  log: RequestLog;
  emit(event: AgentEvent): void;
  /** why no request of a turn is sent any more; absent, or undefined: one may be */
  limit?(connection: ModelConnection, tokens: number): Promise<TurnError | undefined>;
  /** another model takes over where this one makes the person wait */
  hasFallback?: boolean;
  spans?: Spans | undefined;
}

export interface StepPlace {
  runId: string;
  turn: number;
  step: number;
}

/** What the request's manifest says beside its place. */
export interface RequestPurpose {
  purpose?: "summary";
  /** why it does not begin as the one before it, where the sender knows */
  cause?: BreakCause;
}

/** How a step ended that was sent as often as that can help. `requestTokens`, `sharedTokens`: as in the metadata of messages. */
export type StepEnd =
  | (Extract<StepOutcome, { kind: "answered" }> & {
      requestId: string;
      /** which was asked */
      model: string;
      requestTokens: number;
      sharedTokens: number;
      thoughtMs?: number;
    })
  | (Extract<StepOutcome, { kind: "stopped" }> & { requestId: string; thoughtMs?: number })
  /** `unreadable`: what of the answer could not be read, for the model */
  | { kind: "failed"; error: TurnError; unreadable?: string };

/** How often the same thing may go wrong in a step before it counts as failed; the rest: once. */
const attemptsByCode: Partial<Record<ModelFailureCode, number>> = {
  "rate-limit": 5,
  server: 5,
  timeout: 2,
  cut: 2,
  "bad-answer": 2,
  refused: 2,
};
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;
/** The longest pause asked for by a server that is waited out; with another model at hand a shorter one. */
const MAX_WAIT_MS = 300_000;
const MAX_WAIT_WITH_FALLBACK_MS = 60_000;

/** Sends the request until it is answered, stopped or has failed for good. Rejects with StorageError only. */
export async function requestStep(
  place: StepPlace & RequestPurpose,
  connection: ModelConnection,
  request: AssembledRequest,
  deps: RequestDeps,
  signal: AbortSignal,
): Promise<StepEnd> {
  const failures = new Map<ModelFailureCode, number>();
  for (let attempt = 1; ; attempt++) {
    // A summary that a person asks for between turns is no turn's.
    const isOfTurn = place.purpose === undefined || deps.history.conversation.turnOpen;
    const limit = isOfTurn ? await deps.limit?.(connection, request.tokens) : undefined;
    if (limit) return { kind: "failed", error: limit };
    const requestId = deps.ids.next("req");
    const sent = { ...place, requestId, attempt };
    const { outcome, sharedTokens } = await sendAttempt(sent, connection, request, deps, signal);
    if (outcome.kind === "answered")
      return { ...outcome, requestId, model: connection.name, requestTokens: request.tokens, sharedTokens };
    if (outcome.kind === "stopped") return { ...outcome, requestId };
    if (outcome.error instanceof StorageError) throw outcome.error;
    const failure = connection.explain(outcome.error, outcome.silentMs);
    // What had come of an answer that was cut off is kept for people; the retry sends the same request again.
    if (place.purpose === undefined && outcome.parts.length > 0) {
      const { turn, step } = place;
      const { parts } = outcome;
      await deps.history.append({ kind: "attempt", requestId, turn, step, parts, reason: failure.message });
    }
    const { code, message, status = null, refused, notice } = failure;
    deps.logger.log("warning", "model request failed", { requestId, runId: place.runId, code, status });
    if (refused && connection.leaveOut) {
      connection.leaveOut(refused);
      if (notice !== undefined) await warnOnce(deps.history, "left-out", ownNames(notice, request));
      continue;
    }
    const failed = (failures.get(code) ?? 0) + 1;
    failures.set(code, failed);
    const attempts = failure.retryable ? (attemptsByCode[code] ?? 1) : 1;
    const delayMs = delayOf(failed, failure.retryAfterMs);
    const isTooLong = delayMs > (deps.hasFallback ? MAX_WAIT_WITH_FALLBACK_MS : MAX_WAIT_MS);
    if (failed >= attempts || isTooLong)
      return { kind: "failed", error: asTurnError(failure), ...unreadable(outcome.error) };
    deps.emit({ type: "retry", requestId, attempt: failed, attempts, delayMs, code, message });
    await deps.clock.sleep(delayMs, signal).catch(error => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return { kind: "stopped", requestId, parts: [] };
  }
}

/** A server that asks for no wait, or whose date is over (clocks differ), still gets time from the second one on. */
function delayOf(failed: number, askedMs: number | undefined): number {
  const own = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failed - 1));
  return askedMs === undefined ? own : Math.max(askedMs, failed > 1 ? own / 2 : 0);
}

/** Tools as people know them. */
const ownNames = (message: string, { tools }: AssembledRequest): string =>
  tools.reduce((text, { name }) => text.replaceAll(wireName(name), name), message);

async function sendAttempt(
  place: StepPlace & RequestPurpose & { requestId: string; attempt: number },
  connection: ModelConnection,
  request: AssembledRequest,
  deps: RequestDeps,
  signal: AbortSignal,
) {
  const { requestId, runId, turn, step, attempt, purpose } = place;
  deps.emit({
    type: "request",
    requestId,
    turn,
    step,
    attempt,
    model: connection.name,
    estimatedTokens: countRequest(request.tokens, deps.history.conversation),
    contextWindow: connection.contextWindow,
    layers: layerTokens(request.segments),
  });
  let manifest: Manifest | undefined;
  const thinking = new ThinkingTime(deps.clock);
  const outcome = await sendOnce(
    {
      ...{ requestId, runId, ...defined({ purpose }), connection, request, signal },
      onDelta(delta) {
        thinking.hear(delta);
        deps.emit({ ...delta, requestId });
      },
      async account(bodySha256) {
        const { rewound } = deps.history.conversation;
        const meta = { ...place, ts: deps.clock.now(), model: connection.name, bodySha256, rewound };
        manifest = await deps.log.write(request, meta);
        const { totalTokens, sharedTokens, cause = null, unexplained } = manifest;
        if (unexplained) {
          const facts = { requestId, runId, sharedTokens, totalTokens };
          deps.logger.log("error", "defect: the request's prefix broke without a cause", facts);
        }
        return { turn, step, attempt, totalTokens, sharedTokens, cause };
      },
    },
    deps,
  );
  const thoughtMs = thinking.end();
  return {
    outcome: thoughtMs === undefined ? outcome : { ...outcome, thoughtMs },
    // Another model's cache does not have it.
    sharedTokens: manifest?.cause === "model-changed" ? 0 : (manifest?.sharedTokens ?? 0),
  };
}

interface OneRequest extends Pick<EndedRequest, "requestId" | "runId" | "purpose"> {
  connection: ModelConnection;
  request: AssembledRequest;
  signal: AbortSignal;
  onDelta(delta: StepDelta): void;
  /** Before it leaves. @returns facts for the daily log */
  account(bodySha256: string | null): Promise<Record<string, Json>>;
}

interface SendDeps extends RequestPorts {
  spans?: Spans | undefined;
}

/** Sends a request once; it is told to the daily log, the collector and the day's costs. Rejects as `account` does. */
export async function sendOnce({ connection, request, signal, onDelta, account, ...ids }: OneRequest, deps: SendDeps) {
  const { clock } = deps;
  const start = clock.now();
  let facts: Record<string, Json> | undefined;
  const beforeSend = async (bodySha256: string | null) => {
    facts = await account(bodySha256);
  };
  const answered = await modelStep({ connection, request, signal, clock, onDelta, beforeSend });
  const outcome = await priced(answered, connection, deps);
  // One that never left is not told.
  if (facts) reportRequest({ ...ids, connection, request, outcome, start, end: clock.now(), facts }, deps);
  return outcome;
}

function unreadable(error: unknown): { unreadable?: string } {
  if (!(error instanceof AnswerError)) return {};
  if (error.code === "written-call") return { unreadable: `${AS_TEXT} ${error.message}` };
  return error.code === "unreadable-call" ? { unreadable: error.message } : {};
}

const AS_TEXT =
  "Call tools by the interface for tool calls that you have: what is written as text is no call, and was not run.";

function asTurnError({ code, message, details, retryable, remedy }: ModelFailure): TurnError {
  const again = code === "cut" ? "continue" : "retry";
  const likely: (TurnAction | false | undefined)[] = [retryable && again, remedy, code === "auth" && "set-key"];
  const all = [...likely, "choose-model", again, "check-connection"] as const;
  const actions = new Set(all.filter(action => action !== false && action !== undefined));
  return { code, message, ...defined({ details }), actions: [...actions] };
}

/** How long a model thought: from the first word of a thought to the first of something else. Words come as they are thought. */
class ThinkingTime {
  private since: number | undefined;
  private sum: number | undefined;

  constructor(private readonly clock: Clock) {}

  hear({ type }: StepDelta): void {
    if (type === "reasoning") this.since ??= this.clock.now();
    else this.end();
  }

  /** ms, of all its thoughts; undefined: it had none. */
  end(): number | undefined {
    if (this.since !== undefined) this.sum = (this.sum ?? 0) + this.clock.now() - this.since;
    this.since = undefined;
    return this.sum;
  }
}

/** A line of the daily log without content, its content where the person asked for that, and a span. Nothing in it can fail a request. */
function reportRequest(ended: EndedRequest, { settings, logger, spans }: SendDeps): void {
  const { requestId, runId, purpose, connection, request, outcome, facts } = ended;
  const ids = { requestId, ...defined({ runId, purpose }) };
  const log = settings.get();
  if (log["log.messages"]) {
    const ms = ended.end - ended.start;
    logger.log("info", "model request", { ...ids, model: connection.name, ms, ...facts, ...answerDigest(outcome) });
  }
  if (log["log.payload"]) {
    const { instructions, tools, messages } = request;
    const sent = { instructions, tools, messages } as unknown as Record<string, Json>;
    logger.log("debug", "model request payload", { ...ids, ...sent, answer: outcome.parts as Json[] });
  }
  spans?.request(ended);
}

/** Sizes and counts of what came. */
function answerDigest(outcome: StepOutcome): Record<string, Json> {
  const { kind, parts } = outcome;
  const characters = (type: "text" | "reasoning") =>
    parts.reduce((sum, part) => sum + (part.type === type ? part.text.length : 0), 0);
  const calls = parts.filter(({ type }) => type === "dynamic-tool").length;
  const sizes = { textChars: characters("text"), reasoningChars: characters("reasoning"), calls };
  if (kind !== "answered") return { outcome: kind, ...sizes };
  const { usage, finishReason } = outcome;
  const tokens = usage && {
    inputTokens: usage.input,
    cachedTokens: usage.cachedInput ?? 0,
    outputTokens: usage.output,
    ...(usage.cost === undefined ? {} : { cost: usage.cost }),
  };
  return { outcome: kind, finishReason, ...sizes, ...tokens };
}

/** The outcome with its cost in its usage, where that is known. Never rejects. */
async function priced(outcome: StepOutcome, connection: ModelConnection, { clock, logger, spending }: SendDeps) {
  if (outcome.kind !== "answered" || !outcome.usage) return outcome;
  const now = clock.now();
  const usage = withCost(outcome.usage, await connection.pricesAt?.(new Date(now)));
  if (usage.cost) {
    await spending?.add({ ts: now, cost: usage.cost }).catch(error => {
      logger.log("warning", "the cost of a request could not be kept for the day", { error: String(error) });
    });
  }
  return { ...outcome, usage };
}

/** US dollars by all sessions today, from `since` (ms) on. undefined: it is not kept, or cannot be read, which stops no work. */
export const spentToday = async ({ spending, clock, logger }: RequestPorts, since = 0): Promise<number | undefined> =>
  spending?.since(since, clock.now()).catch(error => {
    logger.log("warning", "what today cost could not be read", { error: String(error) });
    return undefined;
  });

/** The model for questions beside the turns. */

/**
 * A workspace may name a smaller model of the provider that the person chose, and no other's: what is said here goes to no server
 * that they did not name. Rejects with NoModelError.
 * @param inUse the model that answers; absent: as the settings have it
 */
export async function connectSideModel(
  setting: "model.small" | "summary.model",
  { models, settings, logger }: { models: Models; settings: SettingsSource; logger: Logger },
  inUse?: ModelConnection,
): Promise<ModelConnection> {
  const name = settings.get()[setting].trim();
  if (!name) return inUse ?? models.connect();
  const layer = settings.layers?.().findLast(({ values }) => values[setting] !== undefined);
  if (layer?.level !== "workspace") return models.connect({ name });
  const own = inUse ?? (await models.connect());
  const named = await models.connect({ name });
  if (named.provider === own.provider && named.address === own.address) return named;
  const words = "a workspace names a model of another provider, which is not asked";
  logger.log("warning", words, { setting: `strata.${setting}`, name, place: layer.place, instead: own.name });
  return own;
}
