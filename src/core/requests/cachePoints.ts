/** The marks of a request as its provider takes them. Where they stand `core/context/cacheMarks.ts` decides. */
import type { ModelMessage, SystemModelMessage } from "ai";
import type { CachePlaces } from "../context/compose";
import type { ModelConnection } from "../ports";

interface Content {
  instructions: string | SystemModelMessage[];
  messages: ModelMessage[];
  /** absent: not known */
  cached?: CachePlaces;
}

/** The same request with marks on it; nothing of it is changed in its place. */
export function withCachePoints(
  { instructions, messages, cached }: Content,
  cachePoint: NonNullable<ModelConnection["cachePoint"]>,
): Omit<Content, "cached"> {
  if (!cached) return { instructions, messages };
  const places = new Set(cached.messages);
  return {
    instructions: cached.instructions.map(({ text, isMarked }) => ({
      role: "system",
      content: text,
      ...(isMarked ? { providerOptions: cachePoint } : {}),
    })),
    messages: messages.map((message, at) =>
      places.has(at + 1) ? { ...message, providerOptions: { ...message.providerOptions, ...cachePoint } } : message,
    ),
  };
}
