/**
 * One model call: request out, stream in, outcome as data (DESIGN.md, rule 7). The AI SDK speaks to the provider; tools
 * carry no `execute`, so that it ends after one step and calls come back as calls. Retries, loop and permissions are the
 * caller's. The one module of the core that loads `ai`, and it does so with the first call: it takes longer to load
 * than everything else together.
 */
import type { LanguageModel, ModelMessage, SystemModelMessage, ToolSet } from "ai";
import type { Json, MessagePart, Usage } from "../../shared/messages";
import { AnswerError, type ModelConnection } from "../ports";
import { Answer, type StepDelta, type StreamPart } from "./answer";

export type { StepDelta } from "./answer";

export interface ModelRequest {
  instructions: string | SystemModelMessage[];
  messages: ModelMessage[];
  tools: readonly { name: string; description: string; inputSchema: Json }[];
}

export interface ModelStepInput {
  connection: ModelConnection;
  request: ModelRequest;
  /** aborted on Stop */
  signal: AbortSignal;
  /** Awaited with the hash of the HTTP body before anything is sent; what it rejects with, `modelStep` rejects with. */
  beforeSend(bodySha256: string | null): Promise<void>;
  onDelta(delta: StepDelta): void;
}

export type StepOutcome =
  /** `usage` is absent where the server reports none. */
  | { kind: "done"; parts: MessagePart[]; usage?: Usage; finishReason: string }
  /** The person stopped it: what had come by then, without calls that were not complete. */
  | { kind: "stopped"; parts: MessagePart[] }
  /** `error` is for `connection.explain`. */
  | { kind: "failed"; error: unknown; parts: MessagePart[] };

/** Rejects only with what `beforeSend` rejects with; everything the model or network does is an outcome. `onDelta` must not throw. */
export async function modelStep(input: ModelStepInput): Promise<StepOutcome> {
  const { connection, request, signal } = input;
  if (signal.aborted) return { kind: "stopped", parts: [] };
  const answer = new Answer(
    request.tools.map(tool => tool.name),
    input.onDelta,
  );
  const silence = watchSilence(connection.timeoutMs);
  const left = new AbortController();
  let unsendable: { reason: unknown } | undefined;
  const beforeSend = async (bodySha256: string | null) => {
    await input.beforeSend(bodySha256).catch(reason => {
      unsendable = { reason };
      throw reason;
    });
    silence.sound();
  };
  const open = () => connection.open(beforeSend, silence.sound);
  let end: StreamEnd = {};
  try {
    const stream = openStream(input, open, AbortSignal.any([signal, silence.signal, left.signal]));
    end = await consume(stream, answer, silence.sound);
  } finally {
    silence.stop();
    // A connection that is left in the middle would go on streaming for nobody.
    if (end.finishReason === undefined) left.abort();
  }
  if (unsendable) throw unsendable.reason;
  if (end.finishReason === undefined && signal.aborted) return { kind: "stopped", parts: answer.partsSoFar() };
  const timedOut = end.finishReason === undefined ? silence.error : undefined;
  const error = timedOut ?? end.failure?.error ?? findAnswerError(end.finishReason, answer);
  if (error !== undefined) return { kind: "failed", error, parts: answer.partsSoFar() };
  return {
    kind: "done",
    parts: answer.parts(),
    finishReason: end.finishReason ?? "other",
    ...(end.usage ? { usage: end.usage } : {}),
  };
}

type Stream = AsyncIterable<StreamPart>;

async function openStream(
  { connection, request }: ModelStepInput,
  open: () => LanguageModel,
  abortSignal: AbortSignal,
): Promise<Stream> {
  const { experimental_streamLanguageModelCall: streamModelCall, jsonSchema, tool } = await import("ai");
  // The SDK's own switch: what it would print tells the person nothing that they could act on.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const tools: ToolSet = {};
  for (const { name, description, inputSchema } of request.tools) {
    const schema = jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]);
    // Not strict: OpenAI's Responses would make every optional parameter a required one.
    tools[name] = tool({ description, inputSchema: schema, strict: false });
  }
  const { stream } = await streamModelCall({
    model: open(),
    instructions: request.instructions,
    messages: request.messages,
    allowSystemInMessages: true,
    tools,
    ...(connection.maxOutputTokens ? { maxOutputTokens: connection.maxOutputTokens } : {}),
    providerOptions: connection.providerOptions,
    abortSignal,
  });
  return stream;
}

interface StreamEnd {
  finishReason?: string;
  usage?: Usage;
  failure?: { error: unknown };
}

async function consume(stream: Promise<Stream>, answer: Answer, sound: () => void): Promise<StreamEnd> {
  const end: StreamEnd = {};
  try {
    for await (const part of await stream) {
      sound();
      if (part.type === "error") return { failure: { error: part.error } };
      if (part.type === "model-call-end") {
        end.finishReason = part.finishReason;
        end.usage = toUsage(part.usage);
      } else answer.add(part);
    }
    return end;
  } catch (error) {
    return { failure: { error } };
  }
}

function toUsage(usage: {
  inputTokens?: number;
  outputTokens?: number;
  inputTokenDetails?: { cacheReadTokens?: number };
  outputTokenDetails?: { reasoningTokens?: number };
}): Usage | undefined {
  if (usage.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  const cachedInput = usage.inputTokenDetails?.cacheReadTokens;
  const reasoning = usage.outputTokenDetails?.reasoningTokens;
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

/** The stream ended and nobody reported an error: is what came an answer? */
function findAnswerError(finishReason: string | undefined, answer: Answer): AnswerError | undefined {
  // "interrupted": the SDK's word for a stream that closed without the provider's last word.
  if (finishReason === undefined || finishReason === "interrupted" || finishReason === "error") {
    return new AnswerError("cut", "the stream ended before the answer did", finishReason);
  }
  return answer.hasContent
    ? undefined
    : new AnswerError("empty", "the answer has neither text nor a call", finishReason);
}

/** Aborts when nothing was heard for `timeoutMs` (up to a quarter more: a timer per chunk would cost more than it tells). */
function watchSilence(timeoutMs: number) {
  const controller = new AbortController();
  let quiet = 0;
  const state = {
    signal: controller.signal,
    error: undefined as AnswerError | undefined,
    sound: () => {
      quiet = 0;
    },
    stop: () => clearInterval(timer),
  };
  const timer = setInterval(() => {
    quiet += 1;
    if (quiet < 5 || state.error) return;
    state.error = new AnswerError("timeout", `nothing came for ${Math.round(timeoutMs / 1000)} s`);
    controller.abort(state.error);
  }, timeoutMs / 4);
  return state;
}
