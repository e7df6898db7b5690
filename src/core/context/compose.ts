/**
 * A request put together from its pieces: the one way, for a request that is about to leave and for one that is rebuilt
 * (CONTEXT.md, section 10). Pure. Together with convert.ts this is part of the format on disk: what it makes of a piece
 * that was sent once may never change, or old requests cannot be proven and their prefix breaks (test/golden/session.v1).
 */
import type { ModelMessage, ToolModelMessage } from "ai";
import type { Segment } from "../../shared/manifest";
import type { Json, StrataMessage } from "../../shared/messages";
import { REVERTS } from "../history/applyRevert";
import type { ToolOutput } from "../history/conversation";
import type { Hash } from "../ports";
import { type Form, type ImageData, outputForm, toModelMessages } from "./convert";
import { reminder } from "./layers";

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of its input */
  inputSchema: Json;
}

/** What goes to the model, before any model middleware. */
export interface RequestContent {
  /** one system message: some servers take no second one */
  instructions: string;
  tools: readonly ToolDefinition[];
  messages: ModelMessage[];
  callOptions: Record<string, Json>;
}

/** @param pieces system: the texts of L1, L2 and the summaries, in order; tail: its texts, in order */
export function compose(pieces: {
  system: readonly string[];
  tools: readonly ToolDefinition[];
  messages: readonly ModelMessage[];
  tail: readonly string[];
  callOptions: Record<string, Json>;
}): RequestContent {
  const { system, tools, tail, callOptions } = pieces;
  const messages = [...pieces.messages];
  if (tail.length > 0) messages.push({ role: "user", content: tail.map(reminder).join("\n\n") });
  return { instructions: system.join("\n\n"), tools, messages, callOptions };
}

/** The canonical JSON of a request. */
export function canonicalJson({ instructions, tools, messages, callOptions }: RequestContent): string {
  return JSON.stringify({ instructions, tools, messages, callOptions });
}

/** `requestSha256`: over the hashes of all segments and the call options, in order. */
export function requestHash(
  segments: readonly Pick<Segment, "sha256">[],
  callOptions: Record<string, Json>,
  hash: Hash,
): string {
  return hash.sha256(`${segments.map(({ sha256 }) => sha256).join("\n")}\n${JSON.stringify(callOptions)}`);
}

/** A piece of a conversation message that is a segment of its own: the message itself, or a tool's result. */
export interface MessagePiece extends Pick<Segment, "role" | "source" | "trust"> {
  /** the segment's canonical JSON is of this */
  value: unknown;
  form: Form;
}

/** What a conversation message is sent as, and its segments: its own first, then those of its results. */
export function messagePieces(
  message: StrataMessage,
  form: Form,
  image: ImageData,
): { messages: ModelMessage[]; pieces: MessagePiece[] } {
  const messages = toModelMessages(message, form, image);
  const forms = resultForms(message, form);
  const pieces = messages.flatMap((sent): MessagePiece[] => {
    if (sent.role === "tool") {
      return sent.content.map((part, at) => {
        const source = part.type === "tool-result" ? `result:${part.toolCallId}` : "result";
        return { role: "tool", source, trust: "tool", value: part, form: forms[at] ?? form };
      });
    }
    const trust = sent.role === "assistant" ? "model" : messageTrust(message);
    return [{ role: sent.role, source: `message:${message.id}`, trust, value: sent, form }];
  });
  return { messages, pieces };
}

/** The user's words, or a text that was injected: one part, named by its source. */
function messageTrust({ parts: [first, ...more] }: StrataMessage): Segment["trust"] {
  if (first?.type !== "data-reminder" || more.length > 0) return "user";
  if (first.data.trust) return first.data.trust;
  if (first.data.name === REVERTS) return "strata";
  return first.data.name.startsWith("rules:") ? "rules" : "model";
}

/** Of each call's result, in order. */
function resultForms(message: StrataMessage, form: Form): Form[] {
  return message.parts.flatMap(part => {
    if (part.type !== "dynamic-tool") return [];
    return [part.state === "output-available" ? outputForm(part.output as ToolOutput, form) : form];
  });
}

/** The messages that segments of the conversation stand for: results that follow each other are one message again. */
export function toMessages(segments: readonly { role: Segment["role"]; value: unknown }[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const { role, value } of segments) {
    const before = messages.at(-1);
    if (role !== "tool") messages.push(value as ModelMessage);
    else if (before?.role === "tool") before.content.push(value as ToolModelMessage["content"][number]);
    else messages.push({ role: "tool", content: [value as ToolModelMessage["content"][number]] });
  }
  return messages;
}
