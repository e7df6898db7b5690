/** "Strata: Check Model Connection": one small request the way the agent sends them, streamed and with a tool. */
import type { ModelConnection, ModelFailure, Models, Stopwatch } from "../core/ground/ports";
import { AnswerError, NoModelError } from "../core/ground/ports";
import { untilAborted } from "../shared/async";
import { formatDuration } from "../shared/format";
import { t } from "../shared/l10n";
import { hostOf } from "../shared/nearAddress";

type ConnectionCheck = { ok: true; message: string } | { ok: false; failure: ModelFailure };

export async function checkConnection(models: Models, clock: Stopwatch, signal?: AbortSignal) {
  try {
    return await check(await models.connect(), clock, signal);
  } catch (error) {
    if (!(error instanceof NoModelError)) throw error;
    return {
      ok: false,
      failure: { code: "no-model", message: error.message, retryable: false },
    } satisfies ConnectionCheck;
  }
}

async function check(connection: ModelConnection, clock: Stopwatch, signal?: AbortSignal): Promise<ConnectionCheck> {
  const { name, address, protocol, warning } = connection;
  const started = clock.steady();
  try {
    await firstWords(connection, signal);
  } catch (error) {
    const failure = connection.explain(error, clock.steady() - started);
    const textual = failure.code === "no-tools" ? connection.withoutTools?.() : undefined;
    return textual ? check(textual, clock, signal) : { ok: false, failure };
  }
  const waited = formatDuration(clock.steady() - started);
  const message = t("Connected to {0} at {1}: the answer began after {2}.", name, hostOf(address), waited);
  return { ok: true, message: protocol && warning ? `${message} ${warning}` : message };
}

/** Resolves with the first thing that the model says, and leaves: the rest would only cost. Rejects with why it says nothing. Not every model hears the signal. */
async function firstWords(connection: ModelConnection, signal?: AbortSignal): Promise<void> {
  const left = new AbortController();
  const late = AbortSignal.timeout(connection.timeoutMs);
  const abortSignal = AbortSignal.any([left.signal, late, ...(signal ? [signal] : [])]);
  try {
    abortSignal.throwIfAborted();
    await untilAborted(heard(connection, abortSignal), abortSignal);
  } catch (error) {
    throw late.aborted ? new AnswerError("timeout", "no answer in time") : error;
  } finally {
    left.abort();
  }
}

async function heard(connection: ModelConnection, abortSignal: AbortSignal): Promise<void> {
  const inputSchema = { type: "object", properties: {} } as const;
  const model = connection.open(async () => undefined);
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "Reply with the word OK." }] }],
    tools: [{ type: "function", name: "NoOp", description: "Does nothing.", strict: false, inputSchema }],
    toolChoice: { type: "auto" },
    providerOptions: connection.providerOptions,
    abortSignal,
  });
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta" || part.type === "reasoning-delta" || part.type === "tool-call") return;
    const { unified, raw } = part.type === "finish" ? part.finishReason : {};
    // Without a reason, it was cut off.
    if (unified !== undefined && (unified !== "other" || raw !== undefined))
      throw new AnswerError("empty", "the answer is empty", unified);
  }
  throw new AnswerError("cut", "the stream ended before the answer did");
}
