/**
 * Between the network and the SDK: a stream of events as servers really send it becomes one that the SDK's schemas take. What
 * carries nothing is passed over, a whole answer becomes a stream. It works on bytes, in lines, and looks into a piece only where
 * that differs in more than its text from one that was looked into before: a stream has thousands that do not.
 */
import { isObject } from "../../shared/isObject";
import { Frame } from "./frame";
import { errorIn, type JsonFields, type Mender } from "./mender";
import { NotAnAnswerError } from "./notAnAnswer";

/** Of what is no answer: its sentence stands at the beginning. */
const MAX_BEGINNING = 65_536;
/** of one event */
const MAX_LINES = 1_000;
/** Fields of an event that are no data. */
const OTHER_FIELD = /^(?::|(?:event|id|retry)\s*:)/;

export class EventFilter {
  /** of a line that has not come whole; bytes as characters, as everything here that is not decoded */
  private rest: string[] = [];
  /** lines of data that are no JSON yet */
  private joined: string[] = [];
  /** of the last event that needed nothing */
  private frame: Frame | undefined;
  /** No blank line came behind the last data. */
  private isOpen = false;
  private form: "unknown" | "events" | "whole" = "unknown";

  constructor(
    private readonly mender: Mender,
    /** media type, lower case */
    private readonly contentType: string,
  ) {}

  /** Throws NotAnAnswerError. */
  add(bytes: Uint8Array): Uint8Array {
    const known = this.known(bytes);
    if (known === bytes.length) return bytes;
    const passed = this.look(known === 0 ? bytes : bytes.subarray(known));
    if (known === 0) return passed;
    return passed.length === 0 ? bytes.subarray(0, known) : Buffer.concat([bytes.subarray(0, known), passed]);
  }

  /** How many bytes are whole events that are like the last one. */
  private known(bytes: Uint8Array): number {
    const { frame } = this;
    if (!frame || this.rest.length > 0 || this.isOpen || this.joined.length > 0) return 0;
    for (let at = 0; ; ) {
      const next = at < bytes.length ? frame.match(bytes, at) : -1;
      if (next < 0) return at;
      at = next;
    }
  }

  private look(bytes: Uint8Array): Uint8Array {
    const more = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    // Joined when it is whole only: a line may come in a thousand pieces.
    if (this.form === "whole" || (this.form === "events" && !more.includes("\n"))) {
      this.rest.push(more);
      return new Uint8Array();
    }
    const hasRest = this.rest.length > 0;
    const text = hasRest ? this.rest.join("") + more : more;
    this.rest = [];
    const start = this.form === "unknown" ? this.begin(text) : 0;
    if (this.form !== "events") {
      this.rest.push(text);
      return new Uint8Array();
    }
    const end = text.lastIndexOf("\n") + 1;
    if (end < text.length) this.rest.push(text.slice(Math.max(start, end)));
    const passed = this.lines(text, start, end);
    if (passed !== undefined) return Buffer.from(passed, "latin1");
    return hasRest || start > 0 ? Buffer.from(text.slice(start, end), "latin1") : bytes.subarray(0, end);
  }

