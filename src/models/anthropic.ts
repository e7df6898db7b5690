/**
 * Anthropic's Messages interface, by `@ai-sdk/anthropic`.
 * An answer has at most 32,000 tokens where nothing else is set: the SDK's 128,000 would share the window with the
 * conversation.
 */
import type { Json } from "../shared/messages";
import { fetchModelList } from "./modelList";
import { type LoadedModel, type LoadInput, ownRow, type Provider } from "./provider";

/** Whether a Claude model always thinks, and says what only where it is asked to. Bedrock's names have a prefix. */
export const alwaysThinks = (name: string): boolean =>
  /claude-(?:fable-[5-9]|(?:opus|sonnet|haiku)-(?:5-5|[6-9]))/.test(name);

/** Whether its thinking is bound to everything before it: after a change there, a request that has it is refused. */
export const bindsThinking = (name: string): boolean =>
  /claude-(?:fable-(?:5-[1-9]|[6-9])|(?:opus|sonnet|haiku)-(?:5-5|[6-9]))/.test(name);

/**
 * Where nobody set another: what a request may have and what it may be answered with share the window, and the SDK's 128,000
 * would leave little of it. Models that write less are known to the SDK.
 */
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

/**
 * What it thought is shown in summaries. Should a block be bound to something else than the request all the same, the server
 * leaves that block out instead of refusing the conversation.
 */
function thinkingOptions(name: string, reasoning: LoadInput["reasoning"]): Record<string, Json> {
  if (reasoning === "none" || !alwaysThinks(name)) return {};
  const thinking = { type: "adaptive", display: "summarized" };
  const blockBinding = { prefixMismatchBehavior: "drop_block" };
  return { thinking: bindsThinking(name) ? { ...thinking, blockBinding } : thinking };
}
