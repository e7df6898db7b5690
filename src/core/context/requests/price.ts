/** What an answer cost: reckoned at the prices of its time, and kept for the day of all sessions. */
import { withCost } from "../../../shared/cost";
import type { Clock, Logger, ModelConnection, Spending } from "../../ground/ports";
import type { StepOutcome } from "./modelStep";

interface PriceDeps {
  clock: Clock;
  logger: Logger;
  /** absent: nobody keeps it */
  spending?: Spending | undefined;
}

/** The outcome with its cost in its usage, where that is known. Never rejects. */
export async function priced(
  outcome: StepOutcome,
  connection: Pick<ModelConnection, "pricesAt">,
  { clock, logger, spending }: PriceDeps,
): Promise<StepOutcome> {
  if (outcome.kind !== "answered" || !outcome.usage) return outcome;
  const now = clock.now();
  const usage = withCost(outcome.usage, await connection.pricesAt?.(new Date(now)));
  if (usage.cost) {
    await spending?.add({ ts: now, cost: usage.cost }).catch(error => {
      logger.log("warning", "the cost of a request could not be kept for the day", { error: String(error) });
    });
  }
  return { ...outcome, usage };
}
