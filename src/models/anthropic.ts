/** Anthropic's Messages interface, by `@ai-sdk/anthropic`. */
import type { Json } from "../shared/messages";
import { fetchModelList } from "./modelList";
import { type LoadedModel, type LoadInput, ownRow, type Provider } from "./provider";

/** Whether a Claude model always thinks, and says what only where it is asked to. Bedrock's names have a prefix. */
export const alwaysThinks = (name: string): boolean =>
  /claude-(?:fable-[5-9]|(?:opus|sonnet|haiku)-(?:5-5|[6-9]))/.test(name);

/** Whether its thinking is bound to everything before it: after a change there, a request that has it is refused. */
export const bindsThinking = (name: string): boolean =>
  /claude-(?:fable-(?:5-[1-9]|[6-9])|(?:opus|sonnet|haiku)-(?:5-5|[6-9]))/.test(name);

/** Where nothing else is set: an answer shares the window with its request, and the SDK's 128,000 would leave little of it. */
const MAX_OUTPUT_TOKENS = 32_000;

export const anthropic: Provider = {
  ...ownRow("anthropic"),
  preferred: [/^claude-sonnet-/, /^claude-/],
  modelNames: /^claude-/i,
  serves: ({ host, isMessages }) => host === "api.anthropic.com" || isMessages === true,
  load,
  listModels: (baseUrl, key, signal) =>
    fetchModelList({
      url: `${baseUrl}/models?limit=1000`,
      headers: { "anthropic-version": "2023-06-01", ...(key ? { "x-api-key": key } : {}) },
      ...{ list: "data", id: "id", windows: ["max_input_tokens"], signal },
    }),
  needsKey: true,
};

async function load({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
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
