/**
 * What is known of models, taken from `@pydantic/genai-prices` when the product is built: windows and prices, as JSON. The
 * package itself is half a megabyte of code that takes a tenth of a second to run; this is parsed in two milliseconds.
 */
import { findProvider } from "@pydantic/genai-prices";
import { Problem } from "./console.mjs";

/** The package's names of those that answer chats over an interface Strata speaks: it gives no list of them. */
const providers = [
  ...["openai", "anthropic", "google", "aws", "openrouter", "azure", "baseten", "cerebras", "cloudflare", "cohere"],
  ...["deepseek", "fireworks", "groq", "huggingface_together", "minimax", "mistral", "moonshotai", "novita"],
  ...["ovhcloud", "perplexity", "together", "x-ai", "zai", "zhipuai"],
];

/** The name in the package's data → the one in ours. */
const prices = {
  input_mtok: "input",
  output_mtok: "output",
  cache_read_mtok: "cachedInput",
  cache_write_mtok: "cacheWrite",
};

/** @returns {string} the JSON of what src/models/modelCatalog.ts calls `ProviderData[]` */
export function modelData() {
  return JSON.stringify(providers.map(provider));
}

function provider(name) {
  const found = findProvider({ providerId: name });
  if (found?.id !== name) throw new Problem(`@pydantic/genai-prices knows no provider "${name}" any more.`);
  const { id, api_pattern: address, fallback_model_providers: others, models } = found;
  return { id, address, others, models: models.map(model).filter(({ prices }) => prices.length > 0) };
}

function model({ match, context_window: window, prices: all }) {
  const conditional = Array.isArray(all) ? all : [{ prices: all }];
  return {
    match: pattern(match),
    window,
    prices: conditional
      .map(({ constraint, prices: each }) => ({ when: constraint, ...tiered(named(each)) }))
      .filter(isWhole),
  };
}

/** A pattern of names in lower case. */
function pattern(match) {
  if ("or" in match) return match.or.map(each => `(?:${pattern(each)})`).join("|");
  if ("and" in match) return `^${match.and.map(each => `(?=.*?(?:${pattern(each)}))`).join("")}`;
  if ("regex" in match) return match.regex;
  const [[how, text]] = Object.entries(match);
  const written = text.toLowerCase().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const begin = how === "equals" || how === "starts_with" ? "^" : "";
  const end = how === "equals" || how === "ends_with" ? "$" : "";
  return `${begin}${written}${end}`;
}

const named = all => Object.fromEntries(Object.entries(prices).map(([theirs, ours]) => [ours, all[theirs]]));

/** A price, or one that changes for the whole of a request with more input than `start`: `above` it, all are dearer. */
function tiered(row) {
  const tiers = Object.values(row).flatMap(price => price?.tiers ?? []);
  const starts = [...new Set(tiers.map(({ start }) => start))].sort((one, other) => one - other);
  return { ...pricesOf(row, 0), dearer: starts.map(above => ({ above, ...pricesOf(row, above + 1) })) };
}

const pricesOf = (row, tokens) =>
  Object.fromEntries(
    Object.entries(row).map(([name, price]) => [
      name,
      price?.tiers ? (price.tiers.findLast(({ start }) => tokens > start)?.price ?? price.base) : price,
    ]),
  );

/** Those that are paid by the second or the page are no models for an agent. */
const isWhole = ({ input, output }) => input !== undefined && output !== undefined;
