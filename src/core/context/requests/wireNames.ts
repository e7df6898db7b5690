/**
 * Names of tools on the wire. People, rules and the log call a foreign tool `server:tool`; providers take 64 letters, digits,
 * `_` and `-`. So it is renamed at the last moment and back at the first: nothing else knows of it.
 * Log, rules and cards know `server:tool`; a pure function makes the wire name, so an old call keeps its name.
 */
import type { AssistantContent, ModelMessage, ToolContent } from "ai";
import type { Json } from "../../../shared/messages";
import type { AnswerPart } from "../../ground/ports";
import { isPlainName, MAX_NAME, wireName } from "../../tool/wireName";

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
      // Some call a tool as it is called in a text. It is the same one, so nothing is wrong with that.
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
