/**
 * Reads the text of an answer while it streams, in any protocol: thoughts in tags are thoughts, and a call that the model wrote as
 * text is held back until it is whole. What stands in a block of code is text.
 */
import { fenceAfter } from "../../shared/fences";
import { callMark } from "./callMarks";
import { WAIT } from "./markers";
import { beginsThinking, leadLength, readThinking, type ThinkingTags, type ThoughtMark, thoughtMark } from "./thinking";
import type { KnownTool } from "./toolInput";
import { readWritten, type WrittenCall } from "./writtenCalls";

export type StagePiece =
  | { type: "text" | "thought"; text: string }
  /** What was said so far was a thought, whose beginning the server had left out. */
  | { type: "wasThought" }
  | { type: "call"; name: string; input: Record<string, unknown> }
  /** cut off in the middle of it */
  | { type: "cutCall"; name: string }
  /** `message`: what is wrong with it, and its beginning; `mayBeText`: an example, perhaps */
  | { type: "unclear"; message: string; text: string; mayBeText?: true };

/** Further than this behind a line's end no mark is looked for. */
const LOOK_AHEAD = 160;
const MAX_QUOTE = 1_500;
const CALL_END = /\n<\/(?:[\w｜|]+:?)?(?:function|invoke|tool_call|function_calls)>$/;
const UNSURE =
  "A call stood in the text, and whether you meant it or explained it cannot be told. Where you only explain, write it once more, in a block of code.";
