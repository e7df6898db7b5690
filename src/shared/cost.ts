/**
 * What requests cost, and what of them came from the provider's cache; in words for panel and terminal alike. Pure.
 * A cost is recorded with its answer: what a session cost does not change with the prices.
 */
import { defined } from "./defined";
import { formatTokens } from "./format";
import { t } from "./l10n";
import type { ModelPrices, TokenPrices, Usage } from "./messages";

const MILLION = 1_000_000;

/** The usage of one request with what it cost. What reports no input counted nothing: its cost is not known. */
export function withCost(usage: Usage, all: ModelPrices | undefined): Usage {
  if (!all || usage.input === 0) return usage;
  const prices = pricesFor(all, usage.input);
  const { input, output, cachedInput = 0, cacheWrite = 0 } = usage;
  const cost =
    (Math.max(0, input - cachedInput - cacheWrite) * prices.input +
      cachedInput * (prices.cachedInput ?? prices.input) +
      cacheWrite * (prices.cacheWrite ?? prices.input) +
      output * prices.output) /
    MILLION;
  const isFree = Object.values(prices).every(price => price === 0);
  return { ...usage, cost, ...(isFree ? {} : { prices }) };
}

function pricesFor({ dearer, ...base }: ModelPrices, tokens: number): TokenPrices {
  const tier = dearer.findLast(({ above }) => tokens > above);
  if (!tier) return base;
  const { above: _, ...prices } = tier;
  return prices;
}

/** Sums what requests took. Absent fields stay absent until a request has them. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  if (!more) return sum;
  const plus = (one: number | undefined, other: number | undefined) =>
    one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
  const cachedInput = plus(sum.cachedInput, more.cachedInput);
  const cacheWrite = plus(sum.cacheWrite, more.cacheWrite);
  const cost = plus(sum.cost, more.cost);
  const isPartial = isCostUnknown(sum) || isCostUnknown(more);
  return {
    input: sum.input + more.input,
    output: sum.output + more.output,
    ...defined({ cachedInput, cacheWrite }),
    ...(cost === undefined ? {} : { cost, ...(isPartial ? { costIsPartial: true as const } : {}) }),
  };
}

/** What came since then. */
export function usageSince(now: Usage, then: Usage): Usage {
  const less = (field: "cachedInput" | "cacheWrite" | "cost") =>
    now[field] === undefined ? undefined : now[field] - (then[field] ?? 0);
  const [cachedInput, cacheWrite, cost] = [less("cachedInput"), less("cacheWrite"), less("cost")];
  const isPartial = now.costIsPartial && { costIsPartial: true as const };
  const left = { input: now.input - then.input, output: now.output - then.output };
  return { ...left, ...defined({ cachedInput, cacheWrite, cost }), ...isPartial };
}

/** Some of it was paid for, at an unknown price. */
export const isCostUnknown = ({ cost, costIsPartial, input, output }: Usage): boolean =>
  costIsPartial === true || (cost === undefined && input + output > 0);

/** "$0.12", "$0.004", "<$0.001" */
export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.0005) return "<$0.001";
  return `$${dollars.toFixed(dollars > 0 && dollars < 0.0095 ? 3 : 2)}`;
}

/** "$0.12", "at least $0.12"; undefined: it cost nothing, or an unknown sum. */
export function costText({ cost = 0, costIsPartial }: { cost?: number; costIsPartial?: boolean }): string | undefined {
  if (cost <= 0) return undefined;
  return costIsPartial ? t("at least {0}", formatCost(cost)) : formatCost(cost);
}

/** "$0.12 · 41k cached", for the end of a turn; empty: neither is known. */
export function costAndCache(usage: Usage): string {
  const { cachedInput = 0 } = usage;
  return [costText(usage), cachedInput > 0 ? t("{0} cached", formatTokens(cachedInput)) : undefined]
    .filter(text => text !== undefined)
    .join(" · ");
}
