/**
 * A request as a conversation of users and assistants only, in turns: system texts are the user's, messages of one role that
 * follow each other are one, results stand where the user speaks. What such a model cannot be shown is named in its place.
 */
import { resultText, unseen } from "./react/protocol";
import type { SdkPart, SdkPrompt } from "./sdk/types";

export type ChatPart =
  | { type: "text"; text: string }
  | { type: "image"; data: Uint8Array; mediaType: string }
  | { type: "call"; id: string; name: string; input: object }
  | { type: "result"; id: string; text: string };

export interface ChatMessage {
  role: "user" | "assistant";
  /** at least one */
  parts: ChatPart[];
}

/** Reasoning is left out: it belongs to the interface that it came by. */
export function toChatMessages(prompt: SdkPrompt, seesImages: boolean): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of prompt) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content: readonly SdkPart[] =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    const parts = content.flatMap(part => toChatPart(part, seesImages) ?? []);
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts });
  }
  return turns;
}

export function partText(part: ChatPart): string {
  if (part.type === "text" || part.type === "result") return part.text;
  return part.type === "call" ? `${part.name}${JSON.stringify(part.input)}` : IMAGE;
}

/** Some models count pictures by their size; about a thousand characters are a guess. */
const IMAGE = "image ".repeat(170);

function toChatPart(part: SdkPart, seesImages: boolean): ChatPart | undefined {
  if (part.type === "text") return part.text === "" ? undefined : { type: "text", text: part.text };
  if (part.type === "tool-call") {
    const { toolCallId: id, toolName: name, input } = part;
    return { type: "call", id, name, input: typeof input === "object" && input !== null ? input : {} };
  }
  if (part.type === "tool-result") return { type: "result", id: part.toolCallId, text: resultText(part.output) };
  if (part.type !== "file") return undefined;
  const { data, mediaType } = part;
  if (!seesImages || data.type !== "data") return unseen(part);
  const bytes = typeof data.data === "string" ? Uint8Array.from(Buffer.from(data.data, "base64")) : data.data;
  return { type: "image", data: bytes, mediaType };
}
