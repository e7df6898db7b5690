/** The table of providers, the last of which serves every address. Their packages are loaded when they are needed: together they take longer than a start may. */
import { NoModelError } from "../core/ground/ports";
import { t } from "../shared/l10n";
import type { Json } from "../shared/messages";
import { type OwnProvider, ownProviderNames } from "../shared/modelProviders";
import type { Settings } from "../shared/settings";
import { type Address, completeAddress, isDefaultAddress, parseAddress } from "./address";
import { fetchModelList } from "./modelList";
import { compatible, openai } from "./openai";
import { type LoadedModel, type LoadInput, ownRow, type Provider, type ProviderName } from "./provider";

/** Whether a Claude model always thinks, and says what only where it is asked to. Bedrock's names have a prefix. */
const alwaysThinks = (name: string): boolean => /claude-(?:fable-[5-9]|(?:opus|sonnet|haiku)-(?:5-5|[6-9]))/.test(name);

/** Whether its thinking is bound to everything before it: after a change there, a request that has it is refused. */
const bindsThinking = (name: string): boolean =>
  /claude-(?:fable-(?:5-[1-9]|[6-9])|(?:opus|sonnet|haiku)-(?:5-5|[6-9]))/.test(name);

/** Where nothing else is set: an answer shares the window with its request, and the SDK's 128,000 would leave little of it. */
const MAX_OUTPUT_TOKENS = 32_000;

/** The Messages interface, by `@ai-sdk/anthropic`. */
const anthropic: Provider = {
  ...ownRow("anthropic"),
  preferred: [/^claude-sonnet-/, /^claude-/],
  modelNames: /^claude-/i,
  serves: ({ host, isMessages }) => host === "api.anthropic.com" || isMessages === true,
  load: loadAnthropic,
  listModels: (baseUrl, key, signal) =>
    fetchModelList({
      url: `${baseUrl}/models?limit=1000`,
      headers: { "anthropic-version": "2023-06-01", ...(key ? { "x-api-key": key } : {}) },
      ...{ list: "data", id: "id", windows: ["max_input_tokens"], signal },
    }),
  needsKey: true,
};

