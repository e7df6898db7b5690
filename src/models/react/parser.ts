/**
 * Reads an answer of the text protocol while it streams: what it says is text, what it does is calls. No part of an action's
 * syntax comes out as text, whatever the pieces are in which the answer comes. Where the model goes on to write what only a tool
 * can say, the answer is over. (C-154)
 */
import { nearName } from "../../shared/nearName";
import { CallClosing } from "./closing";
import { closingMarks, plainInputEnd, withoutCloser } from "./inputEnd";
import { FINISH, heldBack, inlineAction, lineMarker, type Marker, WAIT } from "./markers";
import { afterName, type NameEnd, readName } from "./name";
import { ObjectEnd } from "./objectEnd";
import { callIn, finishText } from "./otherFormats";
import { beginsThinking, readThinking, type ThinkingTags } from "./thinking";
import { type KnownTool, readInput, readJson } from "./toolInput";
import { type ProsePiece, ProseWords } from "./words";

export type AnswerPiece =
  | ProsePiece
  | { type: "reasoning"; text: string }
  | { type: "callStart"; call: number; name: string }
  /** of its input, as it was written */
  | { type: "callInput"; call: number; text: string }
  | { type: "call"; call: number; name: string; input: Record<string, unknown> }
  /** An action cannot be read; nothing follows. */
  | { type: "unreadable"; message: string };

/** What reads next, each a method of its name that returns false where it needs more of the answer. */
type AnswerState =
  | "start"
  | "thinking"
  | "prose"
  | "readName"
  | "input"
  | "plainInput"
  | "object"
  | "after"
  | "finish"
  | "over";

/** What is quoted of an action that cannot be read, in characters. */
const MAX_QUOTE = 1_500;

export class ReactParser {
  private state: AnswerState = "start";
  private buffer = "";
  private ended = false;
  /** the answer came to its end: what is open in it was meant so */
  private isWhole = true;
  private pieces: AnswerPiece[] = [];
  private readonly names: ReadonlySet<string>;

  private thinkingTags: ThinkingTags | undefined;
  private atLineStart = true;
  /** in a code block that is text */
  private inCode = false;
  /** in a code block around actions */
  private inFence = false;
  /** It said its last words to the user. */
  private isFinished = false;

  private readonly words = new ProseWords();

  private calls = 0;
  private name = "";
  private raw = "";
  private closer = "";
  private objectEnd = new ObjectEnd();
  /** what the object that comes is: an action by its place, or perhaps one by its keys */
  private isCertain = false;
  private closing = new CallClosing("[", "]");

  constructor(private readonly tools: readonly KnownTool[]) {
    this.names = new Set([...tools.map(({ name }) => name.toLowerCase()), FINISH]);
  }

  /** The model goes on with what is not its own: nothing more of the answer counts. */
  get isOver(): boolean {
    return this.state === "over";
  }

  /** @returns what is certain by now */
  push(text: string): AnswerPiece[] {
    this.buffer += text;
    return this.run();
  }

  /** @param isWhole false: it was cut off, and an action that is not complete is none */
  end(isWhole: boolean): AnswerPiece[] {
    this.ended = true;
    this.isWhole = isWhole;
    return this.run();
  }

  private run(): AnswerPiece[] {
    this.pieces = [];
    while (this[this.state]());
    return this.pieces;
  }

  private over(): boolean {
    this.buffer = "";
    return false;
  }

  private start(): boolean {
    const begun = beginsThinking(this.buffer, this.ended);
    if (begun === WAIT) return false;
    this.consume(begun?.length ?? 0);
    this.thinkingTags = begun?.thinking;
    return this.goTo(begun ? "thinking" : "prose");
  }

  private thinking(): boolean {
    const { text, length, isEnd } = readThinking(this.buffer, this.ended, this.thinkingTags);
    if (text !== "") this.pieces.push({ type: "reasoning", text });
    this.consume(length);
    if (isEnd) this.state = "prose";
    return isEnd;
  }

  private prose(): boolean {
    if (this.buffer === "") return false;
    if (this.atLineStart) {
      const marker = lineMarker(this.buffer, this.ended, this.names);
      const taken = marker === WAIT || marker === undefined ? marker : this.take(marker);
      if (taken === WAIT) return false;
      if (taken) return true;
      this.atLineStart = false;
    }
    return this.proseLine();
  }

