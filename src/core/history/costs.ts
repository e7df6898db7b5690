/** What a session cost: by model, today in all sessions, and where the agent stops and asks. Words for `/cost`. Pure. */
import { addUsage, costText, formatCost } from "../../shared/cost";
import { formatTokens } from "../../shared/format";
import type { Usage } from "../../shared/messages";
import type { LogRecord } from "../../shared/records";
import type { Report } from "../text/report";

const NOTHING: Usage = { input: 0, output: 0 };
/** Summaries do not say who wrote them. */
const SUMMARIES = "summaries";

interface CostLimits {
  /** US dollars of all sessions today; undefined: nobody counts them here */
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
      model: record.message.metadata.model ?? "a model that older records do not name",
      usage: record.message.metadata.usage,
    };
  if (record.kind === "compaction") return { model: SUMMARIES, usage: record.usage };
  return record.kind === "title" ? { model: record.model ?? "titles", usage: record.usage } : undefined;
}

/** Of all that models answered. */
export const sessionUsage = (records: readonly LogRecord[]): Usage =>
  records.reduce<Usage>((sum, record) => addUsage(sum, usageOf(record)?.usage), NOTHING);

/** The session, its models with the dearest first, today, limits. */
export function costReport(records: readonly LogRecord[], limits: CostLimits): Report {
  const models = new Map<string, { usage: Usage; requests: number }>();
  for (const record of records) {
    const { model, usage } = usageOf(record) ?? {};
    if (model === undefined || !usage) continue;
    const sum = models.get(model) ?? { usage: NOTHING, requests: 0 };
    models.set(model, { usage: addUsage(sum.usage, usage), requests: sum.requests + 1 });
  }
  const dearest = [...models].sort(([, a], [, b]) => (b.usage.cost ?? 0) - (a.usage.cost ?? 0));
  const lines =
    models.size > 1 ? dearest.map(([model, { usage }]) => `${model}: ${usageText(usage)}`) : dearest.map(first);
  const { today, perTurn, perDay } = limits;
  const titled = (title: string) => ({ title, lines: [] });
  return {
    title: "What It Cost",
    sections: [
      {
        title:
          models.size === 0
            ? "This session has asked no model yet."
            : `This session: ${usageText(sessionUsage(records))}`,
        lines: lines.map(label => ({ label })),
      },
      ...(today === undefined ? [] : [titled(`All sessions today: ${formatCost(today)}`)]),
      titled(limitsText(perTurn, perDay)),
    ],
  };
}

const first = ([model, { requests }]: [string, { requests: number }]): string =>
  `All by ${model}, in ${requests === 1 ? "1 request" : `${requests} requests`}`;

function usageText(usage: Usage): string {
  const { input, output, cachedInput = 0 } = usage;
  const cached = cachedInput > 0 ? ` (${formatTokens(cachedInput)} cached)` : "";
  const paid = costText(usage) ?? (usage.cost === 0 ? "free" : "cost not known");
  return `${paid} · ${formatTokens(input)} tokens read${cached}, ${formatTokens(output)} written`;
}

/** Where the agent stops and asks, in dollars; 0: nowhere. */
function limitsText(perTurn: number, perDay: number): string {
  const limits = [
    ...(perTurn > 0 ? [`at ${formatCost(perTurn)} in a turn`] : []),
    ...(perDay > 0 ? [`at ${formatCost(perDay)} in a day`] : []),
  ];
  return limits.length === 0
    ? "No cost limit is set (strata.agent.maxCostPerTurn, strata.agent.maxCostPerDay)"
    : `Stops and asks ${limits.join(", and ")}`;
}