async function loadAnthropic({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  return {
    events: "messages",
    wire: { keys: ["anthropic"] },
    options: { anthropic: thinkingOptions(name, reasoning) },
    ...(reasoning === "default" ? {} : { reasoning }),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    cachePoint: { anthropic: { cacheControl: { type: "ephemeral" } } },
    ...(bindsThinking(name) ? { reasoningBinding: "request" } : {}),
    model: fetch => createAnthropic({ baseURL: address.baseUrl, apiKey: key ?? "", fetch })(name),
  };
}

/** What it thought comes in summaries. A block that is bound to something else is left out by the server, instead of refusing the conversation. */
function thinkingOptions(name: string, reasoning: LoadInput["reasoning"]): Record<string, Json> {
  if (reasoning === "none" || !alwaysThinks(name)) return {};
  const thinking = { type: "adaptive", display: "summarized" };
  const blockBinding = { prefixMismatchBehavior: "drop_block" };
  return { thinking: bindsThinking(name) ? { ...thinking, blockBinding } : thinking };
}

/** Gemini, by `@ai-sdk/google`. It caches by itself what requests begin with. */
const google: Provider = {
  ...ownRow("google"),
  preferred: [/^gemini-[\d.]+-pro(?:-preview)?$/, /^gemini-[\d.]+-flash$/],
  modelNames: /^(?:models\/)?gemini-/i,
  serves: ({ host }) => host === "generativelanguage.googleapis.com",
  load: loadGoogle,
  listModels: (baseUrl, key, signal) =>
    fetchModelList({
      url: `${baseUrl}/models?pageSize=1000`,
      headers: key ? { "x-goog-api-key": key } : {},
      ...{ list: "models", id: "name", prefix: "models/", windows: ["inputTokenLimit"], signal },
      isModel: ({ supportedGenerationMethods: all }) => !Array.isArray(all) || all.includes("generateContent"),
    }),
  needsKey: true,
};

/** Thoughts are shown in summaries; how long it thinks goes by the SDK's own knowledge of its models. */
async function loadGoogle({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const thinks = reasoning !== "none" && /gemini-(?:2\.5|[3-9])/i.test(name);
  return {
    wire: { keys: ["google"], gemini: true },
    events: "candidates",
    options: thinks ? { google: { thinkingConfig: { includeThoughts: true } } } : {},
    ...(reasoning === "default" ? {} : { reasoning }),
    model: fetch => createGoogleGenerativeAI({ baseURL: address.baseUrl, apiKey: key ?? "", fetch })(name),
  };
}

const BEDROCK_HOST = /^bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;
const DEFAULT_REGION = "us-east-1";

/** Converse, by `@ai-sdk/amazon-bedrock`: with an API key, or signed with the access key of AWS's environment variables. */
const bedrock: Provider = {
  ...ownRow("bedrock"),
  preferred: [/anthropic\.claude-sonnet-/],
  modelNames: /^(?:[a-z]{2,6}\.)?(?:anthropic|amazon|meta|mistral|cohere|deepseek|qwen|openai)\.[a-z]/,
  serves: ({ host }) => BEDROCK_HOST.test(host),
  load: loadBedrock,
  listModels: (baseUrl, key, signal) =>
    fetchModelList({
      // What lists is another host than what answers.
      url: `${baseUrl.replace("//bedrock-runtime", "//bedrock")}/inference-profiles?maxResults=1000`,
      headers: key ? { authorization: `Bearer ${key}` } : {},
      ...{ list: "inferenceProfileSummaries", id: "inferenceProfileId", signal },
    }),
  needsKey: false,
};

async function loadBedrock({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  const region = BEDROCK_HOST.exec(address.host)?.[1] ?? DEFAULT_REGION;
  const isClaude = /claude/.test(name);
  const thinks = reasoning !== "none" && alwaysThinks(name);
  return {
    wire: { keys: ["bedrock", "amazonBedrock"] },
    // What it thought is shown in summaries.
    options: thinks ? { bedrock: { reasoningConfig: { type: "adaptive", display: "summarized" } } } : {},
    ...(reasoning === "default" ? {} : { reasoning }),
    // Others than these refuse a cache point.
    ...(isClaude || /amazon\.nova/.test(name) ? { cachePoint: { bedrock: { cachePoint: { type: "default" } } } } : {}),
    ...(bindsThinking(name) ? { reasoningBinding: "request" } : {}),
    model: fetch =>
      createAmazonBedrock({ region, baseURL: address.baseUrl, ...(key ? { apiKey: key } : {}), fetch })(name),
  };
}

const rows: Record<OwnProvider, Provider> = { openai, anthropic, google, bedrock };

export const providers: readonly Provider[] = [...ownProviderNames.map(name => rows[name]), compatible];

type ModelSettings = Pick<Settings, "model.provider" | "model.baseUrl" | "model.api" | "model.name">;

/** Whose interface is spoken, and where: the provider that is set, else the one of such names, else the one of the address. Throws NoModelError. */
export function findProvider(settings: ModelSettings, among: readonly Provider[] = providers) {
  const { "model.provider": whose, "model.name": name } = settings;
  const isDefault = isDefaultAddress(settings);
  const byName = whose === "auto" && isDefault ? among.find(row => row.modelNames?.test(name.trim())) : undefined;
  const chosen = among.find(row => row.name === whose) ?? byName;
  const own = isDefault ? chosen?.address : undefined;
  const address = parseAddress(own === undefined ? settings : { ...settings, "model.baseUrl": own });
  const provider = chosen ?? among.find(row => row.serves(address));
  if (!provider) throw new NoModelError(t("No provider speaks to {0}.", address.host));
  return { provider, address };
}

export interface KeyPlace {
  provider: ProviderName;
  /** with its port, where it has one */
  host: string;
  /** environment variables; none: only a key that was stored for this very place is sent there */
  variables: readonly string[];
}

export const keyPlace = (provider: Provider, address: { host: string }): KeyPlace => ({
  provider: provider.name,
  host: address.host,
  variables: provider.keyVariables,
});

/** A variable's key is meant for its provider's own address and for the one that is set, not for a server that a name leads to or that was found on this machine. */
export function askedKeyPlace(provider: Provider, address: Address, set: Settings): KeyPlace {
  const place = keyPlace(provider, address);
  const written = completeAddress(set["model.baseUrl"]);
  const isSet = URL.canParse(written) && new URL(written).host === address.host;
  return provider.address || isSet ? place : { ...place, variables: [] };
}
