/**
 * What a model thought, and what its server signed, is something to that model at that server alone: another one refuses signatures that
 * it did not give, and fields of another interface. Parts are marked as they come (`core/context/requests/answer.ts`); in a request to another model the thoughts stay
 * behind, and calls and words go without what is not theirs. Pure.
 * Thoughts are marked with their model and server, since a gateway of the same interface signs them otherwise.
 */
import { fnv64 } from "../shared/fnv";
import type { SdkAssistantPart, SdkMessage, SdkPrompt } from "./sdk/types";

/** Whose parts go out as they came. */
interface Owner {
  /** model and server, in few characters */
  mark: string;
  /** names under which its interface keeps what is its own; absent: not known */
  keys?: readonly string[] | undefined;
}

export const markOf = (address: string, name: string): string => fnv64(`${address} ${name}`).slice(0, 8);

/** What is no property of a thought or a call, but asked for with this request. */
const CACHE = ["cacheControl", "cachePoint"];

/** The same object where nothing is kept with any part. */
export function withOwnParts(prompt: SdkPrompt, owner: Owner): SdkPrompt {
  const isPlain = (message: SdkMessage) =>
    message.role !== "assistant" || message.content.every(part => part.providerOptions === undefined);
  if (prompt.every(isPlain)) return prompt;
  return prompt.flatMap((message): SdkMessage[] => {
    if (message.role !== "assistant" || isPlain(message)) return [message];
    const content = message.content.flatMap(part => ownPart(part, owner));
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}

function ownPart(part: SdkAssistantPart, { mark, keys }: Owner): SdkAssistantPart[] {
  if (!part.providerOptions) return [part];
  const { strata, ...options } = part.providerOptions;
  const names = Object.keys(options);
  const isKept = (name: string) => keys?.includes(name) ?? true;
  const isOthers = strata?.by === undefined ? names.length > 0 && !names.some(isKept) : strata.by !== mark;
  if (isOthers && part.type === "reasoning") return [];
  const kept = Object.entries(options).flatMap(([name, own]): [string, object][] => {
    if (!isKept(name)) return [];
    if (!isOthers) return [[name, own]];
    const cache = Object.entries(own).filter(([key]) => CACHE.includes(key));
    return cache.length > 0 ? [[name, Object.fromEntries(cache)]] : [];
  });
  const { providerOptions: _, ...rest } = part;
  return [(kept.length > 0 ? { ...rest, providerOptions: Object.fromEntries(kept) } : rest) as SdkAssistantPart];
}
