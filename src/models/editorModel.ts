/**
 * A model that the editor offers (VS Code's language model API) as a model of the SDK. That API knows users and assistants
 * only, reports neither usage nor why an answer ended, and takes no output limit: what is missing is made up here.
 * Layers go as a user's words, since VS Code knows no other role; a workspace cannot choose such a model, since that
 * names who gets the text.
 */
import type { Hash } from "../core/ground/ports";
import { type ChatMessage, partText, toChatMessages } from "./chatMessages";
import type { SdkCallOptions, SdkFinish, SdkModel, SdkStreamPart } from "./sdk/types";

export interface ChatTool {
  name: string;
  description: string;
  inputSchema: object;
}

/** What comes of an answer; a piece of another kind is only a sign of life. */
export type ChatPiece =
  | { type: "text"; text: string }
  | { type: "call"; id: string; name: string; input: object }
  | { type: "other" };

export interface EditorChat {
  /** `vendor/id`: what `strata.model.name` says */
  readonly name: string;
  /** for people */
  readonly title: string;
  /** tokens that one request may have */
  readonly maxInputTokens: number;
  /** Whether it can be shown pictures. */
  readonly seesImages: boolean;
  /** false: it cannot call tools. Absent: nobody says so. */
  readonly takesTools?: false;
  /** Rejects, as its answer does, with EditorModelError where the editor says why. Asks the person for leave the first time. */
  send(
    turns: readonly ChatMessage[],
    tools: readonly ChatTool[],
    signal: AbortSignal,
  ): Promise<AsyncIterable<ChatPiece>>;
  count(text: string, signal: AbortSignal): Promise<number>;
}

/** The models that the editor offers now; none in a terminal. */
export interface EditorModels {
  list(): Promise<readonly EditorChat[]>;
}

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

/** @param known what was counted before, by whichever model */
export function editorModel(chat: EditorChat, known: TokenCounts): SdkModel {
  const count = (texts: readonly string[], signal: AbortSignal) => known.count(chat, texts, signal);
  return {
    specificationVersion: "v4",
    provider: "vscode",
    modelId: chat.name,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("models of the editor are only streamed")),
    async doStream({ prompt, tools, abortSignal = new AbortController().signal }) {
      const turns = toChatMessages(prompt, chat.seesImages);
      const offered = toChatTools(tools);
      // Beside the answer, which need not wait for it.
      const counted = count(
        [...turns.flatMap(({ parts }) => parts.map(partText)), JSON.stringify(offered)],
        abortSignal,
      );
      const pieces = await chat.send(turns, offered, abortSignal);
      return { stream: toStream(streamParts(pieces, { count, counted, signal: abortSignal })) };
    },
  };
}

const toChatTools = (tools: SdkCallOptions["tools"]): ChatTool[] =>
  (tools ?? []).flatMap(tool =>
    tool.type === "function"
      ? [{ name: tool.name, description: tool.description ?? "", inputSchema: tool.inputSchema }]
      : [],
  );

interface TokenCounter {
  count(texts: readonly string[], signal: AbortSignal): Promise<number | undefined>;
  /** tokens of the request; undefined: they could not be counted */
  counted: Promise<number | undefined>;
  signal: AbortSignal;
}

async function* streamParts(
  pieces: AsyncIterable<ChatPiece>,
  { count, counted, signal }: TokenCounter,
): AsyncGenerator<SdkStreamPart> {
  yield { type: "stream-start", warnings: [] };
  const answer = { open: undefined as string | undefined, texts: 0, written: "", called: false };
  try {
    for await (const piece of pieces) {
      if (piece.type === "other") {
        yield { type: "ping" };
        continue;
      }
      if (piece.type === "text") {
        if (answer.open === undefined) {
          answer.open = String(++answer.texts);
          yield { type: "text-start", id: answer.open };
        }
        answer.written += piece.text;
        yield { type: "text-delta", id: answer.open, delta: piece.text };
        continue;
      }
      if (answer.open !== undefined) yield { type: "text-end", id: answer.open };
      answer.open = undefined;
      const input = JSON.stringify(piece.input);
      answer.called = true;
      answer.written += `${piece.name}${input}`;
      yield { type: "tool-call", toolCallId: piece.id, toolName: piece.name, input };
    }
    // A cancelled answer may end as one that is whole.
    signal.throwIfAborted();
  } catch (error) {
    yield { type: "error", error };
    return;
  }
  if (answer.open !== undefined) yield { type: "text-end", id: answer.open };
  const output = await count([answer.written], signal);
  const unified = answer.called ? "tool-calls" : "stop";
  yield { type: "finish", finishReason: { unified, raw: undefined }, usage: toUsage(await counted, output) };
}

function toStream<Part>(parts: AsyncGenerator<Part, void>): ReadableStream<Part> {
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => void (await parts.return()),
  });
}

/** `raw.estimated`: counted, not reported. */
function toUsage(input: number | undefined, output: number | undefined): SdkFinish["usage"] {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
    raw: { estimated: true },
  };
}

const MAX_KNOWN = 10_000;

/** Counts texts; what a request before held is not counted again. */
export class TokenCounts {
  /** by model and hash of the text */
  readonly #known = new Map<string, number>();

  constructor(private readonly hash: Hash) {}

  /** Tokens of all of them; undefined where the model does not count. Never rejects. */
  async count(chat: EditorChat, texts: readonly string[], signal: AbortSignal): Promise<number | undefined> {
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    const countOne = async (text: string) => {
      const key = `${chat.name} ${this.hash.sha256(text)}`;
      const tokens = this.#known.get(key) ?? (await chat.count(text, signal));
      this.#known.set(key, tokens);
      return tokens;
    };
    try {
      return (await Promise.all(texts.map(countOne))).reduce((sum, tokens) => sum + tokens, 0);
    } catch {
      // Usage that is not known is estimated, as everywhere: the answer is worth more than its count.
      return undefined;
    }
  }
}
