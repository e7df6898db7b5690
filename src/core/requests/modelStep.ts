/**
 * One model call: request out, stream in, outcome as data (ARCHITECTURE.md, invariant 7). The AI SDK speaks to the provider;
 * tools carry no `execute`, so that it ends after one step and calls come back as calls. Retries, loop and permissions are
 * the caller's. The one module of the core that loads `ai`, and it does so with the first call: it takes longer to load
 * than everything else together.
 */
import type {
  Experimental_LanguageModelStreamPart,
  LanguageModel,
  LanguageModelUsage,
  ModelMessage,
  SystemModelMessage,
  ToolSet,
} from "ai";
import type { AgentEventOf } from "../../shared/events";
import type { Json, MessagePart, ToolCallPart, Usage } from "../../shared/messages";
import { AnswerError, type ModelConnection } from "../ports";

export interface ModelRequest {
  instructions: string | SystemModelMessage[];
  messages: ModelMessage[];
  tools: readonly { name: string; description: string; inputSchema: Json }[];
}

/** What is shown while an answer streams; the caller adds the request's id. */
export type StepDelta =
  | Omit<AgentEventOf<"text">, "requestId">
  | Omit<AgentEventOf<"reasoning">, "requestId">
  | Omit<AgentEventOf<"callInput">, "requestId">;

interface ModelStepInput {
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
  | { kind: "answered"; parts: MessagePart[]; usage?: Usage; finishReason: string }
  /** The person stopped it: what had come by then, without calls that were not complete. */
  | { kind: "stopped"; parts: MessagePart[] }
  /** `error` is for `connection.explain`. */
  | { kind: "failed"; error: unknown; parts: MessagePart[] };

/** Rejects only with what `beforeSend` rejects with; everything the model or network does is an outcome. `onDelta` must not throw. */
export async function modelStep(input: ModelStepInput): Promise<StepOutcome> {
  const { connection, request, signal } = input;
  if (signal.aborted) return { kind: "stopped", parts: [] };
  const answer = new Answer(request.tools, input.onDelta);
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
    end = await consume(stream, answer, silence);
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
    kind: "answered",
    parts: answer.parts(),
    finishReason: end.finishReason ?? "other",
    ...(end.usage ? { usage: end.usage } : {}),
  };
}

