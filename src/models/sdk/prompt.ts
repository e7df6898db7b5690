/** A prompt as the SDK has it: names for its parts, which its package does not export, and what of them an interface takes. */
import type { AnswerPart, ModelCall } from "../../core/ground/ports";
import { fnv64 } from "../../shared/toolTraits";

export type SdkCallOptions = ModelCall;
export type SdkPrompt = SdkCallOptions["prompt"];
export type SdkTool = NonNullable<SdkCallOptions["tools"]>[number];
export type SdkProviderOptions = NonNullable<SdkCallOptions["providerOptions"]>;

export type SdkMessage = SdkPrompt[number];
export type SdkPart = Exclude<SdkMessage["content"], string>[number];
export type SdkUserPart = Extract<SdkMessage, { role: "user" }>["content"][number];
export type SdkFilePart = Extract<SdkUserPart, { type: "file" }>;
export type SdkAssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];

export type SdkFinish = Extract<AnswerPart, { type: "finish" }>;

export const UNKNOWN_USAGE: SdkFinish["usage"] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

type Result = Extract<SdkPart, { type: "tool-result" }>;

/** What a result says, as text. */
export function resultText(output: Result["output"]): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type === "execution-denied") return output.reason ?? "denied";
  return JSON.stringify(output.value);
}

/** In a picture's place. */
export function unseen({ mediaType }: { mediaType: string }): { type: "text"; text: string } {
  return { type: "text", text: `[${mediaType}: this model cannot be shown it]` };
}

/** Ids of calls as an interface takes them: a conversation has those of several providers, and some number each answer's calls alike. A call and its result have one id, always the same. */
export interface CallIds {
  fits: RegExp;
  /** of what does not fit, from 16 hexadecimal characters */
  make(hash: string): string;
}

export const plainIds: CallIds = { fits: /^[a-zA-Z0-9_-]{1,64}$/, make: hash => `call_${hash}` };
/** OpenAI's Chat Completions: "Expected a string with maximum length 40". */
export const shortIds: CallIds = { ...plainIds, fits: /^[a-zA-Z0-9_-]{1,40}$/ };
/** Kimi knows a call by `functions.name:0`. */
export const anyIds: CallIds = { ...plainIds, fits: /^[\x21-\x7e]{1,64}$/ };
/** Mistral: "must be a-z, A-Z, 0-9, with a length of 9". */
export const nineIds: CallIds = {
  fits: /^[a-zA-Z0-9]{9}$/,
  make: hash => BigInt(`0x${hash}`).toString(36).padStart(9, "0").slice(-9),
};

/** The list with each item changed; the same list where none is. */
function mapped<T>(list: readonly T[], change: (item: T) => T): T[] {
  const all = list.map(change);
  return all.every((item, at) => item === list[at]) ? (list as T[]) : all;
}

/** The same message where none of its parts is changed. */
export function mapParts<M extends SdkMessage>(message: M, change: (part: SdkPart) => SdkPart): M {
  if (typeof message.content === "string") return message;
  const content = mapped(message.content as readonly SdkPart[], change);
  return content === message.content ? message : { ...message, content };
}

/** Messages that follow each other as one. Of texts alone they are one text: the strictest servers take nothing else. */
export function joinMessages(prompt: readonly SdkMessage[], joins: (one: SdkMessage, next: SdkMessage) => boolean) {
  const all: SdkMessage[] = [];
  for (const message of prompt) {
    const last = all.at(-1);
    if (!last || !joins(last, message)) {
      all.push(message);
      continue;
    }
    const parts = [...last.content, ...message.content] as SdkUserPart[];
    const texts = parts.flatMap(part => (part.type === "text" ? [part.text] : []));
    const content = texts.length < parts.length ? parts : [{ type: "text", text: texts.join("\n\n") }];
    all[all.length - 1] = { ...message, content } as SdkMessage;
  }
  return all;
}

/** The same object where nothing has to be changed. */
export function withFittingIds(prompt: SdkPrompt, ids: CallIds): SdkPrompt {
  const taken = new Set<string>();
  /** what a call's id is now, until the next call has it */
  const now = new Map<string, string>();
  const free = (id: string): string => {
    for (let number = 1; ; number++) {
      const fit = number === 1 && ids.fits.test(id) ? id : ids.make(fnv64(number === 1 ? id : `${id} ${number}`));
      if (taken.has(fit)) continue;
      taken.add(fit);
      return fit;
    }
  };
  const fitting = (part: SdkPart): SdkPart => {
    if (part.type !== "tool-call" && part.type !== "tool-result") return part;
    const id = part.toolCallId;
    if (part.type === "tool-call") now.set(id, free(id));
    const toolCallId = now.get(id) ?? free(id);
    return toolCallId === id ? part : { ...part, toolCallId };
  };
  return mapped(prompt, message => mapParts(message, fitting));
}

/**
 * What a model thought, and what its server signed, is something to that model at that server alone: another one refuses signatures that
 * it did not give, and fields of another interface. Parts are marked as they come (`core/context/requests/answer.ts`); in a request to another model the thoughts stay
 * behind, and calls and words go without fields of others. Pure.
 * Thoughts are marked with their model and server, since a gateway of the same interface signs them otherwise.
 */

/** Whose parts go out as they came. */
interface Owner {
  /** model and server, in few characters */
  mark: string;
  /** names under which its interface keeps its own fields; absent: unknown */
  keys?: readonly string[] | undefined;
}

export const markOf = (address: string, name: string): string => fnv64(`${address} ${name}`).slice(0, 8);

/** Asked for with this request: no property of a thought or a call. */
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
