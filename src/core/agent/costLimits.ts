/** What a turn and a day may cost before the agent stops and asks (`strata.agent.maxCostPerTurn`, `…PerDay`). */
import { formatCost } from "../../shared/cost";
import type { TurnError } from "../../shared/turnError";
import type { History } from "../history/history";
import { turnSoFar } from "../history/runs";
import type { Clock, Logger, SettingsSource, Spending } from "../ports";

interface CostLimitDeps {
  history: History;
  settings: SettingsSource;
  clock: Pick<Clock, "now">;
  logger: Logger;
  spending?: Spending;
}

const DAY_LIMIT = "max-cost-day";

/**
 * Why nothing more is sent; undefined: it may go on. A turn that was taken up again has the whole of its limit anew; so has
 * the day, for the session that stopped at it and was told to go on.
 */
export async function costLimitReached(deps: CostLimitDeps): Promise<TurnError | undefined> {
  const { history, settings } = deps;
  const { "agent.maxCostPerTurn": perTurn, "agent.maxCostPerDay": perDay } = settings.get();
  const cost = perTurn > 0 ? (turnSoFar(history.records, history.conversation.turn).usage.cost ?? 0) : 0;
  if (perTurn > 0 && cost >= perTurn) {
    const message = `This turn has cost ${formatCost(cost)} so far, and strata.agent.maxCostPerTurn is ${formatCost(perTurn)}. Let it continue for as much again, or tell it what to do.`;
    return { code: "max-cost-turn", message, actions: ["continue"] };
  }
  if (perDay === 0) return undefined;
  const stopped = lastStop(deps);
  const today = await costSince(stopped ?? 0, deps);
  if (today < perDay) return undefined;
  const since = stopped === undefined ? "" : " since you last let this one continue";
  const message = `All sessions have cost ${formatCost(today)} today${since}, and strata.agent.maxCostPerDay is ${formatCost(perDay)}. Let it continue for as much again, or go on tomorrow.`;
  return { code: DAY_LIMIT, message, actions: ["continue"] };
}

/** When this session last stopped today at the day's limit, ms since the epoch; undefined: it did not. */
function lastStop({ history, clock }: CostLimitDeps): number | undefined {
  const end = history.records.findLast(record => record.kind === "turnEnd" && record.error?.code === DAY_LIMIT);
  const day = (ts: number) => new Date(ts).toDateString();
  return end && day(end.ts) === day(clock.now()) ? end.ts : undefined;
}

/** US dollars of today, by all sessions. */
async function costSince(ts: number, { clock, logger, spending }: CostLimitDeps): Promise<number> {
  try {
    return (await spending?.since(ts, clock.now())) ?? 0;
  } catch (error) {
    // A file that cannot be read stops nobody's work.
    logger.log("warning", "what today cost could not be read", { error: String(error) });
    return 0;
  }
}
