/** "Strata: Check Model Connection": one small request the way the agent sends them, streamed and with a tool. */
import type { ModelConnection, ModelFailure, Models, Stopwatch } from "../core/ground/ports";
import { AnswerError, NoModelError } from "../core/ground/ports";
import { formatDuration } from "../shared/format";
import { t } from "../shared/l10n";
import { hostOf } from "../shared/nearAddress";

type ConnectionCheck = { ok: true; message: string } | { ok: false; failure: ModelFailure };

export async function checkConnection(
  models: Models,
  clock: Stopwatch,
  signal?: AbortSignal,
): Promise<ConnectionCheck> {
  let connection: ModelConnection;
  try {
    connection = await models.connect();
  } catch (error) {
    if (!(error instanceof NoModelError)) throw error;
    return { ok: false, failure: { code: "no-model", message: error.message, retryable: false } };
  }
  return check(connection, clock, signal);
}

async function check(connection: ModelConnection, clock: Stopwatch, signal?: AbortSignal): Promise<ConnectionCheck> {
  const { name, address, protocol, warning } = connection;
  const started = clock.steady();
  const outcome = await firstWords(connection, signal);
  if ("error" in outcome) {
    const failure = connection.explain(outcome.error, clock.steady() - started);
    const textual = failure.code === "no-tools" ? connection.withoutTools?.() : undefined;
    return textual ? check(textual, clock, signal) : { ok: false, failure };
  }
  const waited = formatDuration(clock.steady() - started);
  const message = t("Connected to {0} at {1}: the answer began after {2}.", name, hostOf(address), waited);
  return { ok: true, message: protocol && warning ? `${message} ${warning}` : message };
}

/** Resolves with the first thing that the model says, and leaves: the rest would only cost. Not every model hears the signal. */
async function firstWords(
  connection: ModelConnection,
  signal?: AbortSignal,
): Promise<{ heard: true } | { error: unknown }> {
  const left = new AbortController();
  const late = AbortSignal.timeout(connection.timeoutMs);
  const abortSignal = AbortSignal.any([left.signal, late, ...(signal ? [signal] : [])]);
  if (abortSignal.aborted) return { error: abortSignal.reason };
  const aborted = new Promise<{ error: unknown }>(resolve =>
    abortSignal.addEventListener("abort", () =>
      resolve({ error: late.aborted ? new AnswerError("timeout", "no answer in time") : abortSignal.reason }),
    ),
  );
  try {
    return await Promise.race([heard(connection, abortSignal), aborted]);
  } catch (error) {
    return { error };
  } finally {
    left.abort();
  }
}

async function heard(connection: ModelConnection, abortSignal: AbortSignal): ReturnType<typeof firstWords> {
  const { stream } = await connection
    .open(async () => undefined)
    .doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Reply with the word OK." }] }],
      tools: [
        {
          ...{ type: "function", name: "NoOp", description: "Does nothing.", strict: false },
          inputSchema: { type: "object", properties: {} },
        },
      ],
      toolChoice: { type: "auto" },
      providerOptions: connection.providerOptions,
      abortSignal,
    });
  for await (const part of stream) {
    if (part.type === "error") return { error: part.error };
    if (part.type === "text-delta" || part.type === "reasoning-delta" || part.type === "tool-call")
      return { heard: true };
    const { unified, raw } = part.type === "finish" ? part.finishReason : {};
    // Without a reason, it was cut off.
    if (unified !== undefined && (unified !== "other" || raw !== undefined))
      return { error: new AnswerError("empty", "the answer is empty", unified) };
  }
  return { error: new AnswerError("cut", "the stream ended before the answer did") };
}
