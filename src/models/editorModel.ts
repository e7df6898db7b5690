/** VS Code's language models as one of the SDK. They know users and assistants only, tell neither usage nor why an answer ended. A workspace cannot choose one: that names who gets the text. */
import type { AnswerPart, StreamedModel } from "../core/ground/ports";
import { resultText, type SdkCallOptions, type SdkPart, type SdkPrompt, UNKNOWN_USAGE, unseen } from "./sdk/prompt";

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

export type ChatTool = { name: string; description: string; inputSchema: object };

/** What comes of an answer; a piece of another kind is only a sign of life. */
export type ChatPiece =
  | { type: "text"; text: string }
  | { type: "call"; id: string; name: string; input: object }
  | { type: "other" };

export interface EditorChat {
  /** `vendor/id`: what `strata.model.name` says */
  readonly name: string;
  readonly title: string;
  readonly maxInputTokens: number;
  readonly seesImages: boolean;
  /** false: it cannot call tools. Absent: unknown. */
  readonly takesTools?: false;
  /** Rejects, as its answer does, with EditorModelError where the editor says why. Asks the person for leave the first time. */
  send(
    turns: readonly ChatMessage[],
    tools: readonly ChatTool[],
    signal: AbortSignal,
  ): Promise<AsyncIterable<ChatPiece>>;
}

/** The models that the editor offers now; none in a terminal. */
export type EditorModels = { list(): Promise<readonly EditorChat[]> };

/** Why the editor refused, where it says so. */
export class EditorModelError extends Error {
  override readonly name = "EditorModelError";
  constructor(
    readonly code: "no-permission" | "blocked" | "not-found",
    message: string,
  ) {
    super(message);
  }
}

export const editorModel = (chat: EditorChat): StreamedModel => ({
  async doStream({ prompt, tools, abortSignal = new AbortController().signal }) {
    const pieces = await chat.send(toChatMessages(prompt, chat.seesImages), toChatTools(tools), abortSignal);
    return { stream: streamParts(pieces, abortSignal) };
  },
});

const toChatTools = (tools: SdkCallOptions["tools"] = []): ChatTool[] =>
  tools.flatMap(tool =>
    tool.type === "function"
      ? [{ name: tool.name, description: tool.description ?? "", inputSchema: tool.inputSchema }]
      : [],
  );

async function* streamParts(pieces: AsyncIterable<ChatPiece>, signal: AbortSignal): AsyncGenerator<AnswerPart, void> {
  let open: string | undefined;
  let texts = 0;
  let hasCalled = false;
  try {
    for await (const piece of pieces) {
      if (piece.type === "other") {
        yield { type: "ping" };
        continue;
      }
      if (piece.type === "text") {
        if (open === undefined) {
          open = String(++texts);
          yield { type: "text-start", id: open };
        }
        yield { type: "text-delta", id: open, delta: piece.text };
        continue;
      }
      if (open !== undefined) yield { type: "text-end", id: open };
      open = undefined;
      hasCalled = true;
      yield { type: "tool-call", toolCallId: piece.id, toolName: piece.name, input: JSON.stringify(piece.input) };
    }
    // A cancelled answer may end as one that is whole.
    signal.throwIfAborted();
  } catch (error) {
    yield { type: "error", error };
    return;
  }
  if (open !== undefined) yield { type: "text-end", id: open };
  yield {
    type: "finish",
    finishReason: { unified: hasCalled ? "tool-calls" : "stop", raw: undefined },
    usage: UNKNOWN_USAGE,
  };
}

/** In turns of users and assistants: system texts and results are the user's, messages of one role in a row are one. Reasoning is left out: it belongs to its interface. */
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
