/** Events of Chat Completions, from any of its many servers, as the parts of an answer. Each is read as far as it says something. */
import { AnswerError, type AnswerPart } from "../../core/ground/ports";
import { isObject, parseJson } from "../../shared/isObject";
import type { Json } from "../../shared/messages";
import { type EventItem, isError, isText, type JsonFields, NotAnAnswerError } from "../events/eventReader";
import type { SdkFinish } from "../sdk/prompt";

/** Under this name stand its options, and what it keeps with parts of an answer. */
export const COMPATIBLE = "compatible";

/** Other words for how an answer ended. */
const ENDS: readonly [SdkFinish["finishReason"]["unified"], RegExp][] = [
  ["stop", /^(?:stop|end_turn|eos|eos_token|stop_sequence|complete|completed|normal|finished)$/i],
  [
    "length",
    /^(?:length|max_?tokens|max_(?:output|completion|new)_tokens|model_length|token_limit|model_context_window_exceeded)$/i,
  ],
  ["tool-calls", /^(?:tool_calls?|tool_use|function_call)$/i],
  ["content-filter", /^(?:content_?filter|content-filter|sensitive|safety|refusal|prohibited_content|blocklist)$/i],
];

export class ChatAnswer {
  private parts: AnswerPart[] = [];
  private open: { type: "text" | "reasoning"; id: string } | undefined;
  private blocks = 0;
  private model: string | undefined;
  private usage: JsonFields | undefined;
  private reason: string | undefined;
  private hasSpoken = false;
  private hasRefusal = false;
  private hasFailed = false;
  private readonly calls = new ChatCalls();
  private readonly details: Record<string, Json>[] = [];

  constructor(private readonly from: { host: string; model: string }) {}

  read(event: EventItem): readonly AnswerPart[] {
    this.parts = [];
    if (event === "[DONE]") return this.done();
    const { choices, usage, x_groq } = event;
    const all = Array.isArray(choices) ? choices.filter(isObject) : [];
    const [choice] = all;
    // Kimi has it in the choice, Groq in a field of its own.
    const counted = [usage, choice?.usage, isObject(x_groq) ? x_groq.usage : undefined].find(isObject);
    if (isError(Array.isArray(choices) || counted ? { error: event.error } : event))
      this.fail(new NotAnAnswerError("text/event-stream", JSON.stringify(event)));
    else {
      this.usage = counted ?? this.usage;
      if (this.model === undefined && isText(event.model)) {
        this.model = event.model;
        this.parts.push({ type: "response-metadata", modelId: event.model });
      }
      if (choice) this.choice(choice);
    }
    return this.parts;
  }

  /** Some servers end a whole answer without its reason (NVIDIA NIM's GLM behind calls). */
  private done(): readonly AnswerPart[] {
    if (this.hasSpoken || this.calls.any) this.reason ??= this.calls.any ? "tool_calls" : "stop";
    return this.parts;
  }

  end(): readonly AnswerPart[] {
    this.parts = [];
    this.close();
    try {
      this.parts.push(...this.calls.end());
    } catch (error) {
      this.fail(error);
    }
    const { reason, details } = this;
    if (details.length > 0) {
      const own = { [COMPATIBLE]: { reasoningDetails: details, ...this.from } };
      this.parts.push({ type: "reasoning-start", id: "details", providerMetadata: own });
      this.parts.push({ type: "reasoning-end", id: "details" });
    }
    if (reason === undefined && !this.hasFailed)
      this.fail(new AnswerError("cut", "the stream ended before the answer did"));
    const known = ENDS.find(([, words]) => words.test(reason ?? ""))?.[0] ?? "other";
    const unified = this.hasFailed ? "error" : known === "stop" && this.hasRefusal ? "content-filter" : known;
    this.parts.push({ type: "finish", finishReason: { unified, raw: reason }, usage: chatUsage(this.usage) });
    return this.parts;
  }

  private fail(error: unknown): void {
    this.hasFailed = true;
    this.parts.push({ type: "error", error });
  }

  private choice(choice: JsonFields): void {
    const { finish_reason: reason, delta, message, text } = choice;
    if (isText(reason) && !/^(?:null|none|undefined)$/i.test(reason)) this.reason = reason;
    if (isObject(delta)) this.delta(delta);
    else if (isObject(message) && !this.hasSpoken) this.delta(message);
    else if (isText(text)) this.say("text", text);
  }

