/** What a turn, a day and a run may take: nothing more is sent from there. */
import { formatCost, isCostUnknown } from "../../../shared/cost";
import { formatTokens } from "../../../shared/format";
import { plural, t } from "../../../shared/l10n";
import type { TurnError } from "../../../shared/turnEnd";
import type { Clock, Logger, ModelConnection, SettingsSource, Spending } from "../../ground/ports";
import type { History } from "../../log/history";
import { turnSoFar } from "../../log/runs";
import { warnOnce } from "./requestBuilder";

/** Of a run from outside (`--max-cost`, …): what its session took in all counts, in former processes too. */
export interface RunLimits {
  /** US dollars */
  cost?: number;
  /** in and out */
  tokens?: number;
  /** of the newest turn */
  steps?: number;
}

export interface LimitPorts {
  settings: SettingsSource;
  clock: Clock;
  logger: Logger;
  /** what all sessions of the person cost; absent: not kept */
  spending?: Spending;
  /** absent: none beside those of the settings */
  runLimits?: RunLimits;
}

/** The turn ends by it as by a limit, not by an error. */
export const isLimit = ({ code }: TurnError): boolean => code.startsWith("max-");

export const stepLimit = (steps: number): TurnError => ({
  code: "max-steps",
  message: plural(
    steps,
    "The agent took 1 step in this turn, the limit.",
    "The agent took {0} steps in this turn, the limit.",
  ),
  actions: ["continue"],
});

/** Why no request of a turn is sent any more; undefined: one may be. */
export const limitReached = async (ports: LimitPorts, history: History, connection?: ModelConnection) =>
  (ports.runLimits && (await runLimitReached(ports, ports.runLimits, history, connection))) ??
  (await costLimitReached(ports, history));

async function runLimitReached(
  { clock }: LimitPorts,
  { cost, tokens, steps }: RunLimits,
  { conversation: { spent, step } }: History,
  connection: ModelConnection | undefined,
): Promise<TurnError | undefined> {
  if (steps !== undefined && step >= steps) return stepLimit(steps);
  const taken = spent.input + spent.output;
  if (tokens !== undefined && taken >= tokens) {
    const message = t("This run took {0} tokens; --max-tokens is {1}.", formatTokens(taken), formatTokens(tokens));
    return { code: "max-tokens-run", message, actions: ["continue"] };
  }
  if (cost === undefined) return undefined;
  const isUnknown = connection && (await connection.pricesAt?.(new Date(clock.now()))) === undefined;
  if (isUnknown || isCostUnknown(spent)) {
    const message = t(
      'The price of this model is not known, so --max-cost cannot hold: set it (setting "Prices"), or use --max-tokens.',
    );
    return { code: "unknown-price", message, actions: ["continue"] };
  }
  if ((spent.cost ?? 0) < cost) return undefined;
  const message = t("This run has cost {0}; --max-cost is {1}.", formatCost(spent.cost ?? 0), formatCost(cost));
  return { code: "max-cost-run", message, actions: ["continue"] };
}

const DAY_LIMIT = "max-cost-day";
const priceUnknown = () =>
  t('The price of this model is not known, so the cost limit does not hold for it (setting "Prices").');

/**
 * Why nothing more is sent (`strata.agent.maxCostPerTurn`, `…PerDay`); undefined: it may. A turn that is continued has the whole of
 * its limit anew; so has the day, for the session that stopped at it and was told to continue.
 */
async function costLimitReached(ports: LimitPorts, history: History): Promise<TurnError | undefined> {
  const { "agent.maxCostPerTurn": perTurn, "agent.maxCostPerDay": perDay } = ports.settings.get();
  if (perTurn === 0 && perDay === 0) return undefined;
  const { usage } = turnSoFar(history.records, history.conversation.turn);
  const { cost = 0 } = usage;
  if (isCostUnknown(usage)) await warnOnce(history, "unknown-price", priceUnknown());
  if (perTurn > 0 && cost >= perTurn) {
    const message = t("This turn has cost {0} so far; the limit is {1}.", formatCost(cost), formatCost(perTurn));
    return { code: "max-cost-turn", message, actions: ["continue"] };
  }
  if (perDay === 0) return undefined;
  const stopped = lastStop(history, ports.clock.now());
  const today = (await spentToday(ports, stopped)) ?? 0;
  if (today < perDay) return undefined;
  const [paid, limit] = [formatCost(today), formatCost(perDay)];
  const message =
    stopped === undefined
      ? t("All sessions have cost {0} today; the limit is {1}.", paid, limit)
      : t("All sessions have cost {0} today since you last let this one continue; the limit is {1}.", paid, limit);
  return { code: DAY_LIMIT, message, actions: ["continue"] };
}

/** When this session last stopped today at the day's limit, ms since the epoch; undefined: it did not. */
function lastStop({ records }: History, now: number): number | undefined {
  const end = records.findLast(record => record.kind === "turnEnd" && record.error?.code === DAY_LIMIT);
  const day = (ts: number) => new Date(ts).toDateString();
  return end && day(end.ts) === day(now) ? end.ts : undefined;
}

/** US dollars by all sessions today, from `since` (ms) on. undefined: it is not kept, or cannot be read, which stops no work. */
export const spentToday = async ({ spending, clock, logger }: LimitPorts, since = 0): Promise<number | undefined> =>
  spending?.since(since, clock.now()).catch(error => {
    logger.log("warning", "what today cost could not be read", { error: String(error) });
    return undefined;
  });
