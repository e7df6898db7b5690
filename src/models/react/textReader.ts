/** Reads an answer's text as it streams, in any protocol: prose passes until a line begins with a call's mark; the rest is held and read at the end. Why: C-138. */
import { fenceAfter } from "../../shared/fences";
import type { KnownTool } from "./callInput";
import { finishText, readWritten, type WrittenCall } from "./formats";
import type { StepMark, ThinkingTags } from "./marks";
import { beginsCall, beginsStep, isOpen, readThinking, thoughtMark, WAIT } from "./marks";

export type ReaderPiece =
  | { type: "text" | "thought"; text: string }
  /** What follows is said apart from what was said before. */
  | { type: "apart" }
  /** What was said so far was a thought, whose beginning the server had left out. */
  | { type: "wasThought" }
  | ({ type: "call" } & WrittenCall)
  | { type: "cutCall"; name: string }
  /** `message`: the fault and the beginning; `text`: it may be words about a call */
  | { type: "unclear"; message: string; text?: string };

const MAX_QUOTE = 1_500;
/** characters of a line that tell what its next words are: so many at its beginning, and at its end */
const LINE_ENDS = 200;
const UNSURE =
  "A call stood in the text, and whether you meant it or explained it cannot be told. Where you only explain, write it once more, in a block of code.";
