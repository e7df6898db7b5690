/**
 * One model call: request out, stream in, outcome as data (ARCHITECTURE.md, invariant 7). The AI SDK speaks to the provider;
 * tools carry no `execute`, so that it ends after one step and calls come back as calls. Retries, loop and permissions are
 * the caller's. The one module of the core that loads `ai`, and it does so with the first call: it takes longer to load
 * than everything else together.
 * Why: C-11.
 */
import type {
  AssistantContent,
  LanguageModel,
  LanguageModelUsage,
  ModelMessage,
  SystemModelMessage,
  ToolContent,
  ToolSet,
} from "ai";
import { defined } from "../../../shared/defined";
import type { Json, MessagePart, Usage } from "../../../shared/messages";
import { AnswerError, type AnswerPart, type AnswerReader, type Clock, type ModelConnection } from "../../ground/ports";
import { isPlainName, MAX_NAME, wireName } from "../../tool/wireName";
import type { CachePlaces } from "../compose";
import { Answer, type StepDelta } from "./answer";

export type { StepDelta } from "./answer";

export interface ModelRequest {
  instructions: string | SystemModelMessage[];
  messages: ModelMessage[];
  /** up to where it is to be cached; absent: not known */
  cached?: CachePlaces;
  tools: readonly RequestTool[];
  /** described in the instructions: known here so that calls of them are understood, sent nowhere */
  written?: readonly RequestTool[];
}

type RequestTool = { name: string; description: string; inputSchema: Json };

interface ModelStepInput {
  connection: ModelConnection;
  request: ModelRequest;
  signal: AbortSignal;
  /** Awaited with the hash of the HTTP body before anything is sent; what it rejects with, `modelStep` rejects with. */
  beforeSend(bodySha256: string | null): Promise<void>;
  onDelta(delta: StepDelta): void;
  clock: Clock;
}

export type StepOutcome =
  /** `usage` and `responseModel` (the model that the server says it asked) are absent where the server reports none. */
  | { kind: "answered"; parts: MessagePart[]; usage?: Usage; finishReason: string; responseModel?: string }
  /** The person stopped it: what had come by then, without calls that were not complete. */
  | { kind: "stopped"; parts: MessagePart[] }
  /** `error` and for how long nothing had been heard are for `connection.explain`. */
  | { kind: "failed"; error: unknown; silentMs?: number; parts: MessagePart[] };

/** Rejects only with what `beforeSend` rejects with; everything the model or network does is an outcome. `onDelta` must not throw. */
export async function modelStep(input: ModelStepInput): Promise<StepOutcome> {
  const { connection, request, signal } = input;
  if (signal.aborted) return { kind: "stopped", parts: [] };
  const answer = new Answer(request.written ?? request.tools, input.onDelta, connection);
  const silence = watchSilence(connection.timeoutMs, input.clock);
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
  const wire = onTheWire(request);
  try {
    const sent = { connection, request: wire.request };
    const stream = openStream(sent, open, AbortSignal.any([signal, silence.signal, left.signal]));
    const reader = connection.answerReader?.((wire.request.written ?? wire.request.tools) as ReadTools);
    end = await consume(stream, reader, part => answer.add(wire.received(part)), silence);
  } finally {
    silence.stop();
    // A connection that is left in the middle would stream on.
    if (end.finishReason === undefined) left.abort();
  }
  if (unsendable) throw unsendable.reason;
  if (end.finishReason === undefined && signal.aborted) return { kind: "stopped", parts: answer.partsSoFar() };
  if (end.finishReason === "length") answer.cutOff();
  const timedOut = end.finishReason === undefined ? silence.error : undefined;
  const error = timedOut ?? end.failure?.error ?? findAnswerError(end, answer);
  if (error !== undefined) return { kind: "failed", error, silentMs: silence.silentMs(), parts: answer.partsSoFar() };
  return {
    kind: "answered",
    parts: answer.parts(),
    finishReason: finishReason(end, answer),
    ...defined({ usage: end.usage }),
    ...(end.responseModel ? { responseModel: end.responseModel } : {}),
  };
}

type ReadTools = Parameters<NonNullable<ModelConnection["answerReader"]>>[0];

async function openStream(
  { connection, request }: Pick<ModelStepInput, "connection" | "request">,
  open: () => LanguageModel,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<AnswerPart>> {
  const { instructions, messages } = request;
  const { experimental_streamLanguageModelCall: streamModelCall, jsonSchema, tool } = await import("ai");
  // The SDK's own switch: what it would print tells the person nothing that they could act on.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const tools: ToolSet = Object.fromEntries(
    (request.written ?? request.tools).map(({ name, description, inputSchema }) => {
      const schema = jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]);
      // Not strict: OpenAI's Responses would make every optional parameter a required one.
      return [name, tool({ description, inputSchema: schema, strict: false })];
    }),
  );
  const { stream } = await streamModelCall({
    model: open(),
    ...(connection.cachePoint ? withCachePoints(request, connection.cachePoint) : { instructions, messages }),
    allowSystemInMessages: true,
    tools,
    ...defined({ reasoning: connection.reasoning }),
    ...(connection.maxOutputTokens ? { maxOutputTokens: connection.maxOutputTokens } : {}),
    providerOptions: connection.providerOptions,
    abortSignal,
  });
  return stream;
}

