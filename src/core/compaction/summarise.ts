/**
 * The words of a model about what goes: an ordinary request over the messages that go, which begins as the requests before
 * it, so that the provider's cache pays for most of it; the instruction stands in its tail (CONTEXT.md, section 5).
 */
import type { SummaryFailure } from "../../shared/compaction";
import type { Json, StrataMessage, Usage } from "../../shared/messages";
import type { AssembledRequest } from "../context/assemble";
import { foldedMessages } from "../history/applyMessage";
import { refKey } from "../history/conversation";
import type { Clock, ModelConnection } from "../ports";
import type { StepResult } from "../requests/request";
import type { AssembleRequest } from "../requests/requestBuilder";
import { isUnusable, readSummary, type SummarySections } from "./readSummary";

export const SUMMARY_TIMEOUT_MS = 120_000;
const SUMMARY_TOKENS = 2_000;
/** For models that think before they write, which counts as output. */
const THINKING_TOKENS = 8_000;
const MAX_TRIES = 3;

export interface SummariseInput {
  connection: ModelConnection;
  assemble: AssembleRequest;
  /** history from its beginning to the last message that goes */
  messages: readonly StrataMessage[];
  instruction: string;
}

export interface SummariseDeps {
  clock: Pick<Clock, "sleep">;
  /** Sends the request of a summary; never rejects but with StorageError. */
  send(request: AssembledRequest, connection: ModelConnection, signal: AbortSignal): Promise<StepResult>;
}

export type ModelSummary = ({ sections: SummarySections } | { failure: { code: SummaryFailure; message: string } }) & {
  /** over all tries, where the provider told */
  usage?: Usage;
};

/** Rejects with StorageError, and with the signal's reason when it is aborted. */
export async function summarise(
  input: SummariseInput,
  deps: SummariseDeps,
  signal: AbortSignal,
): Promise<ModelSummary> {
  const ended = new AbortController();
  let timedOut = false;
  const limit = deps.clock.sleep(SUMMARY_TIMEOUT_MS, ended.signal).then(
    () => {
      timedOut = true;
      ended.abort();
    },
    () => undefined,
  );
  const spent = new UsageTotal();
  try {
    const words = await trySummarise(input, deps, spent, AbortSignal.any([signal, ended.signal]));
    signal.throwIfAborted();
    if (timedOut || words === "stopped") {
      const message = "Summary generation timed out, keeping recent history only.";
      return { failure: { code: "timeout", message }, ...spent.usage };
    }
    return { ...words, ...spent.usage };
  } finally {
    ended.abort();
    await limit;
  }
}

async function trySummarise(
  input: SummariseInput,
  { send }: SummariseDeps,
  spent: UsageTotal,
  signal: AbortSignal,
): Promise<ModelSummary | "stopped"> {
  let { messages } = input;
  let most = SUMMARY_TOKENS;
  let complaint = "";
  let tooLong = Number.POSITIVE_INFINITY;
  let failure: Extract<ModelSummary, { failure: unknown }> | undefined;
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const connection = { ...input.connection, maxOutputTokens: most };
    const callOptions: Record<string, Json> = {
      providerOptions: connection.providerOptions,
      maxOutputTokens: most,
    };
    const instruction = input.instruction + complaint;
    const tail = [{ source: "prompt:summary", text: instruction }];
    const request = input.assemble({ messages, tail, callOptions });
    if (failure && request.tokens >= tooLong) return failure;
    const result = await send(request, connection, signal);
    if (result.kind === "stopped") return "stopped";
    if (result.kind === "failed") {
      const { code, message } = result.error;
      failure = { failure: { code: "failed", message } };
      if (code === "context-too-long") {
        tooLong = request.tokens;
        messages = allFolded(messages);
      } else if (code === "bad-answer") most = THINKING_TOKENS;
      else return failure;
      continue;
    }
    spent.add(result.usage);
    const text = result.parts.map(part => (part.type === "text" ? part.text : "")).join("\n");
    const sections = readSummary(text, instruction);
    if (!isUnusable(sections)) return { sections };
    failure = { failure: { code: "unusable", message: `The model's summary could not be used. ${sections.why}` } };
    complaint = `\n\nYour last answer could not be used. ${sections.why} Write the sections as text, and call no tool.`;
    if (result.finishReason === "length") most = THINKING_TOKENS;
  }
  return failure ?? "stopped";
}

function allFolded(messages: readonly StrataMessage[]): StrataMessage[] {
  const results = messages.flatMap(({ id: messageId, parts }) =>
    parts.flatMap(part => (part.type === "dynamic-tool" ? [{ messageId, callId: part.toolCallId }] : [])),
  );
  return foldedMessages(messages, [...new Map(results.map(ref => [refKey(ref), ref])).values()]);
}

class UsageTotal {
  private total: Usage | undefined;

  get usage(): { usage?: Usage } {
    return this.total ? { usage: this.total } : {};
  }

  add(usage: Usage | undefined): void {
    if (!usage) return;
    const { input = 0, output = 0, cachedInput = 0 } = this.total ?? {};
    this.total = {
      input: input + usage.input,
      output: output + usage.output,
      cachedInput: cachedInput + (usage.cachedInput ?? 0),
    };
  }
}