/** Models that wait for what comes of a call. */
const WAITS = /^\s*(?:i(?:['’]ll| will|['’]m| am)? (?:now )?(?:wait|await)|(?:a)?waiting|let me (?:wait|see what))/i;
/** Where a mark may stand next: behind a line's end or a sentence, and at the sign that tags begin with. */
const NEXT_PLACE = /\n|[.!?]["'”’)]*[ \t]+|[…。！？]["'”’)]*[ \t]*|(?<!^)(?=[<[◁])/;
const SENTENCE_END = /[.!?…。！？]["'”’)）]?[ \t]*$/;
/** The next line is what only others say: results, and the user. */
const FOREIGN_LINE =
  /\n[ \t>*_#-]*(?:(?:observations?|tool (?:result|response)|观察(?:结果)?|工具结果)[ \t]*\d{0,3}[*_]{0,2}[ \t]*[:：]|\[(?:tool|tool[_ ]result|user|human|system)\]|<\|im_|<(?:tool_response|observation)>)/i;

export class TextReader {
  /** The model continues with words of others: the rest of the answer does not count. */
  isOver = false;
  private buffer = "";
  private pieces: ReaderPiece[] = [];
  private tags: ThinkingTags | undefined;
  private isHeld = false;
  /** It says its last words to the user, which this closes. */
  private closer: string | undefined;
  /** what was said of the line, and of all, as far as it matters */
  private line = "";
  private said = "";
  /** The line is the first; within words between backticks. */
  private isFirst = true;
  private isTicked = false;
  /** the end of a held text, where words of others may have begun; undefined: none of it was looked at */
  private unsure: string | undefined;
  private fence: string | undefined;
  private hasThought = false;
  /** A thought ended, or the protocol's words did: blank space before the next words is skipped. */
  private skipsSpace: boolean;
  private isApart = false;
  /** of the protocol: shown once something follows it */
  private space = "";
  private readonly names: readonly string[];

  constructor(
    private readonly tools: readonly KnownTool[],
    private readonly isProtocol: boolean,
  ) {
    this.names = tools.map(({ name }) => name);
    this.skipsSpace = isProtocol;
  }

  push(text: string): readonly ReaderPiece[] {
    this.buffer += text;
    if (this.unsure !== undefined) this.unsure += text;
    return this.run(false);
  }

  /** The text ended: an open mark was none. A call is held until the answer ends. */
  settle = (): readonly ReaderPiece[] => this.run(true);

  /** `isCut`: it had reached the most tokens it may have; `hasCalls`: it called as it should, too */
  end({ isCut, hasCalls }: { isCut: boolean; hasCalls: boolean }): readonly ReaderPiece[] {
    const pieces = [...this.run(true)];
    if (!this.isHeld) return pieces;
    this.isHeld = false;
    this.pieces = [];
    if (this.closer !== undefined) this.say(finishText(this.unclosed(this.buffer.trim())));
    else if (this.isProtocol) this.protocolItems(isCut);
    else this.items(isCut, hasCalls);
    return [...pieces, ...this.pieces];
  }

  private run(ended: boolean): readonly ReaderPiece[] {
    this.pieces = [];
    while (this.buffer !== "" && !this.isOver) {
      if (this.isHeld) {
        this.cutForeign();
        break;
      }
      if (this.tags ? !this.think(this.tags, ended) : !this.speak(ended)) break;
    }
    return this.pieces;
  }

  private cutForeign(): void {
    if (!this.isProtocol) return;
    const unsure = this.unsure ?? this.buffer;
    const at = unsure.search(FOREIGN_LINE);
    this.unsure = unsure.slice(-LINE_ENDS);
    if (at < 0) return;
    this.buffer = this.buffer.slice(0, this.buffer.length - unsure.length + at);
    this.isOver = true;
  }

  private think(tags: ThinkingTags, ended: boolean): boolean {
    const { text, length, isEnd } = readThinking(this.buffer, ended, tags);
    if (text !== "") this.pieces.push({ type: "thought", text });
    this.buffer = this.buffer.slice(length);
    if (isEnd) this.tags = undefined;
    this.skipsSpace = true;
    return isEnd;
  }

  /** @returns false: more of the answer decides */
  private speak(ended: boolean): boolean {
    if (this.skipsSpace && this.fence === undefined) this.buffer = this.buffer.trimStart();
    if (this.buffer === "") return false;
    const place = { isLine: this.line.trim() === "", ended, names: this.names };
    const isMarked = this.fence === undefined && !this.isQuoted();
    if (isMarked && this.closer === undefined) {
      const { line, said, hasThought } = this;
      if (said.trim() === "" && /^\s*[<[◁]/.test(this.buffer)) this.buffer = this.buffer.trimStart();
      const thought = thoughtMark(this.buffer, ended, { line, said, hasThought });
      if (thought === WAIT) return false;
      if (thought) return this.markedThought(thought);
      if (!ended && isOpen(this.buffer, place.isLine)) return false;
    }
    const step = this.isProtocol && isMarked ? this.stepHere(place) : undefined;
    if (step === WAIT) return false;
    if (step && this.take(step)) return true;
    if (isMarked && this.closer === undefined && beginsCall(this.buffer, place)) {
      this.isHeld = true;
      return true;
    }
    const next = NEXT_PLACE.exec(this.buffer);
    this.say(this.buffer.slice(0, next ? next.index + next[0].length : this.buffer.length));
    this.buffer = this.buffer.slice(next ? next.index + next[0].length : this.buffer.length);
    return true;
  }

  /** A block of code around steps is passed over. */
  private stepHere(place: Parameters<typeof beginsStep>[1]): StepMark | typeof WAIT | undefined {
    if (!place.isLine && !SENTENCE_END.test(this.line)) return undefined;
    const [fence = ""] = place.isLine ? (/^[ \t]*(?:```|~~~)[ \t]*[\w-]*[ \t]*\r?\n/.exec(this.buffer) ?? []) : [];
    const step = beginsStep(this.buffer.slice(fence.length), place);
    if (fence === "" && place.isLine && !place.ended && /^[ \t]*(?:`{1,3}|~{1,3})[\w \t-]*\r?$/.test(this.buffer))
      return WAIT;
    if (step === undefined || step === WAIT) return step;
    if (fence !== "" && (step.kind === "result" || step.kind === "role")) return undefined;
    return { ...step, length: step.length + fence.length };
  }

  /** @returns false: in this place it is text */
  private take(step: StepMark): boolean {
    const isFinished = this.closer !== undefined;
    if (isFinished || step.kind === "result" || step.kind === "role") {
      const isForeign = isFinished || (step.kind === "role" && this.said.trim() !== "");
      if (isForeign) this.isOver = true;
      return isForeign;
    }
    if (step.kind === "action") this.isHeld = true;
    else this.buffer = this.buffer.slice(step.length);
    if (step.kind !== "final") {
      this.skipsSpace = step.kind === "thought";
      return true;
    }
    this.closer = step.closer;
    this.apart();
    this.isHeld = /^\s*["{]/.test(this.buffer);
    return true;
  }

  private markedThought({ kind, length, tags }: Exclude<ReturnType<typeof thoughtMark>, undefined | "wait">): boolean {
    this.buffer = this.buffer.slice(length);
    this.skipsSpace = true;
    this.hasThought = true;
    this.line = "";
    if (kind === "begin") {
      this.tags = tags;
      this.isApart = this.said.trim() !== "";
    } else if (kind === "end") {
      this.pieces.push({ type: "wasThought" });
      this.said = "";
    }
    this.isTicked = false;
    this.isFirst = this.said === "";
    return true;
  }

  private isQuoted(): boolean {
    const { line, said } = this;
    if (/^\s{0,40}[>|]/.test(line) || /["'`]$/.test(line) || this.isTicked) return true;
    if (/^(?: {4}|\t)/.test(line + this.buffer.slice(0, 4)) && (this.isFirst || /\n\s*\n[ \t]*$/.test(said)))
      return true;
    return said.lastIndexOf("<!--") > said.lastIndexOf("-->");
  }

  private say(words: string): void {
    this.hear(words);
    const text = this.isProtocol ? this.withSpace(words) : words;
    if (text === "") return;
    this.skipsSpace = false;
    if (this.isApart && !/\n\s*$/.test(this.said.slice(0, -words.length)))
      this.pieces.push({ type: "text", text: "\n\n" });
    this.isApart = false;
    this.pieces.push({ type: "text", text });
  }

  /** Blank space at the end, and the bracket that may close the last words, stay behind until something follows them. */
  private withSpace(words: string): string {
    const all = this.space + words;
    const closer = this.closer ? `(?:\\s*\\${this.closer}[\\s\`*]*)?` : "";
    const body = all.replace(new RegExp(`${closer}\\s*$`), "");
    this.space = all.slice(body.length);
    return body;
  }

  private unclosed(text: string): string {
    const inner = text.replace(/\s*[`*]*$/, "");
    return this.closer && inner.endsWith(this.closer) ? inner.slice(0, -1).trim() : inner;
  }

  private hear(text: string): void {
    this.said = (this.said + text).slice(-2 * MAX_QUOTE);
    const [first = "", ...more] = text.split("\n");
    this.hearLine(first);
    for (const line of more) {
      this.fence = fenceAfter(this.fence, this.line.trimEnd());
      this.isFirst = this.isTicked = false;
      this.line = "";
      this.hearLine(line);
    }
  }

  private hearLine(text: string): void {
    // A run of backticks is one sign, also where it comes in pieces.
    const begun = this.line.endsWith("`") ? text.replace(/^`+/, "") : text;
    if ((begun.match(/`+/g) ?? []).length % 2 === 1) this.isTicked = !this.isTicked;
    const line = this.line + text;
    this.line = line.length > 4 * LINE_ENDS ? line.slice(0, LINE_ENDS) + line.slice(-LINE_ENDS) : line;
  }

  private apart(): void {
    this.pieces.push({ type: "apart" });
    this.space = "";
    this.skipsSpace = true;
  }

  private protocolItems(isCut: boolean): void {
    const items = readWritten(this.buffer, { tools: this.tools, isProtocol: true, isCut });
    for (const [at, item] of items.entries()) {
      if (item.type === "call") this.pieces.push(item);
      else if (item.type === "unreadable" && item.isOpen) this.pieces.push({ type: "cutCall", name: item.name });
      else if (item.type === "unreadable")
        this.pieces.push({ type: "unclear", message: `${item.name}: ${item.why}. It was: ${quoted(item.quote)}` });
      else this.more(item.text, at === 0 && items.length === 1);
    }
  }

  /** Words behind calls, in which others may be. @param isAll no call came before */
  private more(text: string, isAll: boolean): void {
    this.apart();
    if (isAll) {
      this.say(text);
      return;
    }
    const reader = new TextReader(this.tools, true);
    this.pieces.push(...[...reader.push(text), ...reader.end({ isCut: false, hasCalls: true })]);
  }

  private items(isCut: boolean, hasCalls: boolean): void {
    const text = this.buffer;
    const items = readWritten(text, { tools: this.tools, isProtocol: false, isCut });
    const calls = items.filter(item => item.type === "call");
    const broken = items.find(item => item.type === "unreadable");
    const rest = items.find(item => item.type === "said")?.text ?? "";
    const asText: ReaderPiece = { type: "text", text };
    if (broken) {
      if (hasCalls) this.pieces.push(asText);
      else if (broken.isOpen || isCut) this.pieces.push({ type: "cutCall", name: broken.name });
      else {
        const message = `the input of ${broken.name} cannot be read. ${broken.why}. It was: ${quoted(text)}`;
        this.pieces.push({ type: "unclear", message });
      }
    } else if (calls.length === 0) this.pieces.push(asText);
    else if (hasCalls) return;
    else if (rest.trim() === "" || WAITS.test(rest)) this.pieces.push(...calls);
    // JSON is in many texts, and words in the same line speak of the call.
    else if (/^\s*[`{[](?!TOOL)/.test(text) || /^[ \t]*[\p{L}\p{N}(|]/u.test(rest)) this.pieces.push(asText);
    else this.pieces.push({ type: "unclear", message: `${UNSURE} It was: ${quoted(text)}`, text });
  }
}

const quoted = (text: string): string => (text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text);
