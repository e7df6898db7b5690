/**
 * The text protocol as a middleware: what is asked with tools goes out without them, and calls are read out of what comes back.
 * What the tools are stands in the instructions already. Whoever uses the model sees text and calls, as from any other.
 */
import type { LanguageModelMiddleware } from "ai";
import { AnswerError } from "../../core/ground/ports";
import type { SdkFinish, SdkPrompt, SdkStreamPart } from "../sdk/types";
import { type AnswerPiece, ReactParser } from "./parser";
import { toText } from "./serialise";
import { type StagePiece, TextStage } from "./textStage";
import type { KnownTool } from "./toolInput";

/** Where a model goes on with what only a tool can say. Other words for it may stand in an answer. */
const STOP = "\n[tool]";

interface ReactOptions {
  /** false: the interface knows no stop sequences, or refuses them */
  takesStop: boolean;
  newId(): string;
}

export function reactMiddleware({ takesStop, newId }: ReactOptions): LanguageModelMiddleware {
  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const { toolChoice: _, ...rest } = params;
      const prompt: SdkPrompt = toText(params.prompt);
      return { ...rest, prompt, ...(takesStop ? { stopSequences: [...(params.stopSequences ?? []), STOP] } : {}) };
    },
    async wrapStream({ params, model }) {
      const tools = (params.tools ?? []).filter(tool => tool.type === "function");
      const { tools: _, ...withoutTools } = params;
      const { stream, ...rest } = await model.doStream(withoutTools);
      return { ...rest, stream: readAnswer(stream, tools, newId) };
    },
  };
}

function readAnswer(
  stream: ReadableStream<SdkStreamPart>,
  tools: readonly KnownTool[],
  newId: () => string,
): ReadableStream<SdkStreamPart> {
  const reader = stream.getReader();
  const answer = new AnswerParts(tools, newId);
  return new ReadableStream<SdkStreamPart>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        const parts = answer.add(value);
        for (const part of parts) controller.enqueue(part);
        if (answer.isOver) {
          controller.close();
          // The model would write on for nobody.
          await reader.cancel().catch(() => undefined); // it has ended already
          return;
        }
        if (parts.length > 0) return;
      }
    },
    cancel: reason => reader.cancel(reason),
  });
}

class AnswerParts {
  isOver = false;
  private readonly parser: ReactParser;
  /** other forms of calls than the protocol's */
  private readonly stage: TextStage;
  private readonly ids = new Map<number, string>();
  /** of the answer: `<number of the block>` */
  private text: string | undefined;
  private isThinking = false;
  private hasCalls = false;

  constructor(
    tools: readonly KnownTool[],
    private readonly newId: () => string,
  ) {
    this.parser = new ReactParser(tools);
    this.stage = new TextStage(tools, true);
  }

  add(part: SdkStreamPart): SdkStreamPart[] {
    if (part.type === "text-start" || part.type === "text-end") return [];
    if (part.type === "finish") return this.finish(part);
    if (part.type !== "text-delta") return [part];
    const parts = this.stage.push(part.delta).flatMap(piece => this.staged(piece));
    if (this.isOver || !this.parser.isOver) return parts.length > 0 ? parts : [{ type: "ping" }];
    this.isOver = true;
    return [...parts, ...this.closed(), { type: "finish", finishReason: this.reason("stop", "cut"), usage: noUsage }];
  }

  private finish(part: SdkFinish): SdkStreamPart[] {
    const { unified, raw } = part.finishReason;
    const isWhole = unified !== "length" && unified !== "error" && unified !== "other";
    const before = this.stage.end(!isWhole, false).flatMap(piece => this.staged(piece));
    const parts = [...before, ...this.parser.end(isWhole).flatMap(piece => this.toParts(piece))];
    if (this.isOver) return parts;
    return [...parts, ...this.closed(), { ...part, finishReason: this.reason(unified, raw) }];
  }

  private staged(piece: StagePiece): SdkStreamPart[] {
    if (piece.type === "text" || piece.type === "unclear")
      return this.parser.push(piece.text).flatMap(each => this.toParts(each));
    if (piece.type === "cutCall")
      return [...this.closed(), { type: "tool-input-start", id: this.newId(), toolName: piece.name }];
    if (piece.type !== "call") return [];
    this.hasCalls = true;
    const call = { toolCallId: this.newId(), toolName: piece.name, input: JSON.stringify(piece.input) };
    return [...this.closed(), { type: "tool-call", ...call }];
  }

  private reason(unified: SdkFinish["finishReason"]["unified"], raw: string | undefined): SdkFinish["finishReason"] {
    return { unified: this.hasCalls && unified === "stop" ? "tool-calls" : unified, raw };
  }

  private toParts(piece: AnswerPiece): SdkStreamPart[] {
    switch (piece.type) {
      case "text":
        return [
          ...this.opened(`text ${piece.block}`),
          { type: "text-delta", id: `text ${piece.block}`, delta: piece.text },
        ];
      case "reasoning": {
        const start: SdkStreamPart[] = this.isThinking ? [] : [{ type: "reasoning-start", id: "thinking" }];
        this.isThinking = true;
        return [...start, { type: "reasoning-delta", id: "thinking", delta: piece.text }];
      }
      case "callStart":
        this.ids.set(piece.call, this.newId());
        return [...this.closed(), { type: "tool-input-start", id: this.idOf(piece.call), toolName: piece.name }];
      case "callInput":
        return [{ type: "tool-input-delta", id: this.idOf(piece.call), delta: piece.text }];
      case "call": {
        this.hasCalls = true;
        const id = this.idOf(piece.call);
        const call = { toolCallId: id, toolName: piece.name, input: JSON.stringify(piece.input) };
        return [
          { type: "tool-input-end", id },
          { type: "tool-call", ...call },
        ];
      }
      case "unreadable":
        this.isOver = true;
        return [...this.closed(), { type: "error", error: new AnswerError("unreadable-call", piece.message) }];
    }
  }

  private idOf(call: number): string {
    return this.ids.get(call) ?? "";
  }

  private opened(id: string): SdkStreamPart[] {
    if (this.text === id) return [];
    // Shown as one text, they are two paragraphs.
    const apart: SdkStreamPart[] =
      this.text === undefined ? [] : [{ type: "text-delta", id: this.text, delta: "\n\n" }];
    const before = this.closed();
    this.text = id;
    return [...apart, ...before, { type: "text-start", id }];
  }

  private closed(): SdkStreamPart[] {
    const ends: SdkStreamPart[] = [];
    if (this.isThinking) ends.push({ type: "reasoning-end", id: "thinking" });
    if (this.text !== undefined) ends.push({ type: "text-end", id: this.text });
    this.isThinking = false;
    this.text = undefined;
    return ends;
  }
}

/** The provider reports usage with the end that it was not let come to. */
const noUsage: SdkFinish["usage"] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
