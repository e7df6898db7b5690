/** What is asked of each provider about its thoughts: summaries, and how much to think. */
import assert from "node:assert/strict";
import { KEY, startAnthropicServer } from "../wire/anthropicServer";
import { startBedrockServer } from "../wire/bedrockServer";
import { GOOGLE_KEY, startGoogleServer } from "../wire/googleServer";
import { models, step } from "./connect";

/** The body of a request with effort `high`, as JSON. */
async function bodyOf(
  provider: "anthropic" | "google" | "bedrock",
  model: string,
  key: string,
  start: (take: (body: object) => { text: string }) => Promise<{ url: string; close(): Promise<void> }>,
): Promise<string> {
  let body = "";
  const server = await start(got => {
    body = JSON.stringify(got);
    return { text: "Hello." };
  });
  const set = { "model.provider": provider, "model.baseUrl": server.url, "model.name": model } as const;
  await step(await models({ ...set, "model.reasoning": "high" }, { key }).connect());
  await server.close();
  return body;
}

describe("thoughts are asked for in summaries, and how much to think in the provider's own words", () => {
  it("Anthropic", async () => {
    const body = await bodyOf("anthropic", "claude-opus-5-5", KEY, answer => startAnthropicServer({ answer }));
    assert.match(body, /"thinking":\{"type":"adaptive","display":"summarized"/);
    assert.match(body, /"effort":"high"/);
  });

  it("Google", async () => {
    const body = await bodyOf("google", "gemini-3-pro", GOOGLE_KEY, startGoogleServer);
    assert.match(body, /"includeThoughts":true/);
    assert.match(body, /"thinkingLevel":"high"/);
  });

  it("Bedrock's Claude", async () => {
    const model = "us.anthropic.claude-opus-5-5-v1:0";
    const body = await bodyOf("bedrock", model, "bedrock-api-key-0123456789", startBedrockServer);
    assert.match(body, /"thinking":\{"type":"adaptive","display":"summarized"\}/);
    assert.match(body, /"effort":"high"/);
  });
});