  private delta(delta: JsonFields): void {
    const { reasoning_content, reasoning, thinking, thought, reasoning_text, reasoning_details } = delta;
    const thoughts = [reasoning_content, reasoning, thinking, thought, reasoning_text, reasoning_details];
    this.say("reasoning", thoughts.map(wordsIn).find(isText));
    if (Array.isArray(reasoning_details)) for (const detail of reasoning_details.filter(isObject)) this.detail(detail);
    this.content(delta.content);
    if (isText(delta.refusal)) {
      this.hasRefusal = true;
      this.say("text", delta.refusal);
    }
    const { tool_calls, function_call: old } = delta;
    // Some put an empty one behind the calls.
    const isCall = isObject(old) && (isText(old.name) || isText(old.arguments) || isObject(old.arguments));
    const calls = isCall ? [{ index: 0, function: old }] : Array.isArray(tool_calls) ? tool_calls : [tool_calls];
    for (const call of calls.filter(isObject)) this.parts.push(...this.calls.add(call));
    if (this.calls.any) this.close("reasoning");
  }

  private content(content: unknown): void {
    if (typeof content === "number") this.say("text", String(content));
    for (const part of Array.isArray(content) ? content : [content]) {
      const isThought = isObject(part) && isText(part.type) && /think|reason/i.test(part.type);
      this.say(isThought ? "reasoning" : "text", wordsIn(part));
    }
  }

  private say(type: "text" | "reasoning", delta: string | undefined): void {
    if (delta === undefined) return;
    this.hasSpoken ||= type === "text";
    if (this.open?.type !== type) {
      this.close();
      this.blocks += 1;
      this.open = { type, id: `${type}-${this.blocks}` };
      this.parts.push({ type: `${type}-start`, id: this.open.id });
    }
    this.parts.push({ type: `${type}-delta`, id: this.open.id, delta });
  }

  /** @param only absent: the open one, text or thought */
  private close(only?: "reasoning"): void {
    if (!this.open || (only && this.open.type !== only)) return;
    this.parts.push({ type: `${this.open.type}-end`, id: this.open.id });
    this.open = undefined;
  }

  /** Texts of what OpenRouter sends of the thinking come in pieces; an encrypted block comes whole. */
  private detail(detail: JsonFields): void {
    const last = this.details.at(-1);
    const isSame =
      last && last.type === detail.type && last.index === detail.index && (detail.id ?? last.id) === last.id;
    if (!isSame || detail.type === "reasoning.encrypted") {
      this.details.push({ ...detail } as Record<string, Json>);
      return;
    }
    for (const [key, value] of Object.entries(detail)) {
      const before = last[key];
      const isStreamed = STREAMED.includes(key) && typeof before === "string" && typeof value === "string";
      if (isStreamed) last[key] = before + value;
      else if (value !== null) last[key] = value as Json;
    }
  }
}

const STREAMED = ["text", "summary", "data", "signature"];

/** Absent counts stay unknown. */
function chatUsage(usage: JsonFields = {}): SdkFinish["usage"] {
  const said = firstCount([usage.prompt_tokens, usage.input_tokens]);
  const written = firstCount([usage.completion_tokens, usage.output_tokens]);
  const total = count(usage.total_tokens);
  const input = said ?? (total !== undefined && written !== undefined ? total - written : undefined);
  const output = written ?? (total !== undefined && said !== undefined ? total - said : undefined);
  const inputDetails = [usage.prompt_tokens_details, usage.input_tokens_details].filter(isObject);
  // DeepSeek's, Kimi's and others' words for what came from the cache.
  const hits = [usage.prompt_cache_hit_tokens, usage.cached_tokens, usage.cache_read_input_tokens];
  const cached = firstCount([...inputDetails.map(details => details.cached_tokens), ...hits]);
  const details = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: count(details.reasoning_tokens) ?? 0 },
  };
}

/** The words in what should have been a text: an object or a list of such; undefined: there are none. */
function wordsIn(value: unknown): string | undefined {
  if (isText(value)) return value;
  if (Array.isArray(value)) return value.map(each => wordsIn(each) ?? "").join("") || undefined;
  if (!isObject(value)) return undefined;
  return wordsIn(value.text ?? value.content ?? value.thinking ?? value.summary);
}