interface StreamEnd {
  finishReason?: string;
  rawReason?: string | undefined;
  usage?: Usage;
  responseModel?: string;
  failure?: { error: unknown };
}

async function consume(
  stream: ReturnType<typeof openStream>,
  reader: AnswerReader | undefined,
  add: (part: AnswerPart) => void,
  { sound, content }: ReturnType<typeof watchSilence>,
): Promise<StreamEnd> {
  const end: StreamEnd = {};
  try {
    for await (const part of await stream) {
      sound();
      if (isContent(part)) content();
      for (const read of reader?.read(part) ?? [part]) {
        if (read.type === "error") return { failure: { error: read.error } };
        if (read.type === "model-call-end") endWith(end, read);
        else if (read.type === "model-call-response-metadata") end.responseModel ??= read.modelId;
        else add(read);
      }
      if (reader?.isOver) return end;
    }
    return end;
  } catch (error) {
    return { failure: { error } };
  }
}

function endWith(end: StreamEnd, part: Extract<AnswerPart, { type: "model-call-end" }>): void {
  // Some providers' packages end a stream that was cut off as any other, only without its reason.
  const isCut = part.finishReason === "other" && part.rawFinishReason === undefined;
  end.finishReason = isCut ? "interrupted" : part.finishReason;
  end.rawReason = part.rawFinishReason;
  end.usage = toUsage(part.usage);
}

/** Thoughts, signs of life and empty pieces are none: with them alone a stream could go on for ever. */
const isContent = (part: AnswerPart): boolean =>
  part.type === "tool-call" ||
  (part.type === "text-delta" && part.text !== "") ||
  (part.type === "tool-input-delta" && part.delta !== "");

/** No model reads, nor writes, so many tokens at once. */
const MAX_INPUT = 50_000_000;
const MAX_OUTPUT = 1_000_000;

/** Negative counts, no numbers and absurd ones count as not reported: they would reach the budget, the log and the person. */
function toUsage(usage: LanguageModelUsage): Usage | undefined {
  const input = wholeCount(usage.inputTokens, MAX_INPUT);
  const output = wholeCount(usage.outputTokens, MAX_OUTPUT);
  // No request has none: servers that say nothing of it are read as if they had said 0.
  if (!input || output === undefined) return undefined;
  const { cacheReadTokens, cacheWriteTokens } = usage.inputTokenDetails;
  const cachedInput = saysCached(usage.raw) ? wholeCount(cacheReadTokens, input) : undefined;
  const cacheWrite = wholeCount(cacheWriteTokens, input - (cachedInput ?? 0));
  const reasoning = wholeCount(usage.outputTokenDetails.reasoningTokens, output);
  return {
    input,
    output,
    ...defined({ cachedInput }),
    ...(cacheWrite !== undefined && cacheWrite > 0 && { cacheWrite }),
    ...defined({ reasoning }),
  };
}

/** The SDK has 0 for what a server says nothing of: the server's own words tell which it is. */
function saysCached(raw: unknown, depth = 3): boolean {
  if (raw === undefined) return true;
  if (typeof raw !== "object" || raw === null || depth === 0) return false;
  return Object.entries(raw).some(
    ([key, value]) =>
      (typeof value === "number" && key.toLowerCase().includes("cach")) || saysCached(value ?? null, depth - 1),
  );
}

function wholeCount(reported: number | undefined, most: number): number | undefined {
  const count = Math.round(reported ?? Number.NaN);
  return count >= 0 && count <= most ? count : undefined;
}

/**
 * Servers' words for an answer that they did not bring to its end: `network_error` (Zhipu), `insufficient_system_resource`
 * (DeepSeek), `abort` (vLLM, SGLang), `MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL` (Google), `error` (OpenRouter).
 */
const BROKEN =
  /error|insufficient|malformed|abort|cancel|unexpected_tool|too_many_tool|missing_thought|overload|unavailable|time_?(?:out|_?limit)|interrupt|disconnect|fail/i;

/** Calls that the provider ran itself are no calls of ours: some servers end such an answer as if they were. */
const finishReason = ({ finishReason: reason = "other" }: StreamEnd, { hasOnlyForeignCalls }: Answer): string =>
  reason === "tool-calls" && hasOnlyForeignCalls ? "stop" : reason;

/** The stream ended without an error: is it an answer? */
function findAnswerError({ finishReason, rawReason }: StreamEnd, answer: Answer): AnswerError | undefined {
  // "interrupted": the SDK's word for a stream that closed without the provider's last word.
  if (finishReason === undefined || finishReason === "interrupted" || finishReason === "error") {
    return new AnswerError("cut", "the stream ended before the answer did", rawReason);
  }
  if (finishReason === "other" && rawReason !== undefined && BROKEN.test(rawReason))
    return new AnswerError("cut", "the server broke the answer off", rawReason);
  return answer.hasContent
    ? undefined
    : new AnswerError("empty", "the answer has neither text nor a call", finishReason);
}

