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

  it("OpenAI, until it says that this organisation gets none", async () => {
    const message = "Your organization must be verified to generate reasoning summaries.";
    const bodies: string[] = [];
    const fetch: typeof globalThis.fetch = async (_, init) => {
      bodies.push(await new Response(init?.body).text());
      return Response.json({ error: { message, type: "invalid_request_error" } }, { status: 400 });
    };
    const set = { "model.name": "gpt-5.2", "model.reasoning": "high" } as const;
    const from = models(set, { key: KEY, fetch });
    const connection = await from.connect();
    const { outcome } = await step(connection);
    assert.match(bodies[0] ?? "", /"reasoning":\{"effort":"high","summary":"auto"\}/);
    const failure = connection.explain(outcome.kind === "failed" ? outcome.error : undefined);
    assert.equal(failure.refused, "summary");
    connection.leaveOut?.("summary");
    await step(connection);
    await step(await from.connect());
    for (const body of bodies.slice(1)) assert.match(body, /"reasoning":\{"effort":"high"\}/);
  });
});
