/** Plans in the terminal: carried out as the session or a file has them, and printed. */

import { readFile } from "node:fs/promises";
import type { Session } from "../core/agent/session/session";
import type { SessionStorage } from "../core/ground/ports";
import { readWholeLog } from "../core/log/readLog";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { UsageError } from "./argValues";
import type { Output } from "./output";
import { withFiles } from "./sessions";

/** What of `strata run` names the plan. @returns as a file has it; `text` absent: as the session has it. Rejects with UsageError. */
export async function readPlan({ file }: { file?: string }): Promise<{ text?: string }> {
  if (file === undefined) return {};
  try {
    return { text: await readFile(file, "utf8") };
  } catch (error) {
    throw new UsageError(t("The plan {0} cannot be read: {1}", file, errorMessage(error)));
  }
}

/** Rejects with SessionError, UsageError, StorageError. */
export async function carryOut(session: Session, { text = session.plans.newest?.text }: { text?: string }) {
  if (text === undefined)
    throw new UsageError(
      t(
        "This session has no plan that waits or is under way. Make one with --mode plan, or take one from a file with --plan FILE.",
      ),
    );
  if (session.mode === "plan")
    throw new UsageError(
      t("The session is in plan mode: say how the plan is carried out with --mode ask, edits or auto."),
    );
  await session.plans.carryOut(text, session.mode);
}

/** `strata plan ID`. Rejects with StorageError, and UsageError where there is none. */
export function printPlan(storage: SessionStorage, id: string, { pour }: Output): Promise<void> {
  return withFiles(storage, id, async files => {
    const { records } = await readWholeLog(files);
    const plan = records.findLast(record => record.kind === "plan");
    if (!plan) throw new UsageError(t("This session has no plan. `strata run --mode plan --prompt TEXT` makes one."));
    await pour(plan.text);
  });
}
