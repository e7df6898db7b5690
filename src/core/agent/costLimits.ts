/** What a turn and a day may cost before the agent stops and asks (`strata.agent.maxCostPerTurn`, `…PerDay`). */
import { formatCost } from "../../shared/cost";
import type { TurnError } from "../../shared/records";
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
  const { cost = 0 } = turnSoFar(history.records, history.conversation.turn).usage;
  if (perTurn > 0 && cost >= perTurn) {
    const message = `This turn has cost ${formatCost(cost)} so far, and strata.agent.maxCostPerTurn is ${formatCost(perTurn)}. Let it continue for as much again, or tell it what to do.`;
    return { code: "max-cost-turn", message, actions: ["continue"] };
  }
  const today = perDay > 0 ? await costToday(deps) : 0;
  if (perDay === 0 || today < perDay) return undefined;
  const message = `Today's requests have cost ${formatCost(today)} since the day began or you last let them go on here, in all sessions, and strata.agent.maxCostPerDay is ${formatCost(perDay)}. Let it continue for as much again, or go on tomorrow.`;
  return { code: DAY_LIMIT, message, actions: ["continue"] };
}

/** US dollars since the day began, or since this session last stopped at the day's limit. */
async function costToday({ history, clock, logger, spending }: CostLimitDeps): Promise<number> {
  const now = clock.now();
  const stopped = history.records.findLast(record => record.kind === "turnEnd" && record.error?.code === DAY_LIMIT);
  try {
    return (await spending?.since(stopped?.ts ?? 0, now)) ?? 0;
  } catch (error) {
    // A file that cannot be read stops nobody's work.
    logger.log("warning", "what today cost could not be read", { error: String(error) });
    return 0;
  }
}
