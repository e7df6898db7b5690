/** Addresses as people copy them: of one call, and Azure's. */
import assert from "node:assert/strict";
import { NoModelError } from "../../src/core/ground/ports";
import { parseAddress } from "../../src/models/address";
import { findProvider } from "../../src/models/providers";
import { settingsSchema } from "../../src/shared/settings";
import { events } from "../wire/rawServer";
import { models, step } from "./connect";

const settings = (baseUrl: string) => settingsSchema.parse({ "model.baseUrl": baseUrl, "model.name": "m" });
const azure = "https://mine.openai.azure.com/openai/deployments/gpt-4o";

describe("addresses", () => {
  for (const [written, baseUrl, api] of [
    [" http://localhost:11434/v1/ ", "http://localhost:11434/v1", "chat"],
    ["localhost:11434/v1", "http://localhost:11434/v1", "chat"],
    [" localhost:11434/ ", "http://localhost:11434/v1", "chat"],
    ["api.openai.com", "https://api.openai.com/v1", "responses"],
    ["https://a.example/v1/chat/completions", "https://a.example/v1", "chat"],
    ["https://a.example/v1/responses", "https://a.example/v1", "responses"],
    ["https://a.example/v1/models", "https://a.example/v1", "chat"],
    ["https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1", "chat"],
    ["https://api.openai.com/v1", "https://api.openai.com/v1", "responses"],
    ["localhost:8080/v1/chat/completions", "http://localhost:8080/v1", "chat"],
    [`${azure}?api-version=2024-10-21`, azure, "chat"],
    [`${azure}/chat/completions?api-version=2024-10-21`, azure, "chat"],
    [
      "https://mine.openai.azure.com/openai/v1/responses?api-version=preview",
      "https://mine.openai.azure.com/openai/v1",
      "responses",
    ],
    ["http://localhost:11434/api/chat", "http://localhost:11434/v1", "chat"],
    [
      "https://mine.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview",
      "https://mine.services.ai.azure.com/models",
      "chat",
    ],
  ] as const) {
    it(written, () => {
      const address = parseAddress(settings(written));
      assert.deepEqual([address.baseUrl, address.api], [baseUrl, api]);
      const { host } = new URL(baseUrl);
      assert.deepEqual([address.host, address.openai], [host, host === "api.openai.com"]);
    });
  }

  it("of Messages is Anthropic's interface", () => {
    const { provider, address } = findProvider(settings("https://a.example/anthropic/v1/messages"));
    assert.deepEqual([provider.name, address.baseUrl], ["anthropic", "https://a.example/anthropic/v1"]);
  });

  for (const [written, words] of [
    ["", /address “” cannot be used: it is not a complete address/],
    ["nonsense", /not a complete address/],
    ["https://me:secret@models.example:port/v1?key=secret", /“https:\/\/models\.example:port\/v1” cannot/],
    ["file:///etc/passwd", /must begin with http/],
    ["https://me:secret@a.example/v1", /“https:\/\/a\.example\/v1” cannot be used: it holds a user name or password/],
    ["https://a.example/v1?key=secret", /“https:\/\/a\.example\/v1” cannot be used: .*part after \? or #/],
    ["https://a.example/v1?api-version=1&key=secret", /part after \? or #/],
    ["https://a.example/v1#a", /part after \? or #/],
  ] as const)
    it(`is none: ${written}`, () => {
      assert.throws(
        () => parseAddress(settings(written)),
        (error: Error) => {
          assert.ok(error instanceof NoModelError);
          assert.match(error.message, words);
          assert.match(error.message, /The server address/);
          assert.doesNotMatch(error.message, /secret/);
          return true;
        },
      );
    });

  it("of Azure have their version and its own header in each request", async () => {
    const asked: { url: string; headers: Headers }[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked.push({ url: String(input), headers: new Headers(init?.headers) });
      const body = events({ id: "c", choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] }).join(
        "",
      );
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const set = { "model.baseUrl": `${azure}/chat/completions?api-version=2024-10-21`, "model.name": "gpt-4o" };
    await step(await models(set, { key: "azure-key-123456", fetch }).connect());
    const [request] = asked;
    assert.equal(request?.url, `${azure}/chat/completions?api-version=2024-10-21`);
    assert.equal(request?.headers.get("api-key"), "azure-key-123456");
    assert.equal(request?.headers.get("authorization"), null);
  });
});