const firstCount = (values: readonly unknown[]) => values.map(count).find(each => each !== undefined);

function count(value: unknown): number | undefined {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) && read >= 0 ? read : undefined;
}

interface StreamedCall {
  index: number | undefined;
  wireId: string | undefined;
  id: string;
  name: string | undefined;
  input: string;
  /** Its last piece ended as a whole input does. */
  isClosed: boolean;
  signature: unknown;
}

class ChatCalls {
  private readonly all: StreamedCall[] = [];

  get any(): boolean {
    return this.all.length > 0;
  }

  add(piece: JsonFields): AnswerPart[] {
    const { type, extra_content } = piece;
    // Another type is a search or the like that the provider ran itself.
    if (Object.keys(piece).length === 0 || (isText(type) && type !== "function" && !isObject(piece.function)))
      return [];
    const made = isObject(piece.function) ? piece.function : piece;
    const name = isText(made.name) ? made.name : undefined;
    const input = inputText(made.arguments ?? made.input ?? made.parameters);
    const wireId = idText(piece.id);
    const found = this.find(numberOf(piece.index), wireId, name);
    const begins = found?.name !== undefined && name !== undefined && isAnother(found, wireId, name);
    // Some send a whole call once more at the end: it must not run twice.
    if (begins && wireId !== undefined && found.wireId === wireId && found.name === name && found.input === input)
      return [];
    const call = found && !begins ? found : this.begin(numberOf(piece.index), wireId);
    if (isObject(extra_content) && isObject(extra_content.google))
      call.signature ??= extra_content.google.thought_signature;
    const isNamed = call.name !== undefined;
    call.name ??= name;
    call.input += input;
    if (input.trim() !== "") call.isClosed = /[}\]]\s*$/.test(input);
    if (call.name === undefined) return [];
    const { id } = call;
    const start: AnswerPart[] = isNamed ? [] : [{ type: "tool-input-start", id, toolName: call.name }];
    const delta = isNamed ? input : call.input;
    return delta === "" ? start : [...start, { type: "tool-input-delta", id, delta }];
  }

  /** Throws NotAnAnswerError for a call without a name. */
  end(): AnswerPart[] {
    const isNumbered = this.all.every(({ index }) => index !== undefined);
    const calls = isNumbered ? this.all.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : this.all;
    return calls.flatMap(({ id, name, input, signature }): AnswerPart[] => {
      if (name === undefined) throw new NotAnAnswerError("text/event-stream", "");
      const kept = isText(signature) ? { providerMetadata: { [COMPATIBLE]: { thoughtSignature: signature } } } : {};
      return [
        { type: "tool-input-end", id },
        { type: "tool-call", toolCallId: id, toolName: name, input, ...kept },
      ];
    });
  }

  /** The call that a piece may go on with: by its number, by its id, else the last one. */
  private find(index: number | undefined, wireId: string | undefined, name: string | undefined) {
    const byId = wireId === undefined ? undefined : this.all.findLast(call => call.wireId === wireId);
    if (index === undefined) return byId ?? (wireId === undefined ? this.all.at(-1) : undefined);
    return this.all.findLast(call => call.index === index) ?? (name === undefined ? byId : undefined);
  }

  private begin(index: number | undefined, wireId: string | undefined): StreamedCall {
    const wanted = wireId ?? `call_${crypto.randomUUID()}`;
    const id = this.all.some(call => call.id === wanted) ? `${wanted}_${this.all.length + 1}` : wanted;
    const call = { index, wireId, id, name: undefined, input: "", isClosed: false, signature: undefined };
    this.all.push(call);
    return call;
  }
}

/** Whether a piece with a name begins another call than one that has a name already. */
function isAnother(call: StreamedCall, wireId: string | undefined, name: string): boolean {
  const isOtherId = wireId !== undefined && call.wireId !== undefined && wireId !== call.wireId;
  return isOtherId || name !== call.name || (call.isClosed && parseJson(call.input) !== undefined);
}

const numberOf = (index: unknown): number | undefined => {
  const number = isText(index) ? Number(index) : index;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
};

/** The input of a call as JSON; an empty object is one that is still to come. */
function inputText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0)) return "";
  return JSON.stringify(value);
}

/** Ids are texts: some servers count. undefined: it has none */
const idText = (value: unknown) => (typeof value === "number" ? String(value) : isText(value) ? value : undefined);
