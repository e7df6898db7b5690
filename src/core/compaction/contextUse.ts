/** How full the model's window is, for people. */
import type { Segment } from "../../shared/manifest";
import { layerTokens } from "../context/assemble";
import type { LastAnswer } from "../history/conversation";
import type { AssembleRequest } from "../requests/requestBuilder";
import { compactAt, estimatedTokens, usageRatio } from "./budget";

/** Tokens. */
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
