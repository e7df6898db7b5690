import { formatCost, isCostUnknown } from "../../shared/cost";
import { t } from "../../shared/l10n";
import type { TurnError } from "../../shared/turnError";
import { type RequestPorts, spentToday } from "../context/requests/request";
import { warnOnce } from "../context/requests/requestBuilder";
import type { History } from "../log/history";
import { turnSoFar } from "../log/runs";

interface CostLimitDeps extends RequestPorts {
  history: History;
}

const DAY_LIMIT = "max-cost-day";
const priceUnknown = () =>
  t(
    "A cost limit is set, but it is not known what this model costs, so its requests count for no limit. Say what it costs in strata.model.prices.",
  );

/**
 * Why nothing more is sent (`strata.agent.maxCostPerTurn`, `…PerDay`); undefined: it may. A turn that is continued has the whole of
 * its limit anew; so has the day, for the session that stopped at it and was told to continue.
 */
export async function costLimitReached(deps: CostLimitDeps): Promise<TurnError | undefined> {
  const { history, settings } = deps;
  const { "agent.maxCostPerTurn": perTurn, "agent.maxCostPerDay": perDay } = settings.get();
  if (perTurn === 0 && perDay === 0) return undefined;
  const { usage } = turnSoFar(history.records, history.conversation.turn);
  const { cost = 0 } = usage;
  if (isCostUnknown(usage)) await warnOnce(history, "unknown-price", priceUnknown());
  if (perTurn > 0 && cost >= perTurn) {
    const message = t(
      "This turn has cost {0} so far; the limit is {1}. Let it continue for as much again, or tell it what to do.",
      formatCost(cost),
      formatCost(perTurn),
    );
    return { code: "max-cost-turn", message, actions: ["continue"] };
  }
  if (perDay === 0) return undefined;
  const stopped = lastStop(deps);
  const today = (await spentToday(deps, stopped)) ?? 0;
  if (today < perDay) return undefined;
  const [paid, limit] = [formatCost(today), formatCost(perDay)];
  const message =
    stopped === undefined
      ? t(
          "All sessions have cost {0} today; the limit is {1}. Let it continue for as much again, or go on tomorrow.",
          paid,
          limit,
        )
      : t(
          "All sessions have cost {0} today since you last let this one continue; the limit is {1}. Let it continue for as much again, or go on tomorrow.",
          paid,
          limit,
        );
  return { code: DAY_LIMIT, message, actions: ["continue"] };
}

/** When this session last stopped today at the day's limit, ms since the epoch; undefined: it did not. */
function lastStop({ history, clock }: CostLimitDeps): number | undefined {
  const end = history.records.findLast(record => record.kind === "turnEnd" && record.error?.code === DAY_LIMIT);
  const day = (ts: number) => new Date(ts).toDateString();
  return end && day(end.ts) === day(clock.now()) ? end.ts : undefined;
}