const SPECIAL = /[<[{`\n◁]/;

export class TextStage {
  private state: "start" | "thinking" | "text" | "held" = "start";
  private thinking: ThinkingTags | undefined;
  private buffer = "";
  /** what was said of the line so far */
  private line = "";
  /** the marks of the block of code that it is in */
  private fence: string | undefined;
  private afterBlank = true;
  /** the end of what was said */
  private said = "";
  private hasThought = false;
  /** A thought ended: the words begin where something is said. */
  private skipsSpace = false;
  /** A thought stands between words. */
  private isApart = false;
  private pieces: StagePiece[] = [];
  private readonly names: readonly string[];

  constructor(
    private readonly tools: readonly KnownTool[],
    /** Whoever reads the text protocol knows thoughts and objects itself. */
    private readonly isProtocol: boolean,
  ) {
    this.names = tools.map(({ name }) => name);
    if (isProtocol) this.state = "text";
  }

  push(text: string): readonly StagePiece[] {
    if (this.state === "text" && this.buffer === "" && !SPECIAL.test(text) && this.line !== "") {
      this.line += text;
      this.hear(text);
      return [{ type: "text", text }];
    }
    this.buffer += text;
    return this.run(false);
  }

  /** @param isCut the answer had reached the most tokens it may have; @param hasCalls it called as it should, too */
  end(isCut: boolean, hasCalls: boolean): readonly StagePiece[] {
    const pieces = [...this.run(true)];
    if (this.state !== "held") return hasCalls || isCut ? pieces : [...pieces, ...this.remains()];
    const written = readWritten(this.buffer, this.tools, isCut);
    if (written === "text" || ("unclear" in written && hasCalls)) pieces.push({ type: "text", text: this.buffer });
    else if ("unclear" in written) {
      const quote = this.buffer.slice(0, MAX_QUOTE);
      if (isCut && written.name !== undefined) pieces.push({ type: "cutCall", name: written.name });
      else pieces.push({ type: "unclear", message: `${written.unclear}. It was: ${quote}`, text: this.buffer });
    } else if (!hasCalls) {
      pieces.push(...this.meant(written));
    }
    return pieces;
  }

  /** A call that is explained is none. Where nobody can tell, the model is asked. */
  private meant({ calls, rest }: { calls: readonly WrittenCall[]; rest: string }): StagePiece[] {
    const text = this.buffer;
    const meaning = meaningOf(this.said, rest, text);
    if (meaning === "call") return calls.map(call => ({ type: "call", ...call }));
    if (meaning === "text") return [{ type: "text", text }];
    const message = `${UNSURE} It was: ${text.slice(0, MAX_QUOTE)}`;
    return [{ type: "unclear", message, text, ...(meaning === "example" && { mayBeText: true }) }];
  }

  private hear(text: string): void {
    this.said += text;
    if (this.said.length > 2 * MAX_QUOTE) this.said = this.said.slice(-MAX_QUOTE);
  }

  /** The end of a call whose beginning the server took for itself. */
  private remains(): StagePiece[] {
    const said = this.said.slice(-MAX_QUOTE).trimEnd();
    if (this.isProtocol || this.fence !== undefined || !CALL_END.test(said)) return [];
    if (!this.names.some(name => said.includes(name))) return [];
    return [{ type: "unclear", message: `the beginning of a call is missing. It ended in: ${said}`, text: "" }];
  }

  private run(ended: boolean): readonly StagePiece[] {
    this.pieces = [];
    while (this.buffer !== "" && this.state !== "held") {
      if (this.skipsSpace && this.state !== "thinking") {
        this.buffer = this.buffer.trimStart();
        if (this.buffer === "") break;
      }
      const goesOn =
        this.state === "start" ? this.start(ended) : this.state === "thinking" ? this.thought(ended) : this.text(ended);
      if (!goesOn) break;
    }
    return this.pieces;
  }

  private start(ended: boolean): boolean {
    const lead = this.hasThought ? leadLength(this.buffer, ended) : 0;
    if (lead === WAIT) return false;
    this.buffer = this.buffer.slice(lead);
    const begun = beginsThinking(this.buffer, ended);
    if (begun === WAIT) return false;
    if (begun) {
      this.thinking = begun.thinking;
      this.hasThought = true;
      this.buffer = this.buffer.slice(begun.length);
    }
    this.state = begun ? "thinking" : "text";
    return true;
  }

  private thought(ended: boolean): boolean {
    const { text, length, isEnd } = readThinking(this.buffer, ended, this.thinking);
    if (text !== "") this.pieces.push({ type: "thought", text });
    this.buffer = this.buffer.slice(length);
    if (!isEnd) return false;
    this.skipsSpace = true;
    // Some think more than once before they speak.
    this.state = "start";
    return true;
  }

  private text(ended: boolean): boolean {
    const lineEnd = this.buffer.indexOf("\n") + 1;
    const length = lineEnd === 0 ? this.buffer.length : lineEnd;
    const isCode = this.fence !== undefined;
    const near = this.buffer.slice(0, length + LOOK_AHEAD);
    const mark = isCode ? undefined : callMark(near, this.line === "", this.names, this.isProtocol);
    const isQuoted = mark && this.isQuoted(mark.at);
    const isOwn = mark && this.isProtocol ? ownTag(this.buffer.slice(mark.at), ended) : false;
    const thought = isCode || this.isProtocol ? undefined : thoughtMark(near, ended, this.spoken);
    if (thought && thought.at < Math.min(length, mark?.at ?? length) && !this.isQuoted(thought.at))
      return this.markedThought(thought);
    if (isOwn === WAIT) {
      if (mark && mark.at > 0) this.say(mark.at);
      return false;
    }
    if (!mark || mark.at >= length || isQuoted || isOwn) {
      this.say(length);
      return true;
    }
    if (mark.at > 0) this.say(mark.at);
    if (mark.isOpen && !ended) return false;
    if (mark.isOpen) this.say(this.buffer.length);
    else this.state = "held";
    return true;
  }

  private get spoken() {
    const { line, said, hasThought } = this;
    return { line, said, hasThought };
  }

  private isQuoted(at: number): boolean {
    return isInQuotes(this.line + this.buffer.slice(0, at), { said: this.said, afterBlank: this.afterBlank });
  }

  /** A thought begins behind words, or all that was said was one. */
  private markedThought({ at, kind, length, tags }: ThoughtMark): boolean {
    if (at > 0) this.say(at);
    if (kind === "open") return false;
    this.buffer = this.buffer.slice(length);
    this.hasThought = true;
    this.line = "";
    if (kind === "begin") {
      this.thinking = tags;
      this.state = "thinking";
      this.isApart = this.said.trim() !== "";
      return true;
    }
    this.pieces.push({ type: "wasThought" });
    this.said = "";
    this.skipsSpace = true;
    return true;
  }

  private say(length: number): void {
    const text = this.buffer.slice(0, length);
    this.buffer = this.buffer.slice(length);
    this.skipsSpace = false;
    if (this.isApart) {
      this.isApart = false;
      if (!/\n\s*$/.test(this.said)) this.pieces.push({ type: "text", text: "\n\n" });
    }
    this.pieces.push({ type: "text", text });
    this.hear(text);
    this.line += text;
    if (!text.endsWith("\n")) return;
    this.fence = fenceAfter(this.fence, this.line.trimEnd());
    this.afterBlank = this.line.trim() === "";
    this.line = "";
  }
}

/** Whether the text protocol's reader takes it: tags around an object. */
function ownTag(text: string, ended: boolean): boolean | typeof WAIT {
  const [tag, first = ""] = /^<(?:tool_call|function_call|action)>\s*(\S?)/.exec(text) ?? [];
  if (tag === undefined) return false;
  return first === "" && !ended ? WAIT : first === "{" || first === "";
}

/** Whether a call in a text is made, or shown: models explain forms of calls, and read files out that have some. Pure. */

/** What stands in front of something that is shown, in the words of some languages. */
const SHOWS = new RegExp(
  [
    "\\b(?:for (?:example|instance)|e\\.g\\.|examples?|samples?|looks? like|like (?:this|so|these)|as follows|such as|syntax|template)(?![\\w])",
    "\\b(?:formats? (?:is|are|of|for|looks)|would|could|might|never|do not|don['’]t|must not|instead of|not this)\\b",
    "\\b(?:says?|contains?|reads|shows?|quotes?|has|writes?|emits?|uses?|is|are|was|in|from)\\b[^.\\n]{0,40}:\\s*$",
    "beispiel|z\\. ?b\\.|exemple|ejemplo|esempio|exemplo|przykład|например|пример|例如|比如|示例|例子|如下|格式|例えば|예를 들어|예시",
  ].join("|"),
  "i",
);
/** The same behind it. */
const SHOWN =
  /\b(?:examples?|formats?|syntax|this|that|which|would|could|might|never|means?|if you|above|parses?|renders?|is (?:how|what)|do not|don['’]t)\b|beispiel|so sieht|ejemplo|exemple|пример|示例|例子|这是|以上|예시/i;
/** Models that wait for what comes of a call. */
const WAITS = /^\s*(?:i(?:['’]ll| will|['’]m| am)? (?:now )?(?:wait|await)|(?:a)?waiting|let me (?:wait|see what))/i;
/** of what stands before: the paragraph that leads to it */
const MAX_LEAD = 400;

/** @param said what stands before; @param rest behind it, from where the call ends; @param text the call and what is behind it */
function meaningOf(said: string, rest: string, text: string): "call" | "text" | "example" | "unsure" {
  const lead =
    said
      .trimEnd()
      .slice(-MAX_LEAD)
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  const isShown = SHOWS.test(lead);
  const behind = rest.trim();
  if (behind === "" || WAITS.test(behind)) return isShown ? "example" : "call";
  // It goes on in the same line.
  if (isShown || /^[ \t]*[\p{L}\p{N}(|]/u.test(rest) || SHOWN.test(behind.slice(0, MAX_LEAD))) return "text";
  // JSON is in many texts.
  return /^\s*[`{[]/.test(text) && !text.startsWith("[TOOL") ? "text" : "unsure";
}

/** @param whole what stands before a mark in its line */
function isInQuotes(whole: string, { said, afterBlank }: { said: string; afterBlank: boolean }): boolean {
  if (/^\s{0,40}[>|]/.test(whole)) return true;
  const line = whole.slice(-MAX_LINE);
  if (/["'`]$/.test(line)) return true;
  if (afterBlank && /^(?: {4}|\t)\s*$/.test(line)) return true;
  const isInSpan = (line.match(/`+/g) ?? []).length % 2 === 1;
  const before = said.slice(-MAX_COMMENT) + line;
  return isInSpan || before.lastIndexOf("<!--") > before.lastIndexOf("-->");
}

const MAX_COMMENT = 500;
/** Longer ones are no lines that people read. */
const MAX_LINE = 4_000;
