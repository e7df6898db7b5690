/**
 * A model that plays a script through the SDK's interface, so that the real model step runs. Each request takes the
 * next answer; what was asked is kept.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelConnection, ModelFailure, Models, OptionalPart } from "../../src/core/ground/ports";
import { NoModelError } from "../../src/core/ground/ports";
import type { Json, ModelPrices } from "../../src/shared/messages";

export interface ScriptedAnswer {
  text?: string;
  reasoning?: string;
  calls?: { name: string; input: Json | string; id?: string }[];
  finish?: "stop" | "length" | "content-filter";
  input?: number;
  output?: number;
  /** of `input` */
  cached?: number;
  written?: number;
  /** Fails before anything came, or, with `text`, after it. */
  fail?: ModelFailure;
  /** Streams its text and then says nothing until it is aborted. */
  hang?: boolean;
}

class ScriptedFailure extends Error {
  constructor(readonly failure: ModelFailure) {
    super(failure.message);
  }
}

export class ScriptedModels implements Models {
  readonly requests: LanguageModelV4CallOptions[] = [];
  timeoutMs = 60_000;
  private answers: ScriptedAnswer[] = [];
  private calls = 0;
  /** What it answers when the script is over, once that is known. */
  later: (() => Promise<ScriptedAnswer>) | undefined;
  /** Answers by what is asked, before the script: of several conversations at once. */
  route: ((options: LanguageModelV4CallOptions) => ScriptedAnswer | undefined) | undefined;
  connectError: Error | undefined;
  name = "scripted";
  /** undefined: nobody knows what it costs */
  prices: ModelPrices | undefined;
  /** tokens */
  contextWindow = 200_000;
  /** models that others name, and their windows */
  readonly others = new Map<string, number>();
  /** names of those that requests went to, in order */
  readonly asked: string[] = [];
  /** what requests go without since they were refused */
  readonly leftOut: OptionalPart[] = [];
  /** false: the server counts nothing */
  reportsUsage = true;
  /** answers to requests for a summary, first; without any, the script goes on */
  readonly summaries: ScriptedAnswer[] = [];
  readonly summaryRequests: LanguageModelV4CallOptions[] = [];

  play(...answers: ScriptedAnswer[]): this {
    this.answers.push(...answers);
    return this;
  }

  async connect({ name = this.name }: { name?: string } = {}): Promise<ModelConnection> {
    if (this.connectError) throw this.connectError;
    if (name === "nowhere") throw new NoModelError("There is no such model.");
    return {
      name,
      address: "nowhere",
      pricesAt: async () => this.prices,
      contextWindow: this.others.get(name) ?? this.contextWindow,
      providerOptions: {},
      ...{ timeoutMs: this.timeoutMs, maxAnswerLength: 10_000_000 },
      open: beforeSend => this.open(name, beforeSend),
      leaveOut: part => void this.leftOut.push(part),
      explain: error =>
        error instanceof ScriptedFailure
          ? error.failure
          : { code: "bad-answer", message: error instanceof Error ? error.message : String(error), retryable: false },
    };
  }

  private open(name: string, beforeSend: (bodySha256: string | null) => Promise<void>) {
    return {
      doStream: async (options: LanguageModelV4CallOptions) => {
        this.asked.push(name);
        await beforeSend(null);
        const answer = await this.next(options);
        if (answer.fail && !answer.text) throw new ScriptedFailure(answer.fail);
        return { stream: streamed(this.chunks(answer), answer, options.abortSignal) };
      },
    };
  }

  private async next(options: LanguageModelV4CallOptions): Promise<ScriptedAnswer> {
    const asked = options.prompt.at(-1);
    const summary = asked?.role === "user" && JSON.stringify(asked.content).includes("Write the archive summary of");
    const answer = summary ? this.summaries.shift() : undefined;
    (answer ? this.summaryRequests : this.requests).push(options);
    return (
      answer ??
      this.route?.(options) ??
      this.answers.shift() ??
      (await this.later?.()) ?? { text: "The script is over." }
    );
  }

  private chunks({ text, reasoning, calls = [], finish = "stop", input = 100, output = 10, ...rest }: ScriptedAnswer) {
    const { cached = 0, written = 0 } = rest;
    const chunks: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }];
    if (reasoning) {
      chunks.push(
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: reasoning },
        { type: "reasoning-end", id: "r" },
      );
    }
    if (text)
      chunks.push(
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: text },
        { type: "text-end", id: "t" },
      );
    for (const call of calls) {
      const toolCallId = call.id ?? `call_${++this.calls}`;
      const json = typeof call.input === "string" ? call.input : JSON.stringify(call.input);
      chunks.push({ type: "tool-call", toolCallId, toolName: call.name, input: json });
    }
    const unified = calls.length > 0 ? "tool-calls" : finish;
    chunks.push({
      type: "finish",
      finishReason: { unified, raw: unified },
      usage: {
        inputTokens: {
          total: this.reportsUsage ? input : undefined,
          ...{ noCache: input - cached - written, cacheRead: cached, cacheWrite: written },
        },
        outputTokens: { total: output, text: output, reasoning: 0 },
      },
    });
    return chunks;
  }
}

/** It ends with the answer, breaks, or hangs until it is aborted. */
async function* streamed(chunks: LanguageModelV4StreamPart[], { fail, hang }: ScriptedAnswer, signal?: AbortSignal) {
  yield* fail || hang ? chunks.slice(0, -1) : chunks;
  if (fail) yield { type: "error" as const, error: new ScriptedFailure(fail) };
  else if (hang && !signal?.aborted) await new Promise(resolve => signal?.addEventListener("abort", resolve));
  if (hang) throw signal?.reason;
}

/** What the tests look at of a request: its messages as `role: text`. */
export function transcript(options: LanguageModelV4CallOptions): string[] {
  return options.prompt.map(message => {
    if (message.role === "system") return "system";
    const parts = message.content.map(part => {
      if (part.type === "text" || part.type === "reasoning") return part.text;
      if (part.type === "tool-call") return `${part.toolName}(${JSON.stringify(part.input)})`;
      if (part.type === "tool-result") return part.output.type === "text" ? part.output.value : part.output.type;
      return part.type;
    });
    return `${message.role}: ${parts.join(" | ")}`;
  });
}
