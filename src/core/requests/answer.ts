/**
 * Collects the parts of one answer as they stream: text, reasoning and tool calls, in the order they began. What a
 * provider wants back with a part (reasoning signatures, item ids) stays with it.
 */

import type { Experimental_LanguageModelStreamPart, ToolSet } from "ai";
import { errorMessage } from "../../shared/errorMessage";
import type { AgentEventOf } from "../../shared/events";
import type { Json, MessagePart, ToolCallPart } from "../../shared/messages";

/** What is shown while an answer streams; the caller adds the request's id. */
export type StepDelta =
  | Omit<AgentEventOf<"text">, "requestId">
  | Omit<AgentEventOf<"reasoning">, "requestId">
  | Omit<AgentEventOf<"callInput">, "requestId">;

type Prose = Extract<MessagePart, { type: "text" | "reasoning" }>;
/** A part of the stream of one model call. */
export type StreamPart = Experimental_LanguageModelStreamPart<ToolSet>;
type Call = Extract<StreamPart, { type: "tool-call" }>;

export class Answer {
  readonly #onDelta: (delta: StepDelta) => void;
  readonly #toolNames: readonly string[];
  readonly #parts: MessagePart[] = [];
  readonly #open = new Map<string, Prose>();
  readonly #writing = new Map<string, { toolName: string; chars: number }>();

  constructor(toolNames: readonly string[], onDelta: (delta: StepDelta) => void) {
    this.#toolNames = toolNames;
    this.#onDelta = onDelta;
  }

  add(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#begin(part.type === "text-start" ? "text" : "reasoning", part.id, part.providerMetadata);
        break;
      case "text-delta":
        this.#write("text", part);
        break;
      case "reasoning-delta":
        this.#write("reasoning", part);
        break;
      case "text-end":
        this.#end("text", part.id, part.providerMetadata);
        break;
      case "reasoning-end":
        this.#end("reasoning", part.id, part.providerMetadata);
        break;
      case "tool-input-start":
        this.#writing.set(part.id, { toolName: part.toolName, chars: 0 });
        break;
      case "tool-input-delta":
        this.#writeInput(part.id, part.delta);
        break;
      case "tool-call":
        // An invalid call comes twice, as a call marked so and as a tool-error: this is the one that is used.
        this.#parts.push(this.#call(part));
        break;
    }
  }

  /** Everything that came, without what is empty. */
  parts(): MessagePart[] {
    return this.#parts.filter(part => !isProse(part) || part.text !== "" || part.providerMetadata !== undefined);
  }

  /** The parts of an answer that did not come to its end: a call whose input broke off is dropped. */
  partsSoFar(): MessagePart[] {
    return this.parts().filter(part => part.type !== "dynamic-tool" || part.errorText === undefined);
  }

  /** Something a person or the loop can act on: text or a call. */
  get hasContent(): boolean {
    return this.#parts.some(part => part.type === "dynamic-tool" || (part.type === "text" && part.text.trim() !== ""));
  }

  #begin(type: Prose["type"], id: string, metadata: unknown): Prose {
    const part: Prose = { type, text: "", ...withMetadata(metadata) };
    this.#open.set(`${type} ${id}`, part);
    this.#parts.push(part);
    return part;
  }

  #write(
    type: Prose["type"],
    { id, text, providerMetadata }: { id: string; text: string; providerMetadata?: unknown },
  ): void {
    const part = this.#open.get(`${type} ${id}`) ?? this.#begin(type, id, undefined);
    part.text += text;
    Object.assign(part, withMetadata(providerMetadata));
    if (text) this.#onDelta({ type, delta: text });
  }

  #end(type: Prose["type"], id: string, metadata: unknown): void {
    const part = this.#open.get(`${type} ${id}`);
    if (part) Object.assign(part, withMetadata(metadata));
    this.#open.delete(`${type} ${id}`);
  }

  #writeInput(callId: string, delta: string): void {
    const call = this.#writing.get(callId);
    if (!call) return;
    call.chars += delta.length;
    this.#onDelta({ type: "callInput", callId, toolName: call.toolName, chars: call.chars });
  }

  #call(call: Call): ToolCallPart {
    const metadata = call.providerMetadata && plainJson(call.providerMetadata);
    return {
      type: "dynamic-tool",
      toolName: call.toolName,
      toolCallId: call.toolCallId,
      state: "input-available",
      input: plainJson(call.input ?? {}),
      ...(call.invalid ? { errorText: this.#complaint(call) } : {}),
      ...(metadata ? { callProviderMetadata: metadata as ToolCallPart["callProviderMetadata"] } : {}),
    };
  }

  /** What is wrong with the call, as the end of a sentence that whoever answers the call begins. */
  #complaint(call: Call): string {
    if (!this.#toolNames.includes(call.toolName)) {
      return `there is no tool "${call.toolName}", only ${this.#toolNames.join(", ")}.`;
    }
    return `it is not valid JSON (${rootMessage(call.error)}).`;
  }
}

function isProse(part: MessagePart): part is Prose {
  return part.type === "text" || part.type === "reasoning";
}

function withMetadata(metadata: unknown): Pick<Prose, "providerMetadata"> {
  return metadata ? { providerMetadata: plainJson(metadata) as Prose["providerMetadata"] } : {};
}

/** Exactly what the log will hold: without `undefined`, which providers leave in their metadata. */
function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

function rootMessage(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  return errorMessage(current);
}
