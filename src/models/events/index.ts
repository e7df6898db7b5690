/** Which events an interface has. */
import { ChatEvents } from "./chat";
import { GeminiEvents } from "./gemini";
import type { Mender } from "./mender";
import { MessagesEvents } from "./messages";
import { ResponsesEvents } from "./responses";

export type EventKind = "chat" | "responses" | "messages" | "gemini";

const kinds: Record<EventKind, new () => Mender> = {
  chat: ChatEvents,
  responses: ResponsesEvents,
  messages: MessagesEvents,
  gemini: GeminiEvents,
};

export const menderOf = (kind: EventKind): Mender => new kinds[kind]();
