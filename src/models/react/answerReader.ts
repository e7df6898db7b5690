/** What is read of a model's answer beside its calls: thoughts in tags, and calls that it wrote as text. Why: C-138. */
import { AnswerError, type AnswerPart, type AnswerReader } from "../../core/ground/ports";
import { SHOWN_ONLY } from "../../shared/messages";
import { type StagePiece, TextStage } from "./textStage";
import type { KnownTool } from "./toolInput";

const MAX_THOUGHT = 1_500;

type TextStart = Extract<AnswerPart, { type: "text-start" }>;

export class WrittenAnswer implements AnswerReader {
  private readonly stage: TextStage;
  /** a text that nothing was said of yet */
  private begun: TextStart | undefined;
  private text = "text";
  private thoughts = 0;
  private isThinking = false;
  private hasCalls = false;
  private hasWords = false;
  private thought = "";

  constructor(
    private readonly tools: readonly KnownTool[],
    private readonly newId: () => string,
    /** The model was asked already whether it means what it writes. */
    private readonly wasAsked = false,
  ) {
    this.stage = new TextStage(tools, false);
  }

  read(part: AnswerPart): readonly AnswerPart[] {
    switch (part.type) {
      case "text-start":
        this.begun = part;
        this.text = part.id;
        return [];
      case "text-delta":
        this.hasWords ||= part.text.trim() !== "";
        return this.stage.push(part.text).flatMap(piece => this.toParts(piece));
      case "text-end": {
        const start = this.begun;
        this.begun = undefined;
        if (start && !start.providerMetadata && !part.providerMetadata) return [];
        return start ? [start, part] : [part];
      }
      case "reasoning-delta":
        this.thought += part.text;
        if (this.thought.length > 2 * MAX_THOUGHT) this.thought = this.thought.slice(-MAX_THOUGHT);
        return [part];
      case "tool-call":
        this.hasCalls ||= !part.providerExecuted;
        return [part];
      case "model-call-end":
        return this.end(part);
      default:
        return [part];
    }
  }

  private end(part: Extract<AnswerPart, { type: "model-call-end" }>): readonly AnswerPart[] {
    const { finishReason } = part;
    const isBroken = finishReason === "error" || (finishReason === "other" && part.rawFinishReason === undefined);
    if (isBroken) return [part];
    const pieces = [...this.stage.end(finishReason === "length", this.hasCalls), ...this.thoughtCalls(finishReason)];
    const parts = [...pieces.flatMap(piece => this.toParts(piece)), ...thinking(part.providerMetadata)];
    const calls = pieces.some(({ type }) => type === "call") && finishReason === "stop";
    return [...parts, calls ? { ...part, finishReason: "tool-calls" } : part];
  }

  /** A thought is nothing to act on: where an answer is nothing else, and has a call in it, the model is to make that call. */
  private thoughtCalls(finishReason: string): StagePiece[] {
    if (this.hasCalls || this.hasWords || finishReason === "length") return [];
    const stage = new TextStage(this.tools, false);
    const pieces = [...stage.push(this.thought), ...stage.end(false, false)];
    const found = pieces.find(({ type }) => type === "call" || type === "unclear");
    if (!found) return [];
    return [{ type: "unclear", message: `a call stood in what you thought. It was: ${this.thought}`, text: "" }];
  }

  private toParts(piece: StagePiece): AnswerPart[] {
    if (piece.type === "thought") {
      if (!this.isThinking) this.thoughts += 1;
      this.isThinking = true;
      const id = `written ${this.thoughts}`;
      return [{ type: "reasoning-delta", id, text: piece.text, providerMetadata: SHOWN_ONLY }];
    }
    this.isThinking = false;
    switch (piece.type) {
      case "text": {
        const start = this.begun ? [this.begun] : [];
        this.begun = undefined;
        return [...start, { type: "text-delta", id: this.text, text: piece.text }];
      }
      case "wasThought":
        return [{ type: "text-was-thought" }];
      case "call": {
        const toolCallId = this.newId();
        return [{ type: "tool-call", toolCallId, toolName: piece.name, input: piece.input, dynamic: true }];
      }
      case "cutCall":
        return [{ type: "tool-input-start", id: this.newId(), toolName: piece.name }];
      case "unclear":
        if (piece.mayBeText && this.wasAsked) return this.toParts({ type: "text", text: piece.text });
        return [{ type: "error", error: new AnswerError("written-call", piece.message) }];
    }
  }
}

/** What a provider tells of the thinking at the end only, and wants back. */
function thinking(providerMetadata: Extract<AnswerPart, { type: "model-call-end" }>["providerMetadata"]): AnswerPart[] {
  const own = providerMetadata?.compatible;
  if (own?.reasoningDetails === undefined) return [];
  return [{ type: "reasoning-start", id: "details", providerMetadata: { compatible: own } }];
}
