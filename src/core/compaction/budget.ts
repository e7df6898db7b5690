/** How full the model's window is, and when it is too full (docs/context.md). Pure; everything in tokens. */
import type { Segment } from "../../shared/manifest";
import { layerTokens } from "../context/assemble";
import type { Conversation, LastAnswer } from "../history/conversation";
import type { AssembleRequest } from "../requests/requestBuilder";

const COMPACT_AT = 0.8;
/** of the window: what has to come after a compaction before the next one */
export const NEW_CONTENT = 0.1;
const MIN_MESSAGES = 3;

/**
 * What the request about to leave takes: what the provider counted last, and the estimate of what came and went since. Where
 * more went than came, the estimate counts as much as it did for the whole: a provider that counts less than we estimate
 * would else be left with less than nothing.
 * @param requestTokens estimate of that whole request
 */
export function estimatedTokens(requestTokens: number, lastAnswer: LastAnswer | undefined): number {
  // Some servers report zeros: that is no usage.
  if (!lastAnswer || lastAnswer.usage.input === 0) return requestTokens;
  const { usage, requestTokens: asked, answerTokens } = lastAnswer;
  const [counted, then] = [usage.input + usage.output, asked + answerTokens];
  return requestTokens >= then ? counted + requestTokens - then : Math.round((counted * requestTokens) / then);
}

export const compactAt = (window: number): number => COMPACT_AT * window;

/**
 * Whether a compaction may begin by itself before a request.
 * @param estimated what it takes, as `estimatedTokens` says
 * @param requestTokens its estimate: what the last compaction left is one too
 */
export function mayCompact(
  { messages, compacted, compactionHeld }: Pick<Conversation, "messages" | "compacted" | "compactionHeld">,
  { estimated, requestTokens }: { estimated: number; requestTokens: number },
  window: number,
): boolean {
  if (compactionHeld || messages.length < MIN_MESSAGES || estimated < compactAt(window)) return false;
  if (compacted === undefined) return true;
  return (requestTokens - compacted.tokens) * estimated >= NEW_CONTENT * window * requestTokens;
}

/** Estimate ÷ what the provider counted, of the newest request that it reported usage for. */
export function usageRatio(lastAnswer: LastAnswer | undefined): number | undefined {
  return lastAnswer && lastAnswer.usage.input > 0 ? lastAnswer.requestTokens / lastAnswer.usage.input : undefined;
}

/** For people, in tokens. */
export interface ContextUse {
  /** what the next request would take: what the provider counted last, and estimates of what came since */
  estimated: number;
  window: number;
  /** from here on history is compacted */
  compactAt: number;
  /** estimates, in the order of the request */
  layers: { layer: Segment["layer"]; tokens: number }[];
  /** estimate ÷ what the provider counted, of the newest request that has both */
  ratio?: number;
}

export function contextUse(assemble: AssembleRequest, lastAnswer: LastAnswer | undefined, window: number): ContextUse {
  const request = assemble();
  const ratio = usageRatio(lastAnswer);
  return {
    estimated: estimatedTokens(request.tokens, lastAnswer),
    window,
    compactAt: compactAt(window),
    layers: layerTokens(request.segments),
    ...(ratio === undefined ? {} : { ratio }),
  };
}
