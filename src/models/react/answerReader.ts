/** Reads a model's answer beside its calls: thoughts in tags, and calls as text. */
import { AnswerError, type AnswerPart, type AnswerReader } from "../../core/ground/ports";
import { SHOWN_ONLY } from "../../shared/messages";
import { UNKNOWN_USAGE } from "../sdk/prompt";
import type { KnownTool } from "./callInput";
import { type ReaderPiece, TextReader } from "./textReader";

type CallEnd = Extract<AnswerPart, { type: "finish" }>;

interface ReaderOptions {
  newId(): string;
  /** The tools stand in the instructions: calls come as text alone. */
  isProtocol?: boolean;
  /** The model was asked already whether it means what it writes. */
  wasAsked?: boolean | undefined;
}

export class WrittenAnswer implements AnswerReader {
  isOver = false;
  private readonly reader: TextReader;
  /** a text that nothing was said of yet */
  private begun: Extract<AnswerPart, { type: "text-start" }> | undefined;
  private text = "text";
  private isOpen = false;
  private isApart = false;
  private thoughts = 0;
  private isThinking = false;
  private hasCalls = false;

  constructor(
    tools: readonly KnownTool[],
    private readonly options: ReaderOptions,
  ) {
    this.reader = new TextReader(tools, options.isProtocol === true);
  }

  read(part: AnswerPart): readonly AnswerPart[] {
    switch (part.type) {
      case "text-start":
        this.begun = part;
        this.text = part.id;
        return [];
      case "text-delta": {
        const parts = this.reader.push(part.delta).flatMap(piece => this.toParts(piece));
        if (!this.reader.isOver) return parts;
        this.isOver = true;
        return [...parts, ...this.end(CUT)];
      }
      case "text-end": {
        const parts = this.settled();
        const start = this.begun;
        this.begun = undefined;
        if (this.options.isProtocol || (start && !start.providerMetadata && !part.providerMetadata)) return parts;
        return [...parts, ...(start ? [start, part] : [part])];
      }
      case "tool-input-start":
        return [...this.settled(), part];
      case "tool-call":
        this.hasCalls ||= !part.providerExecuted;
        return [part];
      case "finish":
        return this.end(part);
      default:
        return [part];
    }
  }

  private settled(): AnswerPart[] {
    return this.options.isProtocol ? [] : this.reader.settle().flatMap(piece => this.toParts(piece));
  }

  private end(part: CallEnd): readonly AnswerPart[] {
    const { unified, raw } = part.finishReason;
    if (unified === "error" || (unified === "other" && raw === undefined)) return [part];
    const pieces = this.reader.end({ isCut: unified === "length", hasCalls: this.hasCalls });
    const hasCalls = pieces.some(({ type }) => type === "call") && unified === "stop";
    const end = hasCalls ? { ...part, finishReason: { unified: "tool-calls" as const, raw } } : part;
    return [...pieces.flatMap(piece => this.toParts(piece)), end];
  }

  private toParts(piece: ReaderPiece): AnswerPart[] {
    if (piece.type === "thought") {
      if (!this.isThinking) this.thoughts += 1;
      this.isThinking = true;
      const id = `written ${this.thoughts}`;
      return [{ type: "reasoning-delta", id, delta: piece.text, providerMetadata: SHOWN_ONLY }];
    }
    this.isThinking = false;
    switch (piece.type) {
      case "apart":
        this.isApart = true;
        return [];
      case "text": {
        const apart = this.isApart ? this.apart() : [];
        const start = this.begun ? [this.begun] : [];
        this.begun = undefined;
        this.isOpen = true;
        return [...apart, ...start, { type: "text-delta", id: this.text, delta: piece.text }];
      }
      case "wasThought":
        return [{ type: "text-was-thought" }];
      case "call": {
        const end: AnswerPart[] = this.options.isProtocol ? this.apart("") : [];
        const call = { toolCallId: this.options.newId(), toolName: piece.name, input: JSON.stringify(piece.input) };
        return [...end, { type: "tool-call", ...call }];
      }
      case "cutCall":
        return [{ type: "tool-input-start", id: this.options.newId(), toolName: piece.name }];
      case "unclear": {
        const { text, message } = piece;
        if (text !== undefined && this.options.wasAsked) return this.toParts({ type: "text", text });
        const code = this.options.isProtocol ? "unreadable-call" : "written-call";
        return [{ type: "error", error: new AnswerError(code, message) }];
      }
    }
  }

  /** The next words are a text of their own; shown as one text, they are two paragraphs. */
  private apart(between = "\n\n"): AnswerPart[] {
    this.isApart = false;
    if (!this.isOpen) return [];
    const id = this.text;
    this.isOpen = false;
    this.text = `${id}+`;
    const gap: AnswerPart[] = between === "" ? [] : [{ type: "text-delta", id, delta: between }];
    return [...gap, { type: "text-end", id }];
  }
}

/** Usage would have come with the end that was cut off. */
const CUT: CallEnd = { type: "finish", finishReason: { unified: "stop", raw: "cut" }, usage: UNKNOWN_USAGE };
