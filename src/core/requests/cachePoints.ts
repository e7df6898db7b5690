/**
 * Up to where a provider is to cache that wants to be told (docs/context.md): the rules, the history, the step before, this
 * step. Four places, the most that Anthropic and Bedrock take. The request's canonical form knows nothing of it.
 */
import type { ModelMessage, SystemModelMessage } from "ai";
import type { ModelConnection } from "../ports";

/** What of a request stays as it is from request to request. */
export interface StableParts {
  /** characters of the instructions before the summaries: prompt, facts and rules */
  rules: number;
  /** messages of the turns before this one */
  history: number;
  /** messages before the tail */
  conversation: number;
}

interface Content {
  instructions: string | SystemModelMessage[];
  messages: ModelMessage[];
  stable?: StableParts;
}

/** The same request with marks on it; nothing of it is changed in its place. */
export function withCachePoints(
  { instructions, messages, stable }: Content,
  cachePoint: NonNullable<ModelConnection["cachePoint"]>,
): Omit<Content, "stable"> {
  if (typeof instructions !== "string" || !stable) return { instructions, messages };
  const marked = (content: string): SystemModelMessage => ({ role: "system", content, providerOptions: cachePoint });
  const summaries = instructions.slice(stable.rules).replace(/^\n\n/, "");
  const places = new Set([stable.history, beforeStep(messages, stable.conversation), stable.conversation]);
  return {
    instructions: [
      marked(instructions.slice(0, stable.rules)),
      ...(summaries ? [{ role: "system" as const, content: summaries }] : []),
    ],
    messages: messages.map((message, at) =>
      places.has(at + 1) ? { ...message, providerOptions: { ...message.providerOptions, ...cachePoint } } : message,
    ),
  };
}

/** How many messages the request of the step before had: those before the newest answer. */
function beforeStep(messages: readonly ModelMessage[], conversation: number): number {
  return Math.max(
    0,
    messages.slice(0, conversation).findLastIndex(({ role }) => role === "assistant"),
  );
}
