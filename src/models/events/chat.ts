/** Events of Chat Completions, from any of its many servers. */
import { isObject } from "../../shared/isObject";
import {
  Changes,
  type EventRepair,
  errorIn,
  idText,
  inputText,
  isText,
  type JsonFields,
  type Mender,
  wordsIn,
} from "./mender";
import { mendUsage } from "./usage";

/** Other words for how an answer ended, by the word that the interface has. */
const ENDS: readonly [string, RegExp][] = [
  ["stop", /^(?:stop|end_turn|eos|eos_token|stop_sequence|complete|completed|normal|finished)$/i],
  [
    "length",
    /^(?:length|max_?tokens|max_(?:output|completion|new)_tokens|model_length|token_limit|model_context_window_exceeded)$/i,
  ],
  ["tool_calls", /^(?:tool_calls?|tool_use)$/i],
  ["content_filter", /^(?:content_?filter|content-filter|sensitive|safety|refusal|prohibited_content|blocklist)$/i],
];

interface StreamedCall {
  index: number;
  id: string | undefined;
  hasName: boolean;
}

export class ChatEvents implements Mender {
  /** calls whose pieces carry no index, in their order */
  private readonly calls: StreamedCall[] = [];
  /** the newest call of each id that came whole, or its beginning */
  private readonly saidById = new Map<string, string>();
  private hasSpoken = false;
  private hasEnd = false;
  private hasCalls = false;

  mend(event: JsonFields): EventRepair {
    const changes = new Changes();
    const { error, choices } = event;
    if (!Array.isArray(choices) && !hasUsage(event)) {
      const failure = errorIn(event);
      return failure ? [{ error: { ...failure, message: wordsIn(failure.message) ?? JSON.stringify(failure) } }] : [];
    }
    if ("error" in event && !isObject(error))
      changes.put(event, "error", isText(error) ? { message: error } : undefined);
    const all = Array.isArray(choices) ? choices.filter(isObject) : [];
    if (!Array.isArray(choices) || all.length < choices.length) changes.put(event, "choices", all);
    mendHead(event, changes);
    for (const choice of all) this.choice(choice, changes);
    const [first] = all;
    // Kimi has it in the choice, Groq in a field of its own.
    const elsewhere = first?.usage ?? (isObject(event.x_groq) ? event.x_groq.usage : undefined);
    if (!isObject(event.usage) && isObject(elsewhere)) changes.put(event, "usage", elsewhere);
    mendUsage(event, changes);
    return changes.any ? [event] : "as it is";
  }

  /** Some servers end a whole answer without its reason (NVIDIA NIM's GLM behind calls). */
  done(): readonly JsonFields[] {
    if (this.hasEnd || !this.hasSpoken) return [];
    return [{ choices: [{ index: 0, delta: {}, finish_reason: this.hasCalls ? "tool_calls" : "stop" }] }];
  }

  whole(answer: JsonFields): readonly JsonFields[] {
    const mended = this.mend(answer);
    return mended === "as it is" ? [answer] : mended;
  }

  private choice(choice: JsonFields, changes: Changes): void {
    const whole = isObject(choice.message) && !this.hasSpoken ? choice.message : undefined;
    if (!isObject(choice.delta))
      changes.put(choice, "delta", whole ?? (isText(choice.text) && !this.hasSpoken ? { content: choice.text } : {}));
    const { finish_reason: reason } = choice;
    if (reason !== undefined && reason !== null && reason !== "stop" && reason !== "tool_calls")
      changes.put(choice, "finish_reason", endWord(reason));
    this.hasEnd ||= isText(choice.finish_reason);
    const { delta } = choice;
    if (isObject(delta)) this.delta(delta, changes);
  }

  private delta(delta: JsonFields, changes: Changes): void {
    const { role, content } = delta;
    if (role !== undefined && role !== null && role !== "assistant" && role !== "")
      changes.put(delta, "role", "assistant");
    if (content !== undefined && content !== null && typeof content !== "string")
      changes.put(delta, "content", mendContent(content));
    this.thoughts(delta, changes);
    const { function_call: old } = delta;
    // Some put an empty one behind the calls.
    if (isObject(old) && (isText(old.name) || isText(old.arguments) || isObject(old.arguments))) {
      changes.put(delta, "tool_calls", [{ index: 0, function: old }]);
    }
    const calls = delta.tool_calls;
    if (calls !== undefined && calls !== null) this.toolCalls(delta, calls, changes);
    this.hasCalls ||= Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0;
    this.hasSpoken ||= this.hasCalls || isText(delta.content) || Array.isArray(delta.content);
  }