  private proseLine(): boolean {
    const end = this.buffer.indexOf("\n");
    const line = end < 0 ? this.buffer : this.buffer.slice(0, end + 1);
    const action = this.isFinished ? undefined : inlineAction(line, this.names);
    if (action) {
      this.say(line.slice(0, action.at));
      this.consume(action.at + action.length);
      this.state = "readName";
      return true;
    }
    const certain = line.length - (end < 0 && !this.ended && !this.isFinished ? heldBack(line) : 0);
    this.say(line.slice(0, certain));
    this.consume(certain);
    this.atLineStart = end >= 0;
    return end >= 0;
  }

  /** undefined: in this place it is text */
  private take({ kind, length }: Marker): true | typeof WAIT | undefined {
    if (kind === "fence") return this.takeFence(length);
    if (this.inCode) return undefined;
    if (kind === "result" || kind === "role") {
      const isForeign = this.calls > 0 || this.isFinished || (kind === "role" && this.words.isOpen);
      return isForeign ? this.goTo("over") : undefined;
    }
    if (this.isFinished) return this.goTo("over");
    if (kind === "object") return this.beginObject(false);
    this.consume(length);
    this.atLineStart = false;
    if (kind === "tag") return this.beginObject(true);
    if (kind === "action" || kind === "call") return this.goTo("readName");
    if (kind === "final") this.beginLastWords();
    return true;
  }

  /** A code block around actions is passed over; any other is text, with all that stands in it. */
  private takeFence(length: number): true | typeof WAIT | undefined {
    const inner = this.buffer.slice(length + 1);
    if (this.inFence) {
      this.inFence = false;
      this.consume(length + 1);
      return true;
    }
    if (this.inCode) {
      this.inCode = false;
      return undefined;
    }
    if (inner === "" && !this.ended) return WAIT;
    const marker = this.isFinished ? undefined : lineMarker(inner, this.ended, this.names);
    if (marker === WAIT) return WAIT;
    if (marker && marker.kind !== "fence" && marker.kind !== "result" && marker.kind !== "role") {
      this.inFence = true;
      this.consume(length + 1);
      return true;
    }
    this.inCode = true;
    return undefined;
  }

  private readName(): boolean {
    const found = readName(this.buffer, this.ended);
    if (found === WAIT) return false;
    this.consume(found.skip);
    if (found.kind !== "name") return found.kind === "object" ? this.beginObject(true) : this.goOn();
    const { name } = found;
    const end = afterName(this.buffer, this.ended);
    if (end === WAIT) {
      this.buffer = `${name}${this.buffer}`;
      return false;
    }
    if (name.toLowerCase() === FINISH || name.toLowerCase() === "final_answer") return this.beginFinish(end);
    this.consume(end.length);
    if (end.kind !== "input") {
      if (end.kind === "prose") return this.goOn();
      if (name.toLowerCase() !== "none") this.beginCall(name, "");
      return name.toLowerCase() === "none" ? this.goOn() : this.endCall("");
    }
    this.beginCall(name, end.closer);
    return this.goTo("input");
  }

  private beginFinish(end: NameEnd): true {
    this.consume(end.length);
    if (end.kind !== "input" || end.closer === "\n") {
      this.beginLastWords();
      return this.goOn();
    }
    this.words.close();
    this.closing = new CallClosing(end.opener, end.closer);
    return this.goTo("finish");
  }

  /** @param written the name as the model wrote it: capitals do not count */
  private beginCall(written: string, closer: string): void {
    const name =
      nearName(
        written,
        this.tools.map(tool => tool.name),
      ) ?? written;
    this.words.close();
    this.calls += 1;
    this.name = name;
    this.raw = "";
    this.closer = closer;
    this.objectEnd = new ObjectEnd();
    this.pieces.push({ type: "callStart", call: this.calls, name });
  }

