import type { TurnError } from "../../shared/records";
import { type Logger, NoModelError, StorageError } from "../ports";

/** Whatever ended a turn by an exception, in words for a person (DESIGN.md, rule 7). A fault of ours is logged with its stack. */
export function turnFailure(error: unknown, logger: Logger): TurnError {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoModelError) return { code: "no-model", message, actions: ["choose-model", "set-key"] };
  if (error instanceof StorageError) {
    return { code: `storage-${error.code.toLowerCase()}`, message, actions: ["retry", "show-log"] };
  }
  logger.log("error", "the turn failed", { error: error instanceof Error ? (error.stack ?? message) : message });
  return {
    code: "internal",
    message: `The turn ended by a fault in Strata: ${message}`,
    actions: ["retry", "show-log"],
  };
}
