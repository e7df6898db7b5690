/** A model request that ended, whichever way: what the log and a collector are told of. */
import type { Json } from "../../../shared/messages";
import type { ModelConnection } from "../../ground/ports";
import type { ModelRequest, StepOutcome } from "./modelStep";

export interface EndedRequest {
  requestId: string;
  /** the turn it was sent for; absent: it was for none */
  runId?: string;
  /** what it was for, where it is no step of a turn */
  purpose?: string;
  connection: Pick<ModelConnection, "name" | "address" | "provider" | "maxOutputTokens" | "explain">;
  request: ModelRequest;
  outcome: StepOutcome;
  /** ms since the epoch */
  start: number;
  end: number;
  /** more of the line without content */
  facts: Record<string, Json>;
}
