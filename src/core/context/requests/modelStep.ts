/**
 * One model call: request out, stream in, outcome as data (ARCHITECTURE.md, invariant 7). The provider's package of the AI SDK is
 * asked through the SDK's interface of a model; one loop reads the parts that come. Retries, tools and permissions are the caller's.
 * Why: C-11.
 */
import type { ModelMessage } from "ai";
import { defined } from "../../../shared/defined";
import type { Json, MessagePart, Usage } from "../../../shared/messages";
import { wireName } from "../../../shared/toolTraits";
import type { AnswerPart, AnswerReader, Clock, ModelCall, ModelConnection, StreamedModel } from "../../ground/ports";
import { AnswerError } from "../../ground/ports";
import type { CachePlaces } from "../compose";
import { Answer, type StepDelta } from "./answer";

export interface ModelRequest {
  instructions: string;
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
  const left = new AbortController();
  const stop = () => left.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const silence = watchSilence(connection.timeoutMs, input.clock, error => left.abort(error));
  let unsendable: { reason: unknown } | undefined;
  let accounted = Promise.resolve();
  const beforeSend = async (bodySha256: string | null) => {
    left.signal.throwIfAborted();
    const told = input.beforeSend(bodySha256).then(silence.sound);
    accounted = told.catch(reason => {
      unsendable = { reason };
    });
    await told;
  };
  const end: StreamEnd = {};
  try {
    const { call, received } = toModelCall(request, connection);
    const reader = connection.answerReader?.((request.written ?? call.tools ?? []) as ReadTools);
    const reading = consume({
      ...{ end, reader, silence, left: left.signal },
      open: () => connection.open(beforeSend, silence.sound).doStream({ ...call, abortSignal: left.signal }),
      add: part => answer.add(received(part)),
    });
    // Not every provider hears the signal: a step that is left waits for its account alone.
    await Promise.race([reading, aborted(left.signal).then(() => accounted)]);
  } finally {
    silence.stop();
    signal.removeEventListener("abort", stop);
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

interface StreamEnd {
  finishReason?: string;
  rawReason?: string | undefined;
  usage?: Usage;
  responseModel?: string;
  failure?: { error: unknown };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => signal.addEventListener("abort", () => resolve(), { once: true }));

interface OpenAnswer {
  /** filled as parts come */
  end: StreamEnd;
  reader: AnswerReader | undefined;
  silence: ReturnType<typeof watchSilence>;
  left: AbortSignal;
  open(): ReturnType<StreamedModel["doStream"]>;
  add(part: AnswerPart): void;
}

/** Never rejects. */
async function consume({ end, reader, silence, left, open, add }: OpenAnswer): Promise<void> {
  try {
    const { stream } = await open();
    for await (const part of stream) {
      if (left.aborted) return;
      silence.sound();
      if (isContent(part)) silence.content();
      for (const read of reader?.read(part) ?? [part]) {
        if (read.type === "error") {
          end.failure = { error: read.error };
          return;
        }
        if (read.type === "finish") endWith(end, read);
        else if (read.type === "response-metadata") end.responseModel ??= read.modelId;
        else add(read);
      }
      if (reader?.isOver) return;
    }
  } catch (error) {
    end.failure = { error };
  }
}

type Finish = Extract<AnswerPart, { type: "finish" }>;

function endWith(end: StreamEnd, { finishReason, usage }: Finish): void {
  // Some providers' packages end a stream that was cut off as any other, only without its reason.
  const isCut = finishReason.unified === "other" && finishReason.raw === undefined;
  end.finishReason = isCut ? "interrupted" : finishReason.unified;
  end.rawReason = finishReason.raw;
  end.usage = toUsage(usage);
}

/** Thoughts, signs of life and empty pieces are none: with them alone a stream could go on for ever. */
const isContent = (part: AnswerPart): boolean =>
  part.type === "tool-call" ||
  (part.type === "text-delta" && part.delta !== "") ||
  (part.type === "tool-input-delta" && part.delta !== "");

/** No model reads, nor writes, so many tokens at once. */
const MAX_INPUT = 50_000_000;
const MAX_OUTPUT = 1_000_000;

/** Negative counts, no numbers and absurd ones count as not reported: they would reach the budget, the log and the person. */
function toUsage({ inputTokens, outputTokens, raw }: Finish["usage"]): Usage | undefined {
  const input = wholeCount(inputTokens.total, MAX_INPUT);
  const output = wholeCount(outputTokens.total, MAX_OUTPUT);
  // No request has none: servers that say nothing of it are read as if they had said 0.
  if (!input || output === undefined) return undefined;
  const cachedInput = saysCached(raw) ? wholeCount(inputTokens.cacheRead, input) : undefined;
  const cacheWrite = wholeCount(inputTokens.cacheWrite, input - (cachedInput ?? 0));
  const reasoning = wholeCount(outputTokens.reasoning, output);
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
  if (finishReason === undefined || finishReason === "interrupted" || finishReason === "error")
    return new AnswerError("cut", "the stream ended before the answer did", rawReason);
  if (finishReason === "other" && rawReason !== undefined && BROKEN.test(rawReason))
    return new AnswerError("cut", "the server broke the answer off", rawReason);
  return answer.hasContent
    ? undefined
    : new AnswerError("empty", "the answer has neither text nor a call", finishReason);
}

/** times the time-out: how long there may be signs of life, and nothing of an answer */
const MAX_IDLE = 15;

/** Aborts when nothing was heard for `timeoutMs` (up to a quarter more: a timer per chunk would cost more than it tells). */
function watchSilence(timeoutMs: number, clock: Clock, giveUp: (error: AnswerError) => void) {
  let quiet = 0;
  let idle = 0;
  let heard = clock.steady();
  const state = {
    silentMs: () => clock.steady() - heard,
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
    giveUp(state.error);
  };
  let cancel = clock.after(timeoutMs / 4, look);
  return state;
}

/**
 * The request as the SDK's interface takes it. Assistants' messages and results that need no change are the same objects from step
 * to step. `core/context/cacheMarks.ts` decides where a cache is to have its marks.
 * Names of tools: people, rules and the log call a foreign tool `server:tool`; providers take 64 letters, digits, `_` and `-`. So it
 * is renamed at the last moment and back at the first; names in messages are such ones by then (`compose.ts`).
 */
export function toModelCall(
  { instructions, messages, cached, tools }: ModelRequest,
  { cachePoint, reasoning, maxOutputTokens, providerOptions }: CallSettings,
): { call: ModelCall; received(part: AnswerPart): AnswerPart } {
  const here = new Map(tools.map(({ name }) => [wireName(name), name]));
  const marked = new Set(cachePoint && cached?.messages);
  const pieces = (cachePoint && cached?.instructions) ?? [{ text: instructions, isMarked: false }];
  const prompt: PromptMessage[] = pieces.map(({ text: content, isMarked }) => ({
    ...{ role: "system", content },
    ...(isMarked && { providerOptions: cachePoint }),
  }));
  for (const [at, message] of messages.entries()) {
    const { providerOptions: own } = message;
    const plain = toPromptMessage(message);
    prompt.push(marked.has(at + 1) ? { ...plain, providerOptions: { ...own, ...cachePoint } } : plain);
  }
  const call = {
    prompt,
    ...(tools.length > 0 && { tools: tools.map(toPromptTool), toolChoice: { type: "auto" } as const }),
    ...defined({ reasoning, maxOutputTokens: maxOutputTokens || undefined }),
    providerOptions,
  };
  return { call, received: part => withName(part, here) };
}

type CallSettings = Pick<ModelConnection, "cachePoint" | "reasoning" | "maxOutputTokens" | "providerOptions">;
type PromptMessage = ModelCall["prompt"][number];
type PromptTool = NonNullable<ModelCall["tools"]>[number];
// Not strict: OpenAI's Responses would make every optional parameter a required one.
const toPromptTool = ({ name, description, inputSchema }: RequestTool): PromptTool => ({
  ...{ type: "function", name: wireName(name), description, strict: false },
  inputSchema: inputSchema as Extract<PromptTool, { type: "function" }>["inputSchema"],
});

function toPromptMessage(message: ModelMessage): PromptMessage {
  const { role, content } = message;
  if (role === "system") return message;
  if (typeof content === "string") return { ...message, content: [{ type: "text", text: content }] } as PromptMessage;
  return role === "user" ? { ...message, content: content.flatMap(toUserPart) } : (message as PromptMessage);
}

type RequestPart = Exclude<Extract<ModelMessage, { role: "user" }>["content"], string>[number];

function toUserPart(part: RequestPart): Extract<PromptMessage, { role: "user" }>["content"][number][] {
  if (part.type === "text") return part.text === "" ? [] : [part];
  return part.type === "file" ? [{ ...part, data: { type: "data", data: part.data as string } }] : [];
}

function withName(part: AnswerPart, here: ReadonlyMap<string, string>): AnswerPart {
  if (part.type !== "tool-input-start" && part.type !== "tool-call") return part;
  const toolName = here.get(part.toolName);
  return toolName === undefined || toolName === part.toolName ? part : { ...part, toolName };
}
