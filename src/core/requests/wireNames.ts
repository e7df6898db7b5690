/**
 * Names of tools on the wire. People, rules and the log call a foreign tool `server:tool`; providers take 64 letters, digits,
 * `_` and `-`. So it is renamed at the last moment and back at the first: nothing else knows of it.
 */
import type { AssistantContent, ModelMessage, ToolContent } from "ai";
import type { Json } from "../../shared/messages";
import type { StreamPart } from "./answer";

const PLAIN = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;

interface Named {
  messages: ModelMessage[];
  tools: readonly { name: string; description: string; inputSchema: Json }[];
}

interface Wire<Request> {
  request: Request;
  /** A part of the answer, with the name that the tool has here. */
  received(part: StreamPart): StreamPart;
}

/** A request with names that every provider takes. Most have no other, and stay the same object. */
export function onTheWire<Request extends Named>(request: Request): Wire<Request> {
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
    received: part =>
      part.type === "tool-call" || part.type === "tool-input-start"
        ? { ...part, toolName: here.get(part.toolName) ?? part.toolName }
        : part,
  };
}

/**
 * `mcp__server__tool`; where that is not the name letter for letter, or would be too long, with a hash of it behind. The same
 * name always has the same one.
 */
export function wireName(name: string): string {
  if (PLAIN.test(name)) return name;
  const at = name.indexOf(":");
  const parts = at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
  const readable = ["mcp", ...parts].map(part => part.replace(/[^a-zA-Z0-9_-]/g, "_")).join("__");
  const isExact = parts.length === 2 && parts.every(isSimple) && readable.length <= MAX_NAME;
  const hash = `_${fnv64(name)}`;
  return isExact ? readable : readable.slice(0, MAX_NAME - hash.length) + hash;
}

/** Nothing in it could be taken for what stands between parts, or for a hash. */
const isSimple = (part: string): boolean =>
  /^[a-zA-Z0-9-](?:[a-zA-Z0-9_-]*[a-zA-Z0-9-])?$/.test(part) && !part.includes("__") && !/_[0-9a-f]{16}$/.test(part);

/** Two names with the same hash are hardly an accident: the later one gets a number. */
function freeName(wire: string, taken: ReadonlyMap<string, string>): string {
  let free = wire;
  for (let number = 2; taken.has(free); number++) {
    const end = `_${number}`;
    free = wire.slice(0, MAX_NAME - end.length) + end;
  }
  return free;
}

function hasOtherNames({ tools, messages }: Named): boolean {
  if (tools.some(({ name }) => !PLAIN.test(name))) return true;
  return messages.some(({ content }) => typeof content !== "string" && content.some(part => !isPlain(part)));
}

const isPlain = (part: object): boolean => !("toolName" in part) || PLAIN.test(String(part.toolName));

type Parts = Exclude<AssistantContent | ToolContent, string>;

function renamed(message: ModelMessage, sent: (name: string) => string): ModelMessage {
  if (typeof message.content === "string" || message.content.every(isPlain)) return message;
  const content = (message.content as Parts).map(part =>
    "toolName" in part ? { ...part, toolName: sent(part.toolName) } : part,
  );
  return { ...message, content } as ModelMessage;
}

/** FNV-1a, 64 bits in hex: tells names apart, guards nothing. */
function fnv64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