  /** What is left when nothing more comes. Throws NotAnAnswerError. */
  end(): Uint8Array {
    const rest = this.rest.join("");
    const form = this.form === "unknown" && /^(?:\xef\xbb\xbf)?\s*[{[]/.test(rest) ? "whole" : this.form;
    this.rest = [];
    if (form === "whole") return encoded(this.wholeAnswer(decoded(rest)));
    if (form === "unknown") {
      if (this.contentType === "text/event-stream" || (rest.trim() === "" && this.contentType !== "application/json"))
        return new Uint8Array();
      throw new NotAnAnswerError(this.contentType, decoded(rest.slice(0, MAX_BEGINNING)));
    }
    const last = this.line(rest) ?? rest;
    // Without a blank line behind it the SDK would not see the last event.
    return Buffer.from(`${last}\n\n${this.broken()}\n`, "latin1");
  }

  /** What kind of body it is, by its beginning. @returns where it begins */
  private begin(text: string): number {
    // a byte order mark, as its bytes
    const start = text.startsWith("\xef\xbb\xbf") ? 3 : 0;
    const first = /[^\s]/.exec(start === 0 ? text : text.slice(start))?.[0];
    if (first === undefined) return start;
    if (first === "<") throw new NotAnAnswerError("text/html", decoded(text.slice(0, MAX_BEGINNING)));
    if (first !== "{" && first !== "[") {
      if (/^\s*(?:data|event|id|retry)?\s*:/.test(text.slice(start, start + 64))) this.form = "events";
      return start;
    }
    const lineEnd = text.indexOf("\n", start);
    // Lines of JSON stream, too.
    if (lineEnd >= 0) this.form = isObject(parsed(decoded(text.slice(start, lineEnd)))) ? "events" : "whole";
    return start;
  }

  /** @returns undefined: all of them as they came */
  private lines(text: string, start: number, end: number): string | undefined {
    let passed: string | undefined;
    let from = start;
    /** where the event begins that comes, as far as it came as it is */
    let event = this.isOpen ? -1 : start;
    for (let at = start; at < end; ) {
      const lineEnd = text.indexOf("\n", at) + 1;
      const line = text.slice(at, lineEnd - 1);
      const isPlain = this.isOpen;
      const other = this.line(line);
      if (other !== undefined) {
        passed = (passed ?? "") + text.slice(from, at) + other;
        from = lineEnd;
        event = -1;
      }
      at = lineEnd;
      if (!isBlank(line)) continue;
      if (event >= 0 && isPlain) this.frame = Frame.of(text.slice(event, lineEnd)) ?? this.frame;
      event = lineEnd;
    }
    return passed === undefined ? undefined : passed + text.slice(from, end);
  }

  /** @returns what stands in a line's place, its end included; undefined: it stays */
  private line(line: string): string | undefined {
    const { joined } = this;
    if (isBlank(line)) {
      this.isOpen = false;
      return joined.length > 0 ? `${this.broken()}\n` : undefined;
    }
    if (line.startsWith("data:")) return this.data(line.slice(5).trim(), line);
    if (/^\s*[{[]/.test(line) || joined.length > 0) return this.data(line.trim());
    return OTHER_FIELD.test(line) ? undefined : "";
  }

  /** @param line as it came; absent: it is no line of an event's data */
  private data(value: string, line?: string): string | undefined {
    const { joined } = this;
    if (joined.length === 0 && value === "[DONE]" && line !== undefined) {
      const missing = this.mender.done?.() ?? [];
      return missing.length === 0 ? undefined : `${this.closed()}${latin(asEvents(missing))}${line}\n`;
    }
    if (joined.length > 0 && joined.length < MAX_LINES && !/[}\]"]$/.test(value)) {
      joined.push(value);
      return "";
    }
    const written = joined.length > 0 ? [...joined, value].join("\n") : value;
    const text = decoded(written);
    const event = parsed(text);
    if (event === undefined && joined.length < MAX_LINES && /^(?:\{|"|\[\s*(?:[[{"]|$))/.test(written)) {
      joined.push(value);
      return "";
    }
    const isJoined = joined.length > 0;
    if (event === undefined && isJoined) return this.broken();
    this.joined = [];
    // What is not even words is broken. That something failed is worth hearing.
    if (event === undefined && written !== "" && !/[a-z]/i.test(text)) return undefined;
    if (event === undefined)
      return /\berror\b/i.test(text) ? this.closed() + latin(asEvents([{ error: { message: text } }])) : "";
    const all = (Array.isArray(event) ? event : [event]).filter(isObject);
    const mended = all.map(each => ({ each, now: this.mender.mend(each) }));
    const isPlain = mended.every(({ now }) => now === "as it is") && all.length === 1 && all[0] === event;
    if (isPlain && !isJoined && line !== undefined) {
      const { isOpen } = this;
      this.isOpen = true;
      // Some put no blank line between two events: together they would be none.
      return isOpen ? `\n${line}\n` : undefined;
    }
    return this.closed() + latin(asEvents(mended.flatMap(({ each, now }) => (now === "as it is" ? [each] : now))));
  }

  private closed(): string {
    const { isOpen } = this;
    this.isOpen = false;
    return isOpen ? "\n" : "";
  }

  /** What never became JSON goes on as it came: the SDK says so. */
  private broken(): string {
    const lines = this.joined.map(each => `data: ${each}\n`).join("");
    this.joined = [];
    return lines;
  }

  private wholeAnswer(text: string): string {
    const answer = parsed(text);
    const all = Array.isArray(answer) ? answer.filter(isObject) : isObject(answer) ? [answer] : [];
    const events = all.flatMap(each => (errorIn(each) ? [] : this.mender.whole(each)));
    if (events.length === 0) throw new NotAnAnswerError("application/json", text.slice(0, MAX_BEGINNING));
    return asEvents(events);
  }
}

/** undefined: it is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A piece may come in several lines: whether it ever is JSON shows later.
    return undefined;
  }
}

const isBlank = (line: string): boolean => line === "" || line === "\r";

const asEvents = (events: readonly JsonFields[]): string =>
  events.map(event => `data: ${JSON.stringify(event)}\n\n`).join("");
const decoded = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");
const latin = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const encoded = (text: string): Uint8Array => Buffer.from(text, "utf8");
