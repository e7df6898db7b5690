/**
 * What is said of a model request once it ended, beside its manifest: a line of the daily log without content, its content
 * where the person asked for that, and a span for their collector; and what it cost. Nothing of it can fail a request.
 */

import { withCost } from "../../../shared/cost";
import { defined } from "../../../shared/defined";
import type { Json } from "../../../shared/messages";
import type { Clock, Logger, ModelConnection, SettingsSource, Spending } from "../../ground/ports";
import type { StepOutcome } from "./modelStep";
import type { EndedRequest, Spans } from "./spans";

interface ReportDeps {
  settings: SettingsSource;
  logger: Logger;
  spans?: Spans | undefined;
}

export function reportRequest(ended: EndedRequest, { settings, logger, spans }: ReportDeps): void {
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

interface PriceDeps {
  clock: Clock;
  logger: Logger;
  /** absent: nobody keeps it */
  spending?: Spending | undefined;
}

/** The outcome with its cost in its usage, where that is known. Never rejects. */
export async function priced(
  outcome: StepOutcome,
  connection: ModelConnection,
  { clock, logger, spending }: PriceDeps,
): Promise<StepOutcome> {
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
