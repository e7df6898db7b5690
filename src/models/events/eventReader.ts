/** The JSON of an answer as servers really send it: events, lines of JSON, a whole answer where a stream was asked for. What carries nothing is passed over. */
import { createParser, type ParseError } from "eventsource-parser";
import { isObject, parseJson } from "../../shared/isObject";

export type JsonFields = Record<string, unknown>;

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Whether it is an error, as any of them writes it; `failureFacts.ts` reads it. */
export function isError({ error, message, msg, detail, error_msg }: JsonFields): boolean {
  if (isText(error) || (isObject(error) && Object.keys(error).length > 0)) return true;
  return [message, msg, detail, error_msg].some(isText);
}

/** lower case, without parameters */
export const mediaType = ({ headers }: { headers: { get(name: string): string | null | undefined } }): string =>
  (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/** The server answered 200 with something that is no answer of a model. */
export class NotAnAnswerError extends Error {
  constructor(
    /** media type, lower case */
    readonly contentType: string,
    /** at most 64 KB; "": nothing in it says what it is */
    readonly body: string,
  ) {
    super(`expected a stream of events, got ${contentType}`);
    this.name = "NotAnAnswerError";
  }
}

/** Of a text that is no answer: its sentence is at the beginning. */
const MAX_BEGINNING = 65_536;

/** What an answer has in one interface or the other. */
const ANSWER = ["choices", "output", "content", "candidates", "response", "message"];

export type EventItem = JsonFields | "[DONE]";

export class EventReader {
  private form: "unknown" | "events" | "whole" = "unknown";
  private head = "";
  private items: EventItem[] = [];
  private readonly parser = createParser({
    onEvent: ({ data }) => this.data(data.trim()),
    onError: error => this.stray(error),
  });

  constructor(private readonly contentType: string) {}

  /** Throws NotAnAnswerError. */
  add(text: string): readonly EventItem[] {
    this.items = [];
    if (this.form === "events") this.parser.feed(text);
    else {
      this.head += text;
      if (this.form === "unknown") this.begin();
    }
    return this.items;
  }

  /** The rest, when nothing more comes. Throws NotAnAnswerError. */
  end(): readonly EventItem[] {
    this.items = [];
    const { head, form } = this;
    if (form === "events") {
      // Without a blank line behind it the parser would not tell the last event.
      this.parser.feed("\n\n");
    } else if (form === "whole" || /^\s*[{[]/.test(head)) this.whole(parseJson(head));
    else if (
      this.contentType !== "text/event-stream" &&
      (head.trim() !== "" || this.contentType === "application/json")
    )
      throw new NotAnAnswerError(this.contentType, head.slice(0, MAX_BEGINNING));
    return this.items;
  }

  /** What kind of body it is, by its beginning. */
  private begin(): void {
    const { head } = this;
    const first = /\S/.exec(head)?.[0];
    if (first === "<") throw new NotAnAnswerError("text/html", head.slice(0, MAX_BEGINNING));
    const lineEnd = head.trimStart().indexOf("\n");
    if (first === "{" || first === "[") {
      // Lines of JSON stream, too.
      if (lineEnd >= 0) this.form = isObject(parseJson(head.trimStart().slice(0, lineEnd))) ? "events" : "whole";
    } else if (/^\s*(?:data|event|id|retry)?\s*:/.test(head.slice(0, 64))) this.form = "events";
    if (this.form !== "events") return;
    this.head = "";
    this.parser.feed(head.trimStart());
  }

  private whole(answer: unknown): void {
    const all = (Array.isArray(answer) ? answer : [answer]).filter(isObject);
    const said = all.filter(each => ANSWER.some(key => key in each) && (!isError(each) || "choices" in each));
    if (said.length === 0) throw new NotAnAnswerError("application/json", this.head.slice(0, MAX_BEGINNING));
    this.items.push(...said);
  }

  private data(text: string): void {
    const value = parseJson(text);
    if (value !== undefined) this.value(value);
    // Some put no blank line between two events.
    else for (const line of text.split("\n")) this.line(line.trim());
  }

  private value(value: unknown): void {
    this.items.push(...(Array.isArray(value) ? value : [value]).filter(isObject));
  }

  private line(line: string): void {
    const value = parseJson(line);
    if (line === "[DONE]") this.items.push(line);
    else if (value === undefined) this.words(line);
    else this.value(value);
  }

  /** Text that is no words is broken. Words of an error count. */
  private words(text: string): void {
    if (text !== "" && (!/[a-z]/i.test(text) || /^(?:\{|\[\s*[[{"])/.test(text)) && parseJson(text) === undefined)
      throw new NotAnAnswerError(this.contentType, "");
    if (/\berror\b/i.test(text)) this.items.push({ error: { message: text } });
  }

  /** A line that is no field of an event: JSON without `data:`, perhaps. */
  private stray({ type, line = "" }: ParseError): void {
    if (type === "unknown-field" && /^\s*[{[]/.test(line)) this.line(line.trim());
  }
}

type FilteredKind = "responses" | "messages" | "candidates";
/** `chat`: its reader takes what servers send */
export type EventKind = FilteredKind | "chat";

/** Events, blocks and deltas of Messages that the package reads; any other fails its schema, and the answer with it. */
const EVENTS =
  /^(?:message_start|content_block_start|content_block_delta|content_block_stop|message_delta|message_stop|ping)$/;
const BLOCKS = /^(?:text|thinking|redacted_thinking|tool_use)$/;
const DELTAS = /^(?:text|input_json|thinking|signature|citations)_delta$/;

export class EventFilter {
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();
  private readonly reader: EventReader;
  /** indexes of blocks that the package does not read; each block has its own */
  private readonly skipped = new Set<unknown>();
  /** whether the package reads any of what came; undefined: nothing came */
  private isAnswer: boolean | undefined;

  constructor(
    private readonly kind: FilteredKind,
    contentType: string,
  ) {
    this.reader = new EventReader(contentType);
  }

  /** Throws NotAnAnswerError. */
  add = (bytes: Uint8Array): Uint8Array => this.written(this.reader.add(this.decoder.decode(bytes, { stream: true })));

  /** What is left when nothing more comes. Throws NotAnAnswerError. */
  end(): Uint8Array {
    const last = this.written([...this.reader.add(this.decoder.decode()), ...this.reader.end()]);
    if (this.isAnswer === false) throw new NotAnAnswerError("application/json", "");
    return last;
  }

  private written(items: ReturnType<EventReader["add"]>): Uint8Array {
    const events = items.filter(item => item !== "[DONE]" && this.isRead(item));
    if (items.length > 0) this.isAnswer ||= events.length > 0;
    return this.encoder.encode(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(""));
  }

  private isRead(event: JsonFields): boolean {
    const { type, error, response } = event;
    const isFailure = isError(isText(type) && type !== "error" ? { error } : event);
    if (isFailure || (isObject(response) && isObject(response.error)))
      throw new NotAnAnswerError("text/event-stream", JSON.stringify(event));
    if (this.kind === "messages") return isText(type) && EVENTS.test(type) && this.isMessages(type, event);
    // Chat Completions in the place of Responses: the package says so.
    return this.kind !== "responses" || isText(type) || Array.isArray(event.choices);
  }

  private isMessages(type: string, event: JsonFields): boolean {
    const { index, content_block: block, delta, message } = event;
    // Gateways leave counts out that the package insists on.
    if (isObject(message)) message.usage = { input_tokens: 0, ...fieldsOf(message.usage) };
    if (type === "message_delta") event.usage = { output_tokens: 0, ...fieldsOf(event.usage) };
    if (isObject(block) && !BLOCKS.test(String(block.type))) this.skipped.add(index);
    if (this.skipped.has(index)) return false;
    return type !== "content_block_delta" || (isObject(delta) && DELTAS.test(String(delta.type)));
  }
}

const fieldsOf = (value: unknown): JsonFields =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([, each]) => each !== null));
