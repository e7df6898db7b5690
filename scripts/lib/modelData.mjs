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
    match,
    window,
    prices: conditional.map(({ constraint, prices: each }) => ({ when: constraint, ...named(each) })).filter(isWhole),
  };
}

const named = all => Object.fromEntries(Object.entries(prices).map(([theirs, ours]) => [ours, all[theirs]]));

/** Those that are paid by the second or the page are no models for an agent. */
const isWhole = ({ input, output }) => input !== undefined && output !== undefined;
