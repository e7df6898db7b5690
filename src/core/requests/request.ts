/**
 * Sends one model request: it is accounted for before it leaves, and goes out again where that can help (docs/context.md).
 * Every attempt has a request id and a manifest of its own.
 */
import type { AgentEvent } from "../../shared/events";
import type { BreakCause, Manifest } from "../../shared/manifest";
import type { TurnError } from "../../shared/records";
import { countRequest } from "../../shared/tokenCount";
import { type AssembledRequest, layerTokens } from "../context/assemble";
import type { RequestLog } from "../context/requestLog";
import type { History } from "../history/history";
import {
  type Clock,
  type Ids,
  type Logger,
  type ModelConnection,
  type ModelFailure,
  type ModelFailureCode,
  type SettingsSource,
  StorageError,
} from "../ports";
import type { EndedRequest } from "./endedRequest";
import { modelStep, type StepOutcome } from "./modelStep";
import { reportRequest } from "./reportRequest";
import type { Spans } from "./spans";

export interface RequestPorts {
  settings: SettingsSource;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export interface RequestDeps extends RequestPorts {
  history: History;
  log: RequestLog;
  emit(event: AgentEvent): void;
  /** absent: nobody collects them */
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

/** How a step ended that was sent as often as that can help. `requestTokens`: estimate of the request. */
export type StepResult =
  | (Extract<StepOutcome, { kind: "answered" }> & { requestId: string; requestTokens: number })
  | (Extract<StepOutcome, { kind: "stopped" }> & { requestId: string })
  | { kind: "failed"; error: TurnError };

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

/** Sends the request until it is answered, stopped or has failed for good. Rejects with StorageError only. */
export async function requestStep(
  place: StepPlace & RequestPurpose,
  connection: ModelConnection,
  request: AssembledRequest,
  deps: RequestDeps,
  signal: AbortSignal,
): Promise<StepResult> {
  const failures = new Map<ModelFailureCode, number>();
  for (let attempt = 1; ; attempt++) {
    const requestId = deps.ids.next("req");
    const outcome = await sendOnce({ ...place, requestId, attempt }, connection, request, deps, signal);
    if (outcome.kind === "answered") return { ...outcome, requestId, requestTokens: request.tokens };
    if (outcome.kind === "stopped") return { ...outcome, requestId };
    if (outcome.error instanceof StorageError) throw outcome.error;
    const failure = connection.explain(outcome.error);
    // What had come of an answer that was cut off is kept for people; the retry sends the same request again.
    if (place.purpose === undefined && outcome.parts.length > 0) {
      const { turn, step } = place;
      const { parts } = outcome;
      await deps.history.append({ kind: "attempt", requestId, turn, step, parts, reason: failure.message });
    }
    const { code, message, status = null } = failure;
    deps.logger.log("warning", "model request failed", { requestId, runId: place.runId, code, status });
    const failed = (failures.get(code) ?? 0) + 1;
    failures.set(code, failed);
    const attempts = failure.retryable ? (attemptsByCode[code] ?? 1) : 1;
    if (failed >= attempts) return { kind: "failed", error: asTurnError(failure) };
    const delayMs = Math.min(MAX_DELAY_MS, failure.retryAfterMs ?? FIRST_DELAY_MS * 2 ** (failed - 1));
    deps.emit({ type: "retry", requestId, attempt: failed, attempts, delayMs, code, message });
    await deps.clock.sleep(delayMs, signal).catch(error => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return { kind: "stopped", requestId, parts: [] };
  }
}

async function sendOnce(
  place: StepPlace & RequestPurpose & { requestId: string; attempt: number },
  connection: ModelConnection,
  request: AssembledRequest,
  deps: RequestDeps,
  signal: AbortSignal,
) {
  const { requestId, turn, step, attempt } = place;
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
  const started = deps.clock.now();
  let manifest: Manifest | undefined;
  const outcome = await modelStep({
    connection,
    request,
    signal,
    onDelta: delta => deps.emit({ ...delta, requestId }),
    beforeSend: async bodySha256 => {
      const meta = { ...place, ts: deps.clock.now(), model: connection.name, bodySha256 };
      manifest = await deps.log.write(request, meta);
    },
  });
  if (manifest) report(manifest, { connection, request, outcome, start: started, end: deps.clock.now() }, deps);
  return outcome;
}

type Sent = Pick<EndedRequest, "connection" | "outcome" | "start" | "end"> & { request: AssembledRequest };

function report(manifest: Manifest, sent: Sent, deps: RequestDeps): void {
  const { requestId, runId, turn, step, attempt, purpose, totalTokens, sharedTokens, cause = null } = manifest;
  if (manifest.unexplained) {
    const facts = { requestId, runId, sharedTokens, totalTokens };
    deps.logger.log("error", "defect: the request's prefix broke without a cause", facts);
  }
  const facts = { turn, step, attempt, totalTokens, sharedTokens, cause };
  reportRequest({ ...sent, requestId, runId, ...(purpose && { purpose }), facts }, deps);
}

const actionsByCode: Partial<Record<ModelFailureCode, TurnError["actions"]>> = {
  "no-model": ["choose-model", "set-key"],
  auth: ["set-key", "check-connection", "retry"],
  "unknown-model": ["choose-model", "retry"],
  refused: ["check-connection", "choose-model", "retry"],
};

function asTurnError({ code, message }: ModelFailure): TurnError {
  return { code, message, actions: actionsByCode[code] ?? ["retry", "check-connection"] };
}
