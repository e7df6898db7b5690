/** Google's Gemini interface, by `@ai-sdk/google`. It caches by itself what requests begin with. */
import { fetchModelList } from "./modelList";
import { type LoadedModel, type LoadInput, ownRow, type Provider } from "./provider";

export const google: Provider = {
  ...ownRow("google"),
  preferred: [/^gemini-[\d.]+-pro(?:-preview)?$/, /^gemini-[\d.]+-flash$/],
  modelNames: /^(?:models\/)?gemini-/i,
  serves: ({ host }) => host === "generativelanguage.googleapis.com",
  load,
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
async function load({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
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
