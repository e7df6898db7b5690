/**
 * The two packages that speak OpenAI's interfaces. `@ai-sdk/openai` for OpenAI itself and for every server of the
 * Responses interface; `@ai-sdk/openai-compatible` for Chat Completions elsewhere: it reads the reasoning that vLLM,
 * llama.cpp, Ollama and others stream (`reasoning_content`, `reasoning`), keeps role `system` and `max_tokens`, and takes
 * answers that are less exact than OpenAI's. Each is loaded when it is needed: together they take longer than a start may.
 */
import type { LanguageModel } from "ai";
import type { ModelConnection } from "../core/ports";
import type { Settings } from "../shared/settings";
import type { Address } from "./address";
import { type Body, forOtherServers } from "./compatible";

type ProviderOptions = ModelConnection["providerOptions"];

export interface Provider {
  options: ProviderOptions;
  model(fetch: typeof globalThis.fetch): Exclude<LanguageModel, string>;
}

export interface ProviderInput {
  address: Address;
  name: string;
  /** undefined: none is sent */
  key: string | undefined;
  reasoning: Settings["model.reasoning"];
}

/** The provider's name is the key of its options and metadata. */
const COMPATIBLE = "compatible";

export function loadProvider(input: ProviderInput): Promise<Provider> {
  if (input.address.api === "responses") return responses(input);
  return input.address.openai ? openaiChat(input) : compatibleChat(input);
}

/** `store: false`: nothing is kept there, so every request holds all it needs, the reasoning of steps before included. */
async function responses({ address, name, key, reasoning }: ProviderInput): Promise<Provider> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return {
    options: {
      openai: {
        store: false,
        // A summary of the reasoning is for verified organisations only; for others it would be an error.
        ...(reasoning === "default" ? {} : { reasoningEffort: reasoning, reasoningSummary: null }),
        ...(address.openai ? {} : elsewhere(reasoning)),
      },
    },
    model: fetch => createOpenAI({ baseURL: address.baseUrl, apiKey: key ?? "", fetch }).responses(name),
  };
}

/**
 * OpenAI wants the role `developer` from some models, and the SDK knows which; other servers know it by chance only. And
 * the SDK sends an effort only to models that it knows to reason.
 */
function elsewhere(reasoning: Settings["model.reasoning"]) {
  return { systemMessageMode: "system", ...(reasoning === "default" ? {} : { forceReasoning: true }) };
}

async function openaiChat({ address, name, key, reasoning }: ProviderInput): Promise<Provider> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return {
    options: { openai: { store: false, ...(reasoning === "default" ? {} : { reasoningEffort: reasoning }) } },
    model: fetch => createOpenAI({ baseURL: address.baseUrl, apiKey: key ?? "", fetch }).chat(name),
  };
}

async function compatibleChat({ address, name, key, reasoning }: ProviderInput): Promise<Provider> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return {
    options: { [COMPATIBLE]: reasoning === "default" ? {} : { reasoningEffort: reasoning } },
    model: fetch =>
      createOpenAICompatible({
        name: COMPATIBLE,
        baseURL: address.baseUrl,
        ...(key ? { apiKey: key } : {}),
        includeUsage: true,
        transformRequestBody: body => forOtherServers(body as Body, address.host),
        fetch,
      }).chatModel(name),
  };
}
