/** OpenAI's interfaces: Responses by `@ai-sdk/openai`; Chat Completions by an adapter of our own (`chat/chatModel.ts`). For every server. */
import { ownProviders } from "../shared/modelProviders";
import { type Address, isAzure } from "./address";
import { COMPATIBLE } from "./chat/chatAnswer";
import { chatModel, type ThoughtRule } from "./chat/chatModel";
import { fetchModelList } from "./modelList";
import { type LoadedModel, type LoadInput, ownRow, type Provider } from "./provider";
import { anyIds, nineIds, shortIds } from "./sdk/prompt";

export const openai: Provider = {
  ...ownRow("openai"),
  preferred: [/^gpt-\d+(?:\.\d+)?$/],
  serves: address => address.openai,
  load,
  listModels,
  needsKey: true,
};

/** The last row of the table: it serves every address. */
export const compatible: Provider = {
  name: "openai-compatible",
  title: "another server",
  keyVariables: ownProviders.openai.keyVariables,
  serves: () => true,
  load,
  listModels,
  needsKey: false,
};

/** Mistral's own models, at any server. */
const MISTRAL = /(?:mis|mix|minis|devs|codes|magis)tral|mathstral|pixtral/i;

function load(input: LoadInput) {
  return input.address.api === "responses" ? loadResponses(input) : loadChat(input);
}

/** `store: false`: nothing is kept there, so every request holds all it needs, the reasoning of steps before included. */
async function loadResponses({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const hasEffort = reasoning !== "default";
  return {
    events: "responses",
    takesStop: false,
    wire: { keys: ["openai"] },
    options: {
      openai: {
        store: false,
        ...(hasEffort ? { reasoningEffort: reasoning } : {}),
        // OpenAI gives summaries of the reasoning to verified organisations alone: where it refuses, none is asked for.
        ...(address.openai || hasEffort ? { reasoningSummary: address.openai ? "auto" : null } : {}),
        // OpenAI wants the role `developer` from some models, and the SDK knows which; other servers know it by chance only.
        ...(address.openai ? {} : { systemMessageMode: "system" }),
        // The SDK sends an effort only to models that it knows to reason.
        ...(hasEffort && !address.openai ? { forceReasoning: true } : {}),
      },
    },
    // What it thought comes back encrypted and is taken as it was: not behind a conversation that has changed since.
    reasoningBinding: "prefix",
    // Requests of one session go where their beginning is cached.
    ...(address.openai ? { sessionOption: { provider: "openai", name: "promptCacheKey" } } : {}),
    model(fetch) {
      return createOpenAI({
        ...{ baseURL: address.baseUrl, apiKey: key ?? "", fetch: withQuery(fetch, address) },
        // An undefined one takes the package's own away, which it sends even without a key.
        headers: keyHeaders(key, address) as Record<string, string>,
      }).responses(name);
    },
  };
}

const REASONER = /^(?:o\d|gpt-[5-9](?!.*chat))/;

async function loadChat({ address, name, key, reasoning, leftOut }: LoadInput): Promise<LoadedModel> {
  const { host, openai: isOpenai, baseUrl } = address;
  const rules = () => ({
    ...{ host, name, isReasoner: isOpenai && REASONER.test(name), thoughts: thoughtsOf(host, name, leftOut) },
    hasUsage: !leftOut.has("usage"),
  });
  return {
    events: "chat",
    wire: { keys: [COMPATIBLE], ...(isOpenai ? { ids: shortIds } : idsOf(name, host)) },
    ...(isOpenai && { takesStop: false, sessionOption: { provider: COMPATIBLE, name: "promptCacheKey" } }),
    options: {
      [COMPATIBLE]: {
        ...(isOpenai && { store: false }),
        ...(reasoning !== "default" && { reasoningEffort: reasoning }),
      },
    },
    model: fetch => chatModel({ baseUrl, headers: keyHeaders(key, address), fetch: withQuery(fetch, address), rules }),
  };
}

/** Ids of calls that their chat templates and checks want. */
function idsOf(name: string, host: string): LoadedModel["wire"] {
  if (host === "api.mistral.ai" || MISTRAL.test(name)) return { ids: nineIds };
  return /kimi|moonshot/i.test(`${name} ${host}`) ? { ids: anyIds } : {};
}

/** These refuse reasoning that comes back: Groq 400 "property 'reasoning_content' is unsupported", Mistral 422 `extra_forbidden`, Cerebras 400 `wrong_api_format`. */
const WITHOUT_REASONING = new Set(["api.groq.com", "api.mistral.ai", "api.cerebras.ai"]);
/** These refuse a step with calls without its thoughts (Kimi 400 "reasoning_content is missing in assistant tool call message"; DeepSeek, MiMo). Where there were none they want it empty. */
const WANTS_REASONING = /deepseek|kimi|moonshot|mimo/i;

function thoughtsOf(host: string, name: string, { has }: LoadInput["leftOut"]): ThoughtRule {
  if (has("bare-steps")) return "always";
  if (WITHOUT_REASONING.has(host)) return "never";
  return WANTS_REASONING.test(host) || WANTS_REASONING.test(name) ? "with calls" : "kept";
}

/** A model's window is no part of OpenAI's list; servers that say it have these names for it. */
const WINDOWS = ["max_model_len", "context_length", "context_window"];
/** `GET /models`, as OpenAI and the servers like it have it. Without a `key`, none is sent. */
function listModels(baseUrl: string, key: string | undefined, signal: AbortSignal) {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  return fetchModelList({ url: `${baseUrl}/models`, headers, list: "data", id: "id", windows: WINDOWS, signal });
}

/** Azure has a header of its own for the key. */
const keyHeaders = (key: string | undefined, address: Address): Record<string, string | undefined> =>
  isAzure(address) ? { Authorization: undefined, "api-key": key } : { Authorization: key && `Bearer ${key}` };

/** Azure's part behind the address. */
function withQuery(fetch: typeof globalThis.fetch, { query }: Address): typeof globalThis.fetch {
  if (!query) return fetch;
  return (input, init) => {
    const url = new URL(String(input));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return fetch(url, init);
  };
}
