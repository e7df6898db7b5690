/** How full the model's window is, and when it is too full (docs/context.md). Pure; everything in tokens. */
import { defined } from "../../../shared/defined";
import type { Segment } from "../../../shared/manifest";
import type { Usage } from "../../../shared/messages";
import { type Calibration, countRequest } from "../../../shared/tokenCount";
import type { Conversation } from "../../log/conversation";
import { layerTokens } from "../assemble";
import type { AssembleRequest } from "../requests/requestBuilder";

const COMPACT_AT = 0.8;
/** of the window: what has to come after a compaction before the next one */
export const NEW_CONTENT = 0.1;
const MIN_MESSAGES = 3;

export const compactAt = (window: number): number => COMPACT_AT * window;

/**
 * Whether a compaction may begin by itself before a request.
 * @param estimated what it takes, as `countRequest` says
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

/** For people, in tokens. */
export interface ContextBudget {
  /** what the next request would take: what the provider counted last, and estimates of what came since */
  estimated: number;
  window: number;
  /** from here on history is compacted */
  compactAt: number;
  /** estimates, in the order of the request */
  layers: { layer: Segment["layer"]; tokens: number }[];
  /** absent: the provider counted nothing yet */
  calibration?: Calibration;
  /** by the whole session */
  spent: Usage;
  /** US dollars by all sessions today; absent where it is not kept */
  today?: number;
}

export function contextUse(assemble: AssembleRequest, conversation: Conversation, window: number): ContextBudget {
  const request = assemble();
  const { calibration, spent } = conversation;
  return {
    estimated: countRequest(request.tokens, conversation),
    window,
    compactAt: compactAt(window),
    layers: layerTokens(request.segments),
    ...defined({ calibration }),
    spent,
  };
}
