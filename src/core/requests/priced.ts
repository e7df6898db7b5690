/** What an answer cost, as its model is paid: every request is reckoned here, and counts for the day of all sessions once. */
import { withCost } from "../../shared/cost";
import type { Clock, Logger, ModelConnection, Spending } from "../ports";
import type { StepOutcome } from "./modelStep";

interface PricedDeps {
  clock: Pick<Clock, "now">;
  logger: Logger;
  /** what all sessions of the person cost; absent: nobody keeps it */
  spending?: Spending;
}

/** The outcome with what it cost, where the server said what it took. Never rejects. */
export async function priced(
  outcome: StepOutcome,
  connection: Pick<ModelConnection, "pricesAt">,
  { clock, logger, spending }: PricedDeps,
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
