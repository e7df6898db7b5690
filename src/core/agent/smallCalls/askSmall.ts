/**
 * One question to the model for small things: one request, a text as its answer, no tools, no history. It is accounted for as
 * every request is: in the daily log, in spans, and, in a session, by a manifest.
 * Such a request is accounted for beside the chain: it may leave while the next turn runs.
 */
import { inSentences } from "../../../shared/format";
import { plural } from "../../../shared/l10n";
import { textOf, type Usage } from "../../../shared/messages";
import { type AssembledRequest, assembleAlone } from "../../context/assemble";
import type { StepOutcome } from "../../context/requests/modelStep";
import { connectSideModel, type RequestPorts, sendOnce } from "../../context/requests/request";
import { toCallOptions } from "../../context/requests/requestBuilder";
import type { Spans } from "../../context/requests/spans";
import { type Hash, type ModelConnection, type Models, SessionError, type TextRedactor } from "../../ground/ports";
import { timeLimit } from "../../ground/ports/basics";

export interface AskSmallDeps extends RequestPorts {
  models: Models;
  hash: Hash;
  redactor: TextRedactor;
  spans?: Spans | undefined;
  /** Accounts for the request before it leaves; absent: it belongs to no session. */
  account?(
    request: AssembledRequest,
    sent: { requestId: string; model: string; bodySha256: string | null },
  ): Promise<void>;
}

interface SmallQuestion {
  purpose: "title" | "commit-message";
  /** the turn that it is about; absent: none */
  runId?: string;
  instruction: string;
  text: string;
  /** ms that an answer is waited for */
  patience: number;
}

interface SmallAnswer {
  text: string;
  requestId: string;
  model: string;
  /** absent: the server reports none */
  usage?: Usage;
}

/** For models that think before they write, which counts as output. */
const MAX_OUTPUT_TOKENS = 2_000;

/** Rejects with NoModelError, with SessionError where no answer came that can be used, and with the signal's reason. */
export async function askSmall(question: SmallQuestion, deps: AskSmallDeps, signal: AbortSignal): Promise<SmallAnswer> {
  const model = await connectSideModel("model.small", deps);
  signal.throwIfAborted();
  const maxOutputTokens = Math.min(model.maxOutputTokens ?? MAX_OUTPUT_TOKENS, MAX_OUTPUT_TOKENS);
  const connection = { ...model, maxOutputTokens };
  const limit = timeLimit(question.patience, deps.clock);
  try {
    for (;;) {
      const asked = await askOnce(question, connection, deps, AbortSignal.any([signal, limit.signal]));
      signal.throwIfAborted();
      if ("text" in asked) return asked;
      const failure = asked.kind === "failed" ? connection.explain(asked.error, asked.silentMs) : undefined;
      if (!failure) {
        const seconds = Math.round(question.patience / 1000);
        throw new SessionError(
          plural(
            seconds,
            "{1} did not answer within 1 second. Try again.",
            "{1} did not answer within {0} seconds. Try again.",
            connection.name,
          ),
        );
      }
      if (!failure.refused || !connection.leaveOut)
        throw new SessionError(inSentences([failure.message, failure.details]));
      connection.leaveOut(failure.refused);
    }
  } finally {
    limit.end();
  }
}

async function askOnce(
  { purpose, runId, instruction, text }: SmallQuestion,
  connection: ModelConnection,
  deps: AskSmallDeps,
  signal: AbortSignal,
): Promise<SmallAnswer | Exclude<StepOutcome, { kind: "answered" }>> {
  const { ids, hash, redactor } = deps;
  const about = { instruction, text: redactor.redact(text) };
  const request = assembleAlone({ purpose, ...about, callOptions: toCallOptions(connection), hash });
  const [requestId, model] = [ids.next("req"), connection.name];
  const outcome = await sendOnce(
    {
      ...{ requestId, ...(runId && { runId }), purpose, connection, request, signal },
      onDelta: () => undefined,
      async account(bodySha256) {
        await deps.account?.(request, { requestId, model, bodySha256 });
        return { totalTokens: request.tokens };
      },
    },
    deps,
  );
  if (outcome.kind !== "answered") return outcome;
  const { parts, usage } = outcome;
  return { text: textOf(parts), requestId, model, ...(usage && { usage }) };
}
