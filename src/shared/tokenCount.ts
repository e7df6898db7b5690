/**
 * Size of a request in tokens: the newest credible count of the provider, plus the estimate of all changes since, scaled to that
 * count. Budget, meter, popup, preview and terminal all show this number. Pure.
 * A count three times as high as the estimate is not believed: a wrong one would compact three times as often.
 */
import * as z from "zod";
import { defined } from "./defined";

/** How the provider counts what the estimate calls a token. */
export const calibrationSchema = z.object({
  /** the highest of the session: a count far below it leaves something out */
  highest: z.number(),
  /** of the newest count that was believed */
  ratio: z.number(),
  /** of whose counts; absent: none said it */
  model: z.string().optional(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

/** Before anything was counted: the estimate takes a token for three characters, code and prose have four and more. */
const DEFAULT_RATIO = 0.85;
/** No tokenizer has so few tokens for a text: such a count leaves out what came from the cache. */
const MIN_RATIO = 0.25;
/** of the highest so far: what a count may fall to, from one text to another; one that was too high holds others to this */
const MIN_OF_HIGHEST = 0.5;
const MAX_HIGHEST = 1.2;
/**
 * No tokenizer has three times what another has: such a count is of several requests, or of something else. What counts so all the
 * same is found out by its server's refusal.
 */
const MAX_RATIO = 2;
const MAX_OF_KNOWN = 2.5;

/** The newest answer that the provider reported usage for. */
export interface CountedAnswer {
  /** estimate of the request */
  requestTokens: number;
  /** estimate of the answer */
  answerTokens: number;
  /** of both, by the provider's measure */
  counted: number;
}

/** @param before of the answers before; absent: there was none that counted. Of another model's nothing holds. */
export function countAnswer(
  usage: { input: number; output: number },
  { requestTokens, model }: { requestTokens: number; model?: string | undefined },
  before: Calibration | undefined,
): { counted: number; calibration?: Calibration } {
  const isOther = model !== undefined && before?.model !== undefined && before.model !== model;
  const calibration = isOther ? undefined : before;
  const ratio = usage.input / Math.max(1, requestTokens);
  const { highest: highestBefore = 0, ratio: known = DEFAULT_RATIO } = calibration ?? {};
  const most = Math.min(MAX_RATIO, MAX_OF_KNOWN * known);
  if (ratio <= most && ratio >= Math.max(MIN_RATIO, MIN_OF_HIGHEST * highestBefore)) {
    const highest = Math.min(MAX_HIGHEST, Math.max(ratio, highestBefore));
    const counted = usage.input + usage.output;
    return { counted, calibration: { highest, ratio, ...defined({ model }) } };
  }
  const counted = Math.round(requestTokens * known) + usage.output;
  return { counted, ...defined({ calibration }) };
}

/**
 * Tokens of the next request. If it lost more than it gained since the last answer, the estimate is scaled to the provider's
 * count: else a provider that counts less than we do would end below zero.
 * @param requestTokens estimate of that whole request
 */
export function countRequest(
  requestTokens: number,
  { lastAnswer, calibration }: { lastAnswer?: CountedAnswer | undefined; calibration?: Calibration | undefined },
): number {
  const ratio = calibration?.ratio ?? DEFAULT_RATIO;
  if (!lastAnswer) return Math.round(requestTokens * ratio);
  const { counted } = lastAnswer;
  const then = lastAnswer.requestTokens + lastAnswer.answerTokens;
  if (requestTokens < then) return Math.round((counted * requestTokens) / then);
  return Math.round(counted + (requestTokens - then) * ratio);
}

/** Tokens from which on history is compacted. */
export const compactAt = (window: number): number => 0.8 * window;
