/**
 * Ids of calls as an interface takes them. A conversation may have ids of several providers, since models change and one takes over
 * for another; some servers number the calls of each answer alike. A call and its result get the same id, always the same one.
 */
import { fnv64 } from "../shared/fnv";
import type { SdkMessage, SdkPrompt } from "./sdk/types";

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
  const fitting = <P extends object>(content: readonly P[]): P[] | undefined => {
    let fitted: P[] | undefined;
    for (let at = 0; at < content.length; at += 1) {
      const part = content[at];
      if (!part || !isCallPart(part)) continue;
      const id = part.toolCallId;
      if (part.type === "tool-call") now.set(id, free(id));
      const toolCallId = now.get(id) ?? free(id);
      if (toolCallId === id) continue;
      fitted ??= [...content];
      fitted[at] = { ...part, toolCallId };
    }
    return fitted;
  };
  let fitted: SdkMessage[] | undefined;
  // By number: an iterator makes an object for each of hundreds.
  for (let at = 0; at < prompt.length; at += 1) {
    const message = prompt[at];
    if (message?.role !== "assistant" && message?.role !== "tool") continue;
    const content = fitting<object>(message.content);
    if (!content) continue;
    fitted ??= [...prompt];
    fitted[at] = { ...message, content } as SdkMessage;
  }
  return fitted ?? prompt;
}

const isCallPart = (part: object): part is { type: "tool-call" | "tool-result"; toolCallId: string } =>
  "type" in part && (part.type === "tool-call" || part.type === "tool-result");
