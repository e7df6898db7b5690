/** Amazon Bedrock's Converse interface, by `@ai-sdk/amazon-bedrock`: with an API key, or signed with the access key of AWS's environment variables. */
import { alwaysThinks, bindsThinking } from "./anthropic";
import { fetchModelList } from "./modelList";
import { type LoadedModel, type LoadInput, ownRow, type Provider } from "./provider";

const HOST = /^bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;
const DEFAULT_REGION = "us-east-1";

export const bedrock: Provider = {
  ...ownRow("bedrock"),
  preferred: [/anthropic\.claude-sonnet-/],
  modelNames: /^(?:[a-z]{2,6}\.)?(?:anthropic|amazon|meta|mistral|cohere|deepseek|qwen|openai)\.[a-z]/,
  serves: ({ host }) => HOST.test(host),
  load,
  listModels: (baseUrl, key, signal) =>
    fetchModelList({
      // What lists is another host than what answers.
      url: `${baseUrl.replace("//bedrock-runtime", "//bedrock")}/inference-profiles?maxResults=1000`,
      headers: key ? { authorization: `Bearer ${key}` } : {},
      ...{ list: "inferenceProfileSummaries", id: "inferenceProfileId", signal },
    }),
  needsKey: false,
};

async function load({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  const region = HOST.exec(address.host)?.[1] ?? DEFAULT_REGION;
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
