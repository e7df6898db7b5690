/** Between the network and the SDK's packages: a stream of events as servers really send it becomes one that their schemas take. */
import { EventReader } from "./eventReader";
import { GeminiEvents } from "./gemini";
import type { Mender } from "./mender";
import { MessagesEvents } from "./messages";
import { ResponsesEvents } from "./responses";

type FilteredKind = "responses" | "messages" | "gemini";
/** `chat`: its reader takes what servers send */
export type EventKind = FilteredKind | "chat";

const kinds: Record<FilteredKind, new () => Mender> = {
  responses: ResponsesEvents,
  messages: MessagesEvents,
  gemini: GeminiEvents,
};

export class EventFilter {
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();
  private readonly reader: EventReader;
  private readonly mender: Mender;

  /** @param contentType media type, lower case */
  constructor(kind: FilteredKind, contentType: string) {
    this.reader = new EventReader(contentType);
    this.mender = new kinds[kind]();
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
    const events = items.flatMap(item => (item === "[DONE]" ? [] : this.mender.mend(item)));
    return this.encoder.encode(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(""));
  }
}
