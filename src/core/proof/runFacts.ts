/** What a run's log says of its end. */
import type { LogRecord } from "../../shared/records";
import type { LastCommand } from "../../shared/runResult";

/** Commands that ran after the last edit, oldest first. */
export const commandsAfterLastEdit = (_records: readonly LogRecord[]): LastCommand[] => [];