  private input(): boolean {
    if (this.raw === "") {
      const [lead = ""] = /^\s*(?:```\w*\s*)?/.exec(this.buffer) ?? [];
      const rest = this.buffer.slice(lead.length);
      if (!this.ended && (rest === "" || /^`{1,2}$/.test(rest))) return false;
      this.consume(lead.length);
      if (!rest.startsWith("{")) return this.goTo("plainInput");
    }
    const { length, isEnd } = this.objectEnd.find(this.buffer, this.ended);
    this.addInput(length);
    if (isEnd) return this.endCall(this.raw);
    if (!this.ended) return false;
    if (!this.isWhole) return this.dropCall();
    return this.objectEnd.isInString && !/[}\])]\s*$/.test(this.raw)
      ? this.unreadable(this.raw, "a string in it is not closed")
      : this.endCall(withoutCloser(this.raw));
  }

  private plainInput(): boolean {
    const end = plainInputEnd(this.buffer, this.ended, this.closer);
    if (end === WAIT || (end === undefined && !this.ended)) return false;
    this.addInput(end ?? this.buffer.length);
    return end !== undefined || this.isWhole ? this.endCall(this.raw) : this.dropCall();
  }

  private addInput(length: number): void {
    if (length === 0) return;
    const text = this.buffer.slice(0, length);
    this.raw += text;
    this.pieces.push({ type: "callInput", call: this.calls, text });
    this.consume(length);
  }

  private endCall(raw: string): true {
    const { name } = this;
    const read = readInput(
      raw,
      this.tools.find(tool => tool.name === name),
    );
    if ("error" in read) return this.unreadable(raw, read.error);
    this.pieces.push({ type: "call", call: this.calls, name, input: read.input });
    return this.goTo("after");
  }

  /** The answer was cut off in the middle of it. */
  private dropCall(): true {
    this.calls -= 1;
    return this.goTo("over");
  }

  private unreadable(raw: string, why: string): true {
    const quote = raw.length > MAX_QUOTE ? `${raw.slice(0, MAX_QUOTE)}…` : raw;
    this.pieces.push({ type: "unreadable", message: `${this.name}: ${why}. It was: ${quote}` });
    return this.goTo("over");
  }

  /** What may stand behind an input: its bracket, the next input of the same tool, the end of what is around it. */
  private after(): boolean {
    const rest = this.buffer.trimStart();
    if (!this.ended && (rest === "" || rest === ",")) return false;
    const [more] = /^\s*,\s*(?=\{)/.exec(this.buffer) ?? [];
    if (more !== undefined && this.closer !== "") {
      this.consume(more.length);
      this.beginCall(this.name, this.closer);
      return this.goTo("input");
    }
    const marks = closingMarks(this.buffer, this.ended);
    if (marks === WAIT) return false;
    this.consume(marks);
    this.atLineStart = true;
    return this.goTo("prose");
  }

  private beginObject(isCertain: boolean): true {
    this.raw = "";
    this.isCertain = isCertain;
    this.objectEnd = new ObjectEnd();
    return this.goTo("object");
  }

  private object(): boolean {
    if (this.raw === "") this.consume(this.buffer.length - this.buffer.trimStart().length);
    if (this.raw === "" && this.buffer !== "" && !this.buffer.startsWith("{")) return this.goOn();
    const { length, isEnd } = this.objectEnd.find(this.buffer, this.ended);
    this.raw += this.buffer.slice(0, length);
    this.consume(length);
    if (!isEnd && !this.ended) return false;
    const found = isEnd || this.isWhole ? callIn(readJson(this.raw)) : undefined;
    const names = this.tools.map(({ name }) => name);
    const isKnown = found && (this.names.has(found.name.toLowerCase()) || nearName(found.name, names) !== undefined);
    if (found && (isKnown || this.isCertain)) return this.takeObject(found);
    if (this.isCertain && this.isWhole)
      return this.unreadable(this.raw, "there is no name of a tool and its input in it");
    if (!this.isCertain) this.say(this.raw);
    return this.goOn();
  }

  private takeObject({ name, input, thought }: NonNullable<ReturnType<typeof callIn>>): true {
    if (thought) this.say(thought);
    if (name.toLowerCase() === FINISH) {
      this.beginLastWords();
      this.say(finishText(input));
      return this.goTo("after");
    }
    this.beginCall(name, "");
    const raw = typeof input === "string" ? input : JSON.stringify(input ?? {});
    this.pieces.push({ type: "callInput", call: this.calls, text: raw });
    return this.endCall(raw);
  }

  /** The words for the user, shown as they come. */
  private finish(): boolean {
    const { text, length, isEnd } = this.closing.read(this.buffer, this.ended);
    this.say(text);
    this.consume(length);
    if (!isEnd) return false;
    this.isFinished = true;
    if (this.closing.isCut || this.ended) return this.goTo("over");
    this.atLineStart = true;
    return this.goTo("prose");
  }

  private beginLastWords(): void {
    this.words.close();
    this.isFinished = true;
  }

  private say(text: string): void {
    const piece = this.words.add(text);
    if (piece) this.pieces.push(piece);
  }

  private goTo(state: AnswerState): true {
    this.state = state;
    return true;
  }

  private goOn(): true {
    this.atLineStart = false;
    return this.goTo("prose");
  }

  private consume(length: number): void {
    this.buffer = this.buffer.slice(length);
  }
}
