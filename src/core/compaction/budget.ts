/** When a request has become too large for its window (CONTEXT.md, section 4). Pure; everything in tokens. */
import type { Conversation, LastAnswer } from "../history/conversation";

const COMPACT_AT = 0.8;
/** of the window: what has to come after a compaction before the next one */
export const NEW_CONTENT = 0.1;
const LEAST_MESSAGES = 3;

/**
 * What the request about to leave takes: what the provider counted last, and the estimate of what came and went since.
 * @param requestTokens estimate of that whole request
 */
export function estimatedTokens(requestTokens: number, lastAnswer: LastAnswer | undefined): number {
  // Some servers report zeros: that is no usage.
  if (!lastAnswer || lastAnswer.usage.input === 0) return requestTokens;
  const { usage, requestTokens: then, answerTokens } = lastAnswer;
  return Math.max(0, usage.input + usage.output + requestTokens - then - answerTokens);
}

export const compactAt = (window: number): number => COMPACT_AT * window;

/** Whether a compaction may begin by itself before a request that takes `estimated` tokens. */
export function mayCompact(
  { messages, compacted, compactionHeld }: Pick<Conversation, "messages" | "compacted" | "compactionHeld">,
  estimated: number,
  window: number,
): boolean {
  if (compactionHeld || messages.length < LEAST_MESSAGES || estimated < compactAt(window)) return false;
  return compacted === undefined || estimated - compacted.tokens >= NEW_CONTENT * window;
}

/** Estimate ÷ what the provider counted, of the newest request that it reported usage for. */
export function usageRatio(lastAnswer: LastAnswer | undefined): number | undefined {
  return lastAnswer && lastAnswer.usage.input > 0 ? lastAnswer.requestTokens / lastAnswer.usage.input : undefined;
}