async function openStream(
  { connection, request }: ModelStepInput,
  open: () => LanguageModel,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<StreamPart>> {
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

async function consume(
  stream: ReturnType<typeof openStream>,
  answer: Answer,
  { sound, content }: Pick<ReturnType<typeof watchSilence>, "sound" | "content">,
): Promise<StreamEnd> {
  const end: StreamEnd = {};
  try {
    for await (const part of await stream) {
      sound();
      if (isContent(part.type)) content();
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

/** Thoughts and signs of life are none: with them alone a stream could go on for ever. */
const isContent = (type: string): boolean => type.startsWith("text") || type.startsWith("tool");

/** No model reads, nor writes, so many tokens at once. */
const MAX_INPUT = 50_000_000;
const MAX_OUTPUT = 1_000_000;

/** What is negative, no number or beyond all reason was not reported: it would reach the budget, the log and the person. */
function toUsage(usage: LanguageModelUsage): Usage | undefined {
  const input = wholeCount(usage.inputTokens, MAX_INPUT);
  const output = wholeCount(usage.outputTokens, MAX_OUTPUT);
  if (input === undefined || output === undefined) return undefined;
  const cachedInput = wholeCount(usage.inputTokenDetails.cacheReadTokens, input);
  const reasoning = wholeCount(usage.outputTokenDetails.reasoningTokens, output);
  return {
    input,
    output,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function wholeCount(reported: number | undefined, most: number): number | undefined {
  const count = Math.round(reported ?? Number.NaN);
  return count >= 0 && count <= most ? count : undefined;
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

/** times the time-out: how long there may be signs of life, and nothing of an answer */
const MAX_IDLE = 15;

/** Aborts when nothing was heard for `timeoutMs` (up to a quarter more: a timer per chunk would cost more than it tells). */
function watchSilence(timeoutMs: number) {
  const controller = new AbortController();
  let quiet = 0;
  let idle = 0;
  const state = {
    signal: controller.signal,
    error: undefined as AnswerError | undefined,
    /** A byte came. */
    sound: () => {
      quiet = 0;
    },
    /** Something of the answer came. */
    content: () => {
      idle = 0;
    },
    stop: () => clearInterval(timer),
  };
  const timer = setInterval(() => {
    quiet += 1;
    idle += 1;
    if (state.error || (quiet < 5 && idle < 4 * MAX_IDLE)) return;
    const seconds = Math.round(timeoutMs / 1000);
    state.error =
      quiet < 5
        ? new AnswerError("idle", `nothing of an answer came for ${MAX_IDLE * seconds} s`)
        : new AnswerError("timeout", `nothing came for ${seconds} s`);
    controller.abort(state.error);
  }, timeoutMs / 4);
  return state;
}

// The answer, as its parts stream.

type Prose = Extract<MessagePart, { type: "text" | "reasoning" }>;
/** A part of the stream of one model call. */
type StreamPart = Experimental_LanguageModelStreamPart<ToolSet>;
type Call = Extract<StreamPart, { type: "tool-call" }>;

/**
 * Collects the parts of one answer as they stream: text, reasoning and tool calls, in the order they began. What a
 * provider wants back with a part (reasoning signatures, item ids) stays with it.
 */
class Answer {
  private readonly all: MessagePart[] = [];
  private readonly open = new Map<string, Prose>();
  private readonly writing = new Map<string, { toolName: string; chars: number }>();

  constructor(
    private readonly tools: ModelRequest["tools"],
    private readonly onDelta: (delta: StepDelta) => void,
  ) {}

  add(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        this.addProse("text", part);
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.addProse("reasoning", part);
        break;
      case "tool-input-start":
        this.writing.set(part.id, { toolName: part.toolName, chars: 0 });
        break;
      case "tool-input-delta":
        this.writeInput(part.id, part.delta);
        break;
      case "tool-call":
        // An invalid call comes twice, as a call marked so and as a tool-error: this is the one that is used.
        this.all.push(this.call(part));
        break;
    }
  }

  /** Everything that came, without what is empty. */
  parts(): MessagePart[] {
    return this.all.filter(part => !("text" in part) || part.text !== "" || part.providerMetadata !== undefined);
  }

  /** The parts of an answer that did not come to its end: a call whose input broke off is dropped. */
  partsSoFar(): MessagePart[] {
    return this.parts().filter(part => part.type !== "dynamic-tool" || part.errorText === undefined);
  }

  /** Something a person or the loop can act on: text or a call. */
  get hasContent(): boolean {
    return this.all.some(part => part.type === "dynamic-tool" || (part.type === "text" && part.text.trim() !== ""));
  }

  private addProse(
    type: Prose["type"],
    piece: { type: string; id: string; text?: string; providerMetadata?: unknown },
  ): void {
    const key = `${type} ${piece.id}`;
    const open = piece.type.endsWith("-start") ? undefined : this.open.get(key);
    const prose: Prose = open ?? { type, text: "" };
    if (!open) this.all.push(prose);
    if (piece.type.endsWith("-end")) this.open.delete(key);
    else this.open.set(key, prose);
    prose.text += piece.text ?? "";
    if (piece.providerMetadata)
      prose.providerMetadata = plainJson(piece.providerMetadata) as NonNullable<Prose["providerMetadata"]>;
    if (piece.text) this.onDelta({ type, delta: piece.text });
  }

  private writeInput(callId: string, delta: string): void {
    const call = this.writing.get(callId);
    if (!call) return;
    call.chars += delta.length;
    this.onDelta({ type: "callInput", callId, toolName: call.toolName, chars: call.chars });
  }

  private call(call: Call): ToolCallPart {
    const metadata = call.providerMetadata && plainJson(call.providerMetadata);
    return {
      type: "dynamic-tool",
      toolName: call.toolName,
      toolCallId: call.toolCallId,
      state: "input-available",
      input: plainJson(call.input ?? {}),
      ...(call.invalid ? { errorText: this.complaint(call) } : {}),
      ...(metadata ? { callProviderMetadata: metadata as ToolCallPart["callProviderMetadata"] } : {}),
    };
  }

  /** What is wrong with the call, as the end of a sentence that whoever answers the call begins. */
  private complaint(call: Call): string {
    const names = this.tools.map(tool => tool.name);
    if (!names.includes(call.toolName)) return `there is no tool "${call.toolName}", only ${names.join(", ")}.`;
    return `it is not valid JSON (${rootMessage(call.error)}).`;
  }
}

/** Exactly what the log will hold: without `undefined`, which providers leave in their metadata. */
function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

function rootMessage(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  return current instanceof Error ? current.message : String(current);
}
