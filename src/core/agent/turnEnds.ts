/** How a turn ends, in words for a person. */
import { addUsage, formatCost, isCostUnknown } from "../../shared/cost";
import { formatTokens } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import type { ToolCallPart, Usage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { TurnAction, TurnError } from "../../shared/turnEnd";
import { type RequestPorts, spentToday } from "../context/requests/request";
import { warnOnce } from "../context/requests/requestBuilder";
import { type ModelConnection, SessionError } from "../ground/ports";
import type { Conversation } from "../log/conversation";
import type { History } from "../log/history";
import { turnSoFar } from "../log/runs";
import { errorResult, type Observation } from "./observation";

/** So many answers in a row whose call was cut off: the model does not manage in parts. */
export const MAX_CUTS = 3;

/** How a turn ended; what it counted is derived from its records. */
export interface TurnOutcome {
  reason: RecordOf<"turnEnd">["reason"];
  error?: TurnError;
}

const limit = (code: string, message: string, ...more: TurnAction[]): TurnOutcome => ({
  reason: "limit",
  error: { code, message, actions: ["continue", ...more] },
});

export const repeatedCallOutcome = ({ toolName }: ToolCallPart, times: number): TurnOutcome =>
  limit(
    "repeated-call",
    t("The agent made the same {0} call {1} times in a row, so Strata stopped it.", toolName, times),
  );

export const haltedOutcome = (why: string): TurnOutcome =>
  limit("hook-stopped", t("A hook stopped the turn: {0}", why));

export function notRunObservation(call: ToolCallPart): Observation {
  const words =
    "The call was not run: the turn was stopped before it. Do not repeat what did not work; try another way.";
  return errorResult(call, "ABORTED", words);
}

export function stepLimit(steps: number): TurnError {
  const message = plural(
    steps,
    "The agent took 1 step in this turn, the limit.",
    "The agent took {0} steps in this turn, the limit.",
  );
  return { code: "max-steps", message, actions: ["continue"] };
}

export function cutCallsOutcome({ toolName }: ToolCallPart): TurnOutcome {
  const message = t(
    "{0} answers in a row reached the limit of tokens in the middle of a call of {1}, so none was done.",
    MAX_CUTS,
    toolName,
  );
  return limit("cut-calls", message, "set-longest");
}

export function questionGoneError(): TurnError {
  const message = t("Something changed while the question waited, so it was not asked again.");
  return { code: "question-gone", message, actions: ["continue"] };
}

export async function noteCutAnswer(finishReason: string, goesOn: boolean, history: History): Promise<void> {
  const text = goesOn ? goesOnText() : cutAnswers()[finishReason];
  if (text) await history.append({ kind: "note", level: "warning", code: `finish-${finishReason}`, text });
}

const goesOnText = () => t("The answer reached the limit of tokens, so the model goes on in a second one.");
const cutAnswers = (): Record<string, string> => ({
  length: t("The answer reached the limit of tokens again and is cut off."),
  "tool-calls": t(
    "The answer announced a tool call twice, but none came: its server may need its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser; llama.cpp: --jinja).",
  ),
  "content-filter": t("The provider's content filter broke off the answer above: other words may pass."),
});

/** Throws SessionError where the newest turn cannot be continued. */
export function requireResumable(conversation: Conversation): void {
  const { turn, end, messages } = conversation;
  if (end?.turn === turn && end.reason === "done") {
    throw new SessionError(t("The turn is done. Send a message to go on."));
  }
  if (turn === 0) throw new SessionError(t("There is nothing to continue yet. Send a message first."));
  if (messages.length === 0) {
    throw new SessionError(
      t("The conversation was set aside, so nothing is left to continue. Send a message to go on."),
    );
  }
}

// What a turn, a day and a run may take: nothing more is sent from there.

/** Of a run from outside (`--max-cost`, …): what its session took in all counts, in former processes too. */
interface RunLimits {
  /** US dollars */
  cost?: number;
  /** in and out */
  tokens?: number;
  /** of the newest turn */
  steps?: number;
}

export interface LimitPorts extends RequestPorts {
  /** absent: none beside those of the settings */
  runLimits?: RunLimits;
  /** what children took that the log does not have yet; absent: there are none */
  unlogged?(): Usage;
  /** of a child */
  caller?: {
    /** its budget, and the limits of those that called it */
    limit(connection?: ModelConnection, next?: number): Promise<TurnError | undefined>;
  };
}

/** The turn ends by it as by a limit, not by an error. */
export const isLimit = ({ code }: TurnError): boolean => code.startsWith("max-");

/** Why no request of a turn is sent any more; undefined: one may be. */
/** @param next tokens of the request that would leave */
export async function limitReached(ports: LimitPorts, history: History, connection?: ModelConnection, next?: number) {
  const { steps } = ports.runLimits ?? {};
  if (steps !== undefined && history.conversation.step >= steps) return stepLimit(steps);
  return spendingLimitReached(ports, history, connection, next);
}

/** The same without its steps: what it may take is also taken by its children. */
export const spendingLimitReached = async (
  ports: LimitPorts,
  history: History,
  connection?: ModelConnection,
  next?: number,
) =>
  (ports.runLimits && (await runLimitReached(ports, ports.runLimits, history, connection))) ??
  (await costLimitReached(ports, history)) ??
  (await ports.caller?.limit(connection, next));

async function runLimitReached(
  { clock, unlogged }: LimitPorts,
  { cost, tokens }: RunLimits,
  { conversation }: History,
  connection: ModelConnection | undefined,
): Promise<TurnError | undefined> {
  const { step } = conversation;
  const spent = addUsage(conversation.spent, unlogged?.());
  const taken = spent.input + spent.output;
  if ((tokens ?? cost) !== undefined && step > 0 && taken === 0) {
    const message = t(
      "The server does not say how many tokens it took, so only --max-steps and --max-minutes can hold.",
    );
    return { code: "unknown-usage", message, actions: ["continue"] };
  }
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
  const usage = addUsage(turnSoFar(history.records, history.conversation.turn).usage, ports.unlogged?.());
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
