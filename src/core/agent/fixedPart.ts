/**
 * Whether rules files are why a request is too long: they are in every request, so no shorter conversation would help, and the
 * conversation is not what pays for it. Pure.
 */
import { countRequest } from "../../shared/tokenCount";
import type { TurnError } from "../../shared/turnError";
import type { AssembledRequest } from "../context/assemble";
import type { Conversation } from "../history/conversation";
import type { ModelConnection } from "../ports";
import { sourceRules } from "../text/sources";

/** of the request: so much rules files are, where they are the reason */
const MOST = 0.5;
/** of the request: with less than this of it, the conversation is not the reason */
const LITTLE = 0.25;
/** of the window: what stands in every request leaves no room for a conversation */
const ALL = 0.9;

interface LargeRules {
  /** largest first */
  files: { path: string; tokens: number }[];
  /** no shorter conversation would help: nothing of it is to be left out */
  alone: boolean;
}

/** undefined: they are not the reason */
export function largeRules(
  { segments, tokens }: Pick<AssembledRequest, "segments" | "tokens">,
  conversation: Pick<Conversation, "lastAnswer" | "calibration">,
  window: number,
): LargeRules | undefined {
  const counted = countRequest(tokens, conversation) / Math.max(1, tokens);
  const files = segments.flatMap(({ source, tokens: size }) => {
    const path = sourceRules(source);
    return path === undefined ? [] : [{ path, tokens: Math.round(size * counted) }];
  });
  const sum = (layers: readonly string[]) =>
    segments.reduce((all, { layer, tokens: size }) => (layers.includes(layer) ? all + size * counted : all), 0);
  const rules = files.reduce((all, file) => all + file.tokens, 0);
  if (rules < MOST * tokens * counted) return undefined;
  const alone = sum(["L1", "L2"]) >= ALL * window || sum(["L3", "turn"]) <= LITTLE * tokens * counted;
  return { files: files.sort((a, b) => b.tokens - a.tokens), alone };
}

export function rulesTooLarge(
  { files }: LargeRules,
  { name, contextWindow }: Pick<ModelConnection, "name" | "contextWindow">,
  { message }: TurnError,
): TurnError {
  const named = files.slice(0, 5).map(({ path, tokens }) => `${path} (about ${tokens} tokens)`);
  const more = files.length > named.length ? ` and ${files.length - named.length} more` : "";
  return {
    code: "rules-too-long",
    message: `The rules files leave "${name}" no room for a conversation: ${named.join(", ")}${more}, which go with every request. Shorten them, or choose a model that reads more (this one: ${contextWindow} tokens, as far as is known). The conversation is as it was. (${message})`,
    actions: ["retry", "choose-model"],
  };
}
