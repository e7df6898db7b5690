/** `strata explain ID`: what a turn did and why. */
import { readTurnReport } from "../core/history/turnReport";
import type { SessionStorage } from "../core/ports";
import { UsageError } from "./args";
import type { Output } from "./output";
import { printReport } from "./report";
import { withFiles } from "./sessions";

interface Asked {
  session: string;
  /** absent: the newest */
  turn?: number;
}

/** Rejects with StorageError, and UsageError where there is no such turn. */
export function explainTurn(
  storage: SessionStorage,
  { session, turn }: Asked,
  { out, err }: Pick<Output, "out" | "err">,
): Promise<void> {
  return withFiles(storage, session, async files => {
    const { turn: wanted, report, missing } = await readTurnReport(files, turn);
    for (const name of missing) err(`! Missing, or not to be read: ${name}, with older messages of this session.\n`);
    if (report === undefined)
      throw new UsageError(wanted === 0 ? "Nothing was said in this session." : `This session has no turn ${wanted}.`);
    printReport(report, { out });
  });
}
