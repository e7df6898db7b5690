/** Between the network and the SDK's packages: an error becomes one that says its words, and events that they do not know go. */
import { isObject } from "../../shared/isObject";
import { EventReader, errorIn, isText, type JsonFields, NotAnAnswerError } from "./eventReader";

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

  /** @param contentType media type, lower case */
  constructor(
    private readonly kind: FilteredKind,
    contentType: string,
  ) {
    this.reader = new EventReader(contentType);
  }

  /** Throws NotAnAnswerError. */
  add(bytes: Uint8Array): Uint8Array {
    return this.written(this.reader.add(this.decoder.decode(bytes, { stream: true })));
  }

  /** What is left when nothing more comes. Throws NotAnAnswerError. */
  end(): Uint8Array {
    return this.written([...this.reader.add(this.decoder.decode()), ...this.reader.end()]);
  }

  private written(items: ReturnType<EventReader["add"]>): Uint8Array {
    const events = items.filter(item => item !== "[DONE]" && this.isRead(item));
    return this.encoder.encode(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(""));
  }

  private isRead(event: JsonFields): boolean {
    const { type, error, response } = event;
    const failure = isObject(response) && isObject(response.error) ? response.error : errorIn({ error });
    if (failure) throw new NotAnAnswerError("text/event-stream", JSON.stringify({ error: failure }));
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

const fieldsOf = (value: unknown): JsonFields => (isObject(value) ? value : {});
