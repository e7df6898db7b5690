/** The calls of an answer of Chat Completions, put together from their pieces, however a server numbers them. */
import { isObject } from "../../shared/isObject";
import { isText, type JsonFields, NotAnAnswerError } from "../events/eventReader";
import type { SdkStreamPart } from "../sdk/types";
import { COMPATIBLE, isJson } from "./chatBody";

interface StreamedCall {
  index: number | undefined;
  /** as the server has it */
  wireId: string | undefined;
  id: string;
  name: string | undefined;
  input: string;
  signature: unknown;
}

export class ChatCalls {
  private readonly all: StreamedCall[] = [];

  get any(): boolean {
    return this.all.length > 0;
  }

  add(piece: JsonFields): SdkStreamPart[] {
    const { type, extra_content } = piece;
    // What is of another type is a search or the like that the provider ran itself.
    if (Object.keys(piece).length === 0 || (isText(type) && type !== "function" && !isObject(piece.function)))
      return [];
    const made = isObject(piece.function) ? piece.function : piece;
    const name = isText(made.name) ? made.name : undefined;
    const input = inputText(made.arguments ?? made.input ?? made.parameters);
    const wireId = idText(piece.id);
    const found = this.find(numberOf(piece.index), wireId, name);
    const begins = found?.name !== undefined && name !== undefined && isAnother(found, wireId, name);
    // Some send a whole call once more at the end: run twice, it would be one that nobody made.
    if (begins && wireId !== undefined && found.wireId === wireId && found.name === name && found.input === input)
      return [];
    const call = found && !begins ? found : this.begin(numberOf(piece.index), wireId);
    if (isObject(extra_content) && isObject(extra_content.google))
      call.signature ??= extra_content.google.thought_signature;
    const isNamed = call.name !== undefined;
    call.name ??= name;
    call.input += input;
    if (call.name === undefined) return [];
    const { id } = call;
    const start: SdkStreamPart[] = isNamed ? [] : [{ type: "tool-input-start", id, toolName: call.name }];
    const delta = isNamed ? input : call.input;
    return delta === "" ? start : [...start, { type: "tool-input-delta", id, delta }];
  }

  /** Throws NotAnAnswerError for a call without a name. */
  end(): SdkStreamPart[] {
    const isNumbered = this.all.every(({ index }) => index !== undefined);
    const calls = isNumbered ? this.all.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : this.all;
    return calls.flatMap(({ id, name, input, signature }): SdkStreamPart[] => {
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
    const call = { index, wireId, id, name: undefined, input: "", signature: undefined };
    this.all.push(call);
    return call;
  }
}

/** Whether a piece with a name begins another call than one that has a name already. */
function isAnother(call: StreamedCall, wireId: string | undefined, name: string): boolean {
  const isOtherId = wireId !== undefined && call.wireId !== undefined && wireId !== call.wireId;
  return isOtherId || name !== call.name || isJson(call.input);
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
const idText = (value: unknown): string | undefined =>
  typeof value === "number" ? String(value) : isText(value) ? value : undefined;