/** times the time-out: how long there may be signs of life, and nothing of an answer */
const MAX_IDLE = 15;

/** Aborts when nothing was heard for `timeoutMs` (up to a quarter more: a timer per chunk would cost more than it tells). */
function watchSilence(timeoutMs: number, clock: Clock) {
  const controller = new AbortController();
  let quiet = 0;
  let idle = 0;
  let heard = clock.steady();
  const state = {
    silentMs: () => clock.steady() - heard,
    signal: controller.signal,
    error: undefined as AnswerError | undefined,
    sound: () => {
      quiet = 0;
      heard = clock.steady();
    },
    content: () => {
      idle = 0;
    },
    stop: () => cancel(),
  };
  const look = () => {
    cancel = clock.after(timeoutMs / 4, look);
    quiet += 1;
    idle += 1;
    if (state.error || (quiet < 5 && idle < 4 * MAX_IDLE)) return;
    const seconds = Math.round(timeoutMs / 1000);
    state.error =
      quiet < 5
        ? new AnswerError("idle", `nothing of an answer came for ${MAX_IDLE * seconds} s`)
        : new AnswerError("timeout", `nothing came for ${seconds} s`);
    controller.abort(state.error);
  };
  let cancel = clock.after(timeoutMs / 4, look);
  return state;
}

type MarkedContent = Omit<ModelRequest, "tools" | "written">;

/** A copy of the request with marks on it, as its provider takes them; `core/context/cacheMarks.ts` decides where. */
export function withCachePoints(
  { instructions, messages, cached }: MarkedContent,
  cachePoint: NonNullable<ModelConnection["cachePoint"]>,
): Omit<MarkedContent, "cached"> {
  if (!cached) return { instructions, messages };
  const places = new Set(cached.messages);
  return {
    instructions: cached.instructions.map(({ text, isMarked }) => ({
      role: "system",
      content: text,
      ...(isMarked ? { providerOptions: cachePoint } : {}),
    })),
    messages: messages.map((message, at) =>
      places.has(at + 1) ? { ...message, providerOptions: { ...message.providerOptions, ...cachePoint } } : message,
    ),
  };
}

/**
 * Names of tools on the wire. People, rules and the log call a foreign tool `server:tool`; providers take 64 letters, digits,
 * `_` and `-`. So it is renamed at the last moment and back at the first.
 */
interface NamedRequest {
  messages: ModelMessage[];
  tools: readonly { name: string; description: string; inputSchema: Json }[];
}

interface WireForm<Request> {
  request: Request;
  /** A part of the answer, with the name that the tool has here. */
  received(part: AnswerPart): AnswerPart;
}

/** A request with names that every provider takes. Most have no other, and stay the same object. */
export function onTheWire<Request extends NamedRequest>(request: Request): WireForm<Request> {
  if (!hasOtherNames(request)) return { request, received: part => part };
  const here = new Map<string, string>();
  for (const { name } of request.tools) here.set(freeName(wireName(name), here), name);
  const there = new Map([...here].map(([wire, name]) => [name, wire]));
  const sent = (name: string) => there.get(name) ?? wireName(name);
  return {
    request: {
      ...request,
      tools: request.tools.map(tool => ({ ...tool, name: sent(tool.name) })),
      messages: request.messages.map(message => renamed(message, sent)),
    },
    received(part) {
      if (part.type === "tool-input-start") return { ...part, toolName: here.get(part.toolName) ?? part.toolName };
      if (part.type !== "tool-call") return part;
      const toolName = here.get(part.toolName) ?? part.toolName;
      // Some models use the name from the text: it is the same tool.
      const isMeant = part.invalid && there.has(part.toolName) && typeof part.input === "object";
      return { ...part, toolName, ...(isMeant && { invalid: false }) } as AnswerPart;
    },
  };
}

/** Two names with the same hash are hardly an accident: the later one gets a number. */
function freeName(wire: string, taken: ReadonlyMap<string, string>): string {
  let free = wire;
  for (let number = 2; taken.has(free); number++) {
    const end = `_${number}`;
    free = wire.slice(0, MAX_NAME - end.length) + end;
  }
  return free;
}

function hasOtherNames({ tools, messages }: NamedRequest): boolean {
  if (tools.some(({ name }) => !isPlainName(name))) return true;
  return messages.some(({ content }) => typeof content !== "string" && content.some(part => !isPlain(part)));
}

const isPlain = (part: object): boolean => !("toolName" in part) || isPlainName(String(part.toolName));

type ContentParts = Exclude<AssistantContent | ToolContent, string>;

function renamed(message: ModelMessage, sent: (name: string) => string): ModelMessage {
  if (typeof message.content === "string" || message.content.every(isPlain)) return message;
  const content = (message.content as ContentParts).map(part =>
    "toolName" in part ? { ...part, toolName: sent(part.toolName) } : part,
  );
  return { ...message, content } as ModelMessage;
}
