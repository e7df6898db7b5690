/** What a session cost: by model, today in all sessions, and where the agent stops and asks. Words for `/cost`. Pure. */
import { addUsage, costText, formatCost, isCostUnknown } from "../../shared/cost";
import { formatTokens } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import type { Usage } from "../../shared/messages";
import type { LogRecord } from "../../shared/records";
import type { Report } from "../ground/text/report";

const NOTHING: Usage = { input: 0, output: 0 };
/** Summaries do not say who wrote them. */
const SUMMARIES = "summaries";
/** Which models they asked is in their own logs. */
const AGENTS = "agents";

interface CostLimits {
  /** US dollars of all sessions today; undefined: they are not counted here */
  today: number | undefined;
  /** US dollars; 0: no limit */
  perTurn: number;
  perDay: number;
}

/** What a record's request took; undefined: none was made for it. */
function usageOf(record: LogRecord): { model: string; usage: Usage | undefined } | undefined {
  // Older logs do not say which model answered.
  if (record.kind === "message")
    return {
      model: record.message.metadata.model ?? t("a model that older records do not name"),
      usage: record.message.metadata.usage,
    };
  if (record.kind === "compaction") return { model: SUMMARIES, usage: record.usage };
  if (record.kind === "child") return { model: AGENTS, usage: record.usage };
  return record.kind === "title" ? { model: record.model ?? "titles", usage: record.usage } : undefined;
}

export const sessionUsage = (records: readonly LogRecord[]): Usage =>
  records.reduce<Usage>((sum, record) => addUsage(sum, usageOf(record)?.usage), NOTHING);

export function costReport(records: readonly LogRecord[], limits: CostLimits): Report {
  const models = new Map<string, { usage: Usage; requests: number }>();
  for (const record of records) {
    const { model, usage } = usageOf(record) ?? {};
    if (model === undefined || !usage) continue;
    const sum = models.get(model) ?? { usage: NOTHING, requests: 0 };
    models.set(model, { usage: addUsage(sum.usage, usage), requests: sum.requests + 1 });
  }
  const dearest = [...models].sort(([, a], [, b]) => (b.usage.cost ?? 0) - (a.usage.cost ?? 0));
  const agents = new Set(records.flatMap(record => (record.kind === "child" ? record.childId : []))).size;
  const line = ([model, { usage }]: (typeof dearest)[number]) =>
    model === AGENTS ? t("Agents: {0} · {1}", agents, usageText(usage)) : `${model}: ${usageText(usage)}`;
  const lines = dearest.map(models.size > 1 ? line : first);
  const { today, perTurn, perDay } = limits;
  const costIsPartial = isCostUnknown(sessionUsage(records));
  const titled = (title: string) => ({ title, lines: [] });
  return {
    title: t("What It Cost"),
    sections: [
      {
        title:
          models.size === 0
            ? t("This session has asked no model yet.")
            : t("This session: {0}", usageText(sessionUsage(records))),
        lines: lines.map(label => ({ label })),
      },
      ...(today === undefined ? [] : [titled(t("All sessions today: {0}", paidText({ cost: today, costIsPartial })))]),
      titled(limitsText(perTurn, perDay)),
      ...(costIsPartial && perTurn + perDay > 0
        ? [titled(t("Models whose price is not known count for no limit: strata.model.prices says what they cost"))]
        : []),
    ],
  };
}

const first = ([model, { requests }]: [string, { requests: number }]): string =>
  plural(requests, "All by {1}, in 1 request", "All by {1}, in {0} requests", model);

const paidText = (today: { cost: number; costIsPartial: boolean }): string =>
  costText(today) ?? (today.costIsPartial ? t("cost not known") : formatCost(today.cost));

function usageText(usage: Usage): string {
  const { input, output, cachedInput = 0 } = usage;
  const paid = costText(usage) ?? (usage.cost === 0 ? t("free") : t("cost not known"));
  const [read, written] = [formatTokens(input), formatTokens(output)];
  return cachedInput > 0
    ? t("{0} · {1} tokens read ({2} cached), {3} written", paid, read, formatTokens(cachedInput), written)
    : t("{0} · {1} tokens read, {2} written", paid, read, written);
}

/** Where the agent stops and asks, in dollars; 0: nowhere. */
function limitsText(perTurn: number, perDay: number): string {
  const [turn, day] = [formatCost(perTurn), formatCost(perDay)];
  if (perTurn > 0 && perDay > 0) return t("Stops and asks at {0} in a turn, and at {1} in a day", turn, day);
  if (perTurn > 0) return t("Stops and asks at {0} in a turn", turn);
  if (perDay > 0) return t("Stops and asks at {0} in a day", day);
  return t("No cost limit is set");
}