  private thoughts(delta: JsonFields, changes: Changes): void {
    const { reasoning_content: named, reasoning, thinking, thought, reasoning_text, reasoning_details } = delta;
    for (const key of ["reasoning_content", "reasoning"] as const) {
      const value = delta[key];
      if (value !== undefined && value !== null && typeof value !== "string") changes.put(delta, key, wordsIn(value));
    }
    if (isText(named) || isText(reasoning) || isText(delta.reasoning_content) || isText(delta.reasoning)) return;
    const other = [thinking, thought, reasoning_text].find(isText) ?? wordsIn(reasoning_details);
    if (other !== undefined) changes.put(delta, "reasoning_content", other);
  }

  private toolCalls(delta: JsonFields, calls: unknown, changes: Changes): void {
    const given = Array.isArray(calls) ? calls : [calls];
    const own = given.filter(
      // What is of another type is a search or the like that the provider ran itself.
      call => isObject(call) && Object.keys(call).length > 0 && (isObject(call.function) || !isOtherType(call.type)),
    );
    for (const call of own) this.toolCall(call, changes);
    const once = own.filter(call => !this.isSaidTwice(call));
    if (!Array.isArray(calls) || once.length < given.length) changes.put(delta, "tool_calls", once);
  }

  /** Some send a whole call once more at the end: run twice, it would be one that nobody made. */
  private isSaidTwice({ id, function: made }: JsonFields): boolean {
    if (!isText(id) || !isObject(made) || !isText(made.name) || !isText(made.arguments)) return false;
    const said = `${made.name} ${made.arguments}`;
    if (this.saidById.get(id) === said && made.arguments.trimEnd().endsWith("}")) return true;
    this.saidById.set(id, said);
    return false;
  }

  private toolCall(call: JsonFields, changes: Changes): void {
    if (!isObject(call.function)) {
      const { name, arguments: written, input, parameters } = call;
      const value = written ?? input ?? parameters;
      const made = { ...(isText(name) ? { name } : {}), ...(value === undefined ? {} : { arguments: value }) };
      changes.put(call, "function", made);
    }
    const made = call.function as JsonFields;
    if (made.name !== undefined && made.name !== null && typeof made.name !== "string")
      changes.put(made, "name", undefined);
    if (made.arguments !== undefined && made.arguments !== null && typeof made.arguments !== "string")
      changes.put(made, "arguments", inputText(made.arguments));
    if (call.id !== undefined && call.id !== null && typeof call.id !== "string")
      changes.put(call, "id", idText(call.id));
    if (typeof call.index !== "number") this.giveIndex(call, made, changes);
  }

  /** A piece without an index belongs to the call of its id, else to the last one, unless it names another. */
  private giveIndex(call: JsonFields, { name }: JsonFields, changes: Changes): void {
    const written = typeof call.index === "string" && call.index !== "" ? Number(call.index) : Number.NaN;
    const id = idText(call.id);
    const last = this.calls.at(-1);
    const known =
      id === undefined ? undefined : this.calls.findLast(each => each.id === id && !(isText(name) && each.hasName));
    const isNew =
      known === undefined && (!last || (id !== undefined && last.id !== id) || (isText(name) && last.hasName));
    const open = isNew ? { index: this.calls.length, id, hasName: false } : (known ?? last);
    if (!open) return;
    if (isNew) this.calls.push(open);
    open.hasName ||= isText(name);
    changes.put(call, "index", Number.isInteger(written) ? written : open.index);
  }
}

const isOtherType = (type: unknown): boolean => isText(type) && type !== "function";

const hasUsage = ({ usage, x_groq }: JsonFields): boolean =>
  isObject(usage) || (isObject(x_groq) && isObject(x_groq.usage));

/** Texts where texts are wanted, and numbers. */
function mendHead(event: JsonFields, changes: Changes): void {
  const { id, model, created } = event;
  if (id !== undefined && id !== null && typeof id !== "string") changes.put(event, "id", idText(id));
  if (model !== undefined && model !== null && typeof model !== "string") changes.put(event, "model", undefined);
  if (created !== undefined && created !== null && typeof created !== "number")
    changes.put(event, "created", undefined);
}

/** Parts of a kind, as the interface has them; undefined: nothing is said */
function mendContent(content: unknown): unknown {
  if (typeof content === "number") return String(content);
  const parts = (Array.isArray(content) ? content : [content]).flatMap((part): JsonFields[] => {
    if (isText(part)) return [{ type: "text", text: part }];
    if (!isObject(part)) return [];
    const words = wordsIn(part);
    if (words === undefined) return [];
    const isThought = isText(part.type) && /think|reason/i.test(part.type);
    return [
      isThought ? { type: "thinking", thinking: [{ type: "text", text: words }] } : { type: "text", text: words },
    ];
  });
  return parts.length > 0 ? parts : undefined;
}

/** undefined: it has not ended */
function endWord(reason: unknown): string | undefined {
  if (!isText(reason) || /^(?:null|none|undefined)$/i.test(reason)) return undefined;
  return ENDS.find(([, words]) => words.test(reason))?.[0] ?? reason;
}
