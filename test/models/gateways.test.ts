/** What gateways and providers say beside an answer: usage in words of their own, what happened behind them, thoughts that go back. */
import assert from "node:assert/strict";
import { explainFailure } from "../../src/models/failure";
import { events, type RawAnswer, startRawServer } from "../wire/rawServer";
import { ask, bodyOf, done, models, step, told } from "./connect";

const chunk = (delta: object, rest: object = {}, finish_reason: string | null = null) => ({
  id: "c",
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
});
const answer = (usage: unknown, rest: object = {}): RawAnswer => ({
  body: events(chunk({ content: "Hello" }), chunk({}, {}, "stop"), { id: "c", choices: [], usage, ...rest }),
});

async function usageOf(given: RawAnswer, settings: object = {}) {
  const server = await startRawServer(() => given);
  try {
    const set = { "model.provider": "server", "model.baseUrl": server.url, ...settings } as const;
    return done((await step(await models(set).connect())).outcome).usage;
  } finally {
    await server.close();
  }
}

describe("usage", () => {
  const counts = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 };
  const plain = { input: 100, output: 5 };
  for (const [what, usage, wanted] of [
    ["OpenAI's", { ...counts, prompt_tokens_details: { cached_tokens: 60 } }, { ...plain, cachedInput: 60 }],
    [
      "DeepSeek's",
      { ...counts, prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 },
      { ...plain, cachedInput: 60 },
    ],
    ["Kimi's", { ...counts, cached_tokens: 60 }, { ...plain, cachedInput: 60 }],
    ["a gateway's in Anthropic's words", { ...counts, cache_read_input_tokens: 60 }, { ...plain, cachedInput: 60 }],
    ["numbers as texts", { prompt_tokens: "100", completion_tokens: "5" }, plain],
    ["nothing of a cache", counts, plain],
    ["the sum and the answer", { completion_tokens: 5, total_tokens: 105 }, plain],
    ["the sum alone", { total_tokens: 105 }, undefined],
    ["zeros", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, undefined],
    ["null", null, undefined],
  ] as const) {
    it(what, async () => {
      const { reasoning: _, ...got } = (await usageOf(answer(usage))) ?? {};
      assert.deepEqual(got, wanted ?? {});
    });
  }

  it("in the choice, and in a field of its own", async () => {
    const inChoice = events(chunk({ content: "Hello" }), {
      id: "c",
      choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: { ...counts, cached_tokens: 60 } }],
    });
    assert.equal((await usageOf({ body: inChoice }))?.cachedInput, 60);
    assert.equal((await usageOf(answer(undefined, { x_groq: { id: "r", usage: counts } })))?.input, 100);
  });

  it("that Messages say nothing of is unknown", async () => {
    const body = events(
      { type: "message_start", message: { id: "m", model: "x" } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    );
    assert.equal(
      await usageOf({ body }, { "model.provider": "anthropic", "model.name": "claude-opus-5-5" }),
      undefined,
    );
  });
});

describe("what happened behind a gateway", () => {
  const where = { name: "m", address: "https://openrouter.ai/api/v1", timeoutMs: 1000, key: undefined, now: () => 0 };
  const refusal = (code: number, metadata: object, message = "Provider returned error") => ({
    statusCode: code,
    responseHeaders: {},
    message,
    responseBody: JSON.stringify({ error: { code, message, metadata } }),
  });
  for (const [what, error, code, says] of [
    [
      "JSON in raw",
      refusal(400, {
        raw: '{"error":{"message":"max_tokens must be positive","type":"invalid"}}',
        provider_name: "Anthropic",
      }),
      "bad-request",
      /“max_tokens must be positive \(Anthropic\)”/,
    ],
    [
      "too long, in raw",
      refusal(400, {
        raw: '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
        provider_name: "Anthropic",
      }),
      "context-too-long",
      /Too long for m\./,
    ],
    [
      "words in raw",
      refusal(502, { raw: "upstream connect error", provider_name: "Chutes" }),
      "server",
      /upstream connect error \(Chutes\)/,
    ],
    ["a reason", refusal(403, { reasons: ["violence"], provider_name: "OpenAI" }, "Input was flagged"), "auth", /./],
    ["empty metadata", refusal(400, {}, "Bad words"), "bad-request", /“Bad words”/],
  ] as const) {
    it(what, () => {
      const failure = explainFailure(error, where);
      assert.equal(failure.code, code);
      assert.match(told(failure), says);
    });
  }
});

describe("thoughts that go back", () => {
  it("reasoning_details return as they came, to the server that they came from", async () => {
    const detail = (rest: object) => ({
      reasoning_details: [{ type: "reasoning.text", index: 0, format: "f", ...rest }],
    });
    const encrypted = { type: "reasoning.encrypted", data: "abc", id: "r1", index: 1 };
    const server = await startRawServer(() => ({
      body: events(
        chunk({ reasoning: "Hm, ", ...detail({ text: "Hm, " }) }),
        chunk({ reasoning: "yes.", ...detail({ text: "yes.", signature: null }) }),
        chunk(detail({ signature: "sig" })),
        chunk({ reasoning_details: [encrypted] }),
        chunk({ content: "Hello" }),
        chunk({}, {}, "stop"),
      ),
    }));
    const connection = await models({ "model.provider": "server", "model.baseUrl": server.url }).connect();
    const { parts } = done((await step(connection)).outcome);
    const content = parts.flatMap(part =>
      part.type === "text" || part.type === "reasoning"
        ? [
            {
              type: part.type,
              text: part.text,
              ...(part.providerMetadata && { providerOptions: part.providerMetadata }),
            },
          ]
        : [],
    );
    const messages = [
      ...ask().messages,
      { role: "assistant", content } as const,
      { role: "user", content: "And?" } as const,
    ];
    await step(connection, { ...ask(), messages });
    const wanted = [{ type: "reasoning.text", index: 0, format: "f", text: "Hm, yes.", signature: "sig" }, encrypted];
    const [, assistant] = server.requests[1]?.body.messages.slice(1) ?? [];
    assert.deepEqual(assistant, { role: "assistant", content: "Hello", reasoning_details: wanted });
    await server.close();
    const other = await startRawServer(() => ({ body: events(chunk({ content: "Hi" }), chunk({}, {}, "stop")) }));
    const elsewhere = await models({ "model.provider": "server", "model.baseUrl": other.url }).connect();
    await step(elsewhere, { ...ask(), messages });
    assert.doesNotMatch(JSON.stringify(other.requests[0]?.body), /reasoning_details|sig/);
    await other.close();
  });

  for (const [name, wanted] of [
    ["deepseek-reasoner", true],
    ["kimi-k2-thinking", true],
    ["mimo-v2-flash", true],
    ["glm-4.6", false],
  ] as const) {
    it(`${name} ${wanted ? "gets an empty" : "gets no"} reasoning_content for a step without thoughts`, async () => {
      const set = { "model.baseUrl": "http://localhost:1/v1", "model.name": name };
      const call = { toolCallId: "c1", toolName: "LS" };
      const messages = [
        ...ask().messages,
        { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] } as const,
        { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value: "a" } }] } as const,
      ];
      const body = await bodyOf(set, { ...ask(), messages: messages as never });
      const sent = body.messages.find((message: { role: string }) => message.role === "assistant");
      assert.equal("reasoning_content" in sent, wanted);
    });
  }
});
