import assert from "node:assert/strict";
import { NoModelError } from "../../src/core/ground/ports";
import { checkConnection, isKeyVariable } from "../../src/models";
import { findProvider, providers } from "../../src/models/providers";
import { type Settings, settingsSchema } from "../../src/shared/settings";
import { ask, bodyOf, KEY, models, step, withModel } from "./connect";

describe("models: connect", () => {
  const refusals: [string, Partial<Settings>, string | undefined, RegExp][] = [
    ["no name", { "model.name": " " }, KEY, /No model yet/],
    ["OpenAI without a key", {}, undefined, /api\.openai\.com needs an API key/],
    ["a key of blanks", {}, "  ", /needs an API key/],
    ["a key with a line break inside", {}, "sk-abc\nsk-def", /bad copy/],
    ["a key that no header can carry", { "model.baseUrl": "http://localhost:1/v1" }, "sk-“quoted”", /bad copy/],
  ];
  for (const [name, settings, key, words] of refusals) {
    it(`refuses ${name}`, async () => {
      await assert.rejects(models(settings, { key }).connect(), error => {
        assert.ok(error instanceof NoModelError);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /sk-/);
        return true;
      });
    });
  }

  it("reads settings anew each time, and takes a name for one connection", async () => {
    const from = models({ "model.contextWindow": 32_000, "model.maxOutputTokens": 4000, "model.timeoutSeconds": 7 });
    const { name, contextWindow, maxOutputTokens, timeoutMs, address } = await from.connect({ name: "other" });
    assert.deepEqual(
      { name, contextWindow, maxOutputTokens, timeoutMs, address },
      {
        name: "other",
        contextWindow: 32_000,
        maxOutputTokens: 4000,
        timeoutMs: 7000,
        address: "https://api.openai.com/v1",
      },
    );
    assert.equal("maxOutputTokens" in (await models({}).connect()), false);
  });

  it("a window that nobody set is the model's known one, up to where long requests cost more", async () => {
    const windowOf = async (name: string, set: Partial<Settings> = {}) =>
      (await models({ "model.name": name, ...set }).connect()).contextWindow;
    assert.equal(await windowOf("gpt-4o"), 128_000);
    assert.equal(await windowOf("gpt-5.5"), 271_999);
    assert.equal(await windowOf("gpt-4o", { "model.contextWindow": 50_000 }), 50_000);
    assert.equal(await windowOf("nobody-knows-it"), 200_000);
    assert.equal(await windowOf("gpt-oss:20b", { "model.baseUrl": "http://localhost:11434/v1" }), 200_000);
  });

  it("a window that was set for the model in the settings says nothing of another one that is known", async () => {
    const from = models({ "model.name": "mine", "model.contextWindow": 32_000 });
    const windowOf = async (choice?: Parameters<typeof from.connect>[0]) => (await from.connect(choice)).contextWindow;
    assert.equal(await windowOf(), 32_000);
    assert.equal(await windowOf({ reasoning: "high" }), 32_000);
    assert.equal(await windowOf({ name: "gpt-4o" }), 128_000);
    assert.equal(await windowOf({ name: "openai:gpt-4o" }), 128_000);
    assert.equal(await windowOf({ name: "gpt-4o", contextWindow: 50_000 }), 50_000);
    assert.equal(await windowOf({ name: "nobody-knows-it" }), 32_000);
  });

  it("says what the model costs, as the settings have it now", async () => {
    const at = new Date("2026-11-24T12:00:00Z");
    const { pricesAt } = await models({ "model.name": "gpt-4o" }).connect();
    assert.deepEqual(await pricesAt?.(at), { input: 2.5, output: 10, cachedInput: 1.25, dearer: [] });
    const own = { "gpt-4o": { input: 1, output: 2 } };
    const set = await models({ "model.name": "gpt-4o", "model.prices": own }).connect();
    assert.deepEqual(await set.pricesAt?.(at), { ...own["gpt-4o"], dearer: [] });
  });

  it("a server that says nothing of its cache is not taken for one that cached nothing", async () => {
    const cachedOf = async (details: object) => {
      const chunk = (more: object) =>
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", ...more })}\n\n`;
      const choices = [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }];
      const usage = { prompt_tokens: 50, completion_tokens: 2, total_tokens: 52, ...details };
      const text = `${chunk({ choices })}${chunk({ choices: [], usage })}data: [DONE]\n\n`;
      const headers = { "content-type": "text/event-stream" };
      const from = models(
        { "model.baseUrl": "http://localhost:1/v1" },
        { fetch: async () => new Response(text, { headers }) },
      );
      const { outcome } = await step(await from.connect());
      assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
      return outcome.usage;
    };
    assert.deepEqual(await cachedOf({}), { input: 50, output: 2, reasoning: 0 });
    assert.equal((await cachedOf({ prompt_tokens_details: { cached_tokens: 0 } }))?.cachedInput, 0);
    assert.equal((await cachedOf({ prompt_tokens_details: { cached_tokens: 48 } }))?.cachedInput, 48);
  });

  const bodies: [string, Partial<Settings>, Record<string, unknown>][] = [
    ["chat", { "model.api": "chat" }, { max_tokens: undefined, reasoning_effort: undefined, store: undefined }],
    [
      "chat with limits",
      { "model.api": "chat", "model.maxOutputTokens": 900, "model.reasoning": "low" },
      { max_tokens: 900, reasoning_effort: "low" },
    ],
    [
      "responses",
      { "model.api": "responses" },
      { store: false, include: undefined, reasoning: undefined, previous_response_id: undefined },
    ],
    [
      "responses with limits",
      { "model.api": "responses", "model.maxOutputTokens": 900, "model.reasoning": "high" },
      { store: false, max_output_tokens: 900, reasoning: { effort: "high" }, include: ["reasoning.encrypted_content"] },
    ],
    [
      "responses, a model that the SDK knows to reason",
      { "model.api": "responses", "model.name": "gpt-5" },
      { store: false, include: ["reasoning.encrypted_content"] },
    ],
  ];
  for (const [name, settings, expected] of bodies) {
    it(`${name}: the body has what other servers take, and role system`, () =>
      withModel(
        { api: settings["model.api"] === "chat" ? "chat" : "responses", settings, script: () => ({ text: "Hi" }) },
        async (connection, server) => {
          const { outcome } = await step(connection);
          assert.equal(outcome.kind, "answered");
          const { body } = server.requests[0] ?? {};
          for (const [field, value] of Object.entries(expected)) assert.deepEqual(body[field], value, field);
          const [first] = body.messages ?? body.input;
          assert.equal(first.role, "system");
          assert.equal(body.max_completion_tokens, undefined);
          assert.equal(body.parallel_tool_calls, undefined);
          if (body.messages) assert.deepEqual(body.stream_options, { include_usage: true });
          if (body.messages) assert.equal(body.tools[0].function.strict, undefined);
          else assert.equal(body.tools[0].strict, false);
        },
      ));
  }

  const toOpenAI: [string, string, string][] = [
    ["gpt-5", "developer", "max_completion_tokens"],
    ["gpt-4.1", "system", "max_tokens"],
  ];
  for (const [name, role, limit] of toOpenAI) {
    it(`Chat Completions at OpenAI itself: ${name} gets ${role} and ${limit}`, async () => {
      const body = await bodyOf({ "model.api": "chat", "model.name": name, "model.maxOutputTokens": 900 });
      assert.equal(body.messages[0].role, role);
      assert.equal(body[limit], 900);
      assert.equal(body.store, false);
    });
  }

  it("sends the key where there is one and no header where there is none", async () => {
    for (const api of ["chat", "responses"] as const) {
      await withModel({ api, script: () => ({ text: "Hi" }) }, async (connection, server) => {
        await step(connection);
        assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`);
      });
      await withModel({ api, key: undefined, script: () => ({ text: "Hi" }) }, async (connection, server) => {
        await step(connection);
        assert.equal(server.requests[0]?.headers.authorization, undefined);
      });
    }
  });
});

describe("models: what other servers refuse", () => {
  const messages = [
    { role: "user" as const, content: "Go" },
    {
      role: "assistant" as const,
      content: [
        { type: "reasoning" as const, text: "Let me think." },
        { type: "tool-call" as const, toolCallId: "c1", toolName: "Read", input: '{"file_path": "src/inv' },
      ],
    },
    {
      role: "tool" as const,
      content: [
        {
          ...{ type: "tool-result" as const, toolCallId: "c1", toolName: "Read" },
          output: { type: "text" as const, value: "broken" },
        },
      ],
    },
  ];

  const sentTo = async (baseUrl: string) =>
    (await bodyOf({ "model.baseUrl": baseUrl }, { ...ask(), messages })).messages[2];

  it("a call with broken JSON goes out as an object, so that chat templates can read it", async () => {
    const sent = await sentTo("http://localhost:8000/v1");
    assert.equal(sent.tool_calls[0].function.arguments, "{}");
  });

  it("reasoning goes back to those who need it and not to those who refuse it", async () => {
    assert.equal((await sentTo("https://api.deepseek.com/v1")).reasoning_content, "Let me think.");
    for (const host of ["api.groq.com/openai", "api.mistral.ai"]) {
      assert.equal("reasoning_content" in (await sentTo(`https://${host}/v1`)), false, host);
    }
  });
});

describe("models: check connection", () => {
  /** goes on by half a second with each look */
  let looks = 0;
  const clock = { steady: () => 500 * looks++ };

  for (const api of ["chat", "responses"] as const) {
    it(`says that it works (${api})`, () =>
      withModel({ api, script: () => ({ text: "OK" }) }, async connection => {
        const check = await checkConnection({ connect: async () => connection }, clock);
        assert.ok(check.ok);
        assert.match(
          check.message,
          /^Connected to offline-model at 127\.0\.0\.1:\d+: the answer began after 0\.5 s\.$/,
        );
      }));
  }

  it("tries tools too, and where they are refused, text", () =>
    withModel({ api: "chat", script: () => ({ fault: "refuse-tools" }) }, async connection => {
      const check = await checkConnection({ connect: async () => connection }, clock);
      assert.ok(check.ok && /the answer began.*takes no tools/.test(check.message));
      const strict = { ...connection };
      delete strict.withoutTools;
      const refused = await checkConnection({ connect: async () => strict }, clock);
      assert.ok(!refused.ok && refused.failure.code === "no-tools" && /takes no tools/.test(refused.failure.message));
    }));

  it("names what is wrong", async () => {
    const unset = await checkConnection(models({ "model.name": "" }), clock);
    assert.ok(!unset.ok && unset.failure.code === "no-model");
    const cut = await withModel({ api: "chat", script: () => ({ text: "", fault: "cut-clean" }) }, connection =>
      checkConnection({ connect: async () => connection }, clock),
    );
    assert.ok(!cut.ok && cut.failure.code === "cut");
    const silent = await withModel({ api: "chat", script: () => ({ fault: "hang" }) }, connection =>
      checkConnection({ connect: async () => ({ ...connection, timeoutMs: 100 }) }, clock),
    );
    assert.ok(!silent.ok && silent.failure.code === "timeout");
  });
});

describe("models: keys", () => {
  it("the variable of each provider's key is hidden from commands, in any case", () => {
    for (const name of providers.flatMap(({ keyVariables }) => keyVariables)) {
      assert.ok(isKeyVariable(name) && isKeyVariable(name.toLowerCase()), name);
    }
    assert.ok(!isKeyVariable("PATH"));
  });
});

describe("models: whose model it is", () => {
  const own = "https://api.openai.com/v1";
  const find = (settings: Partial<Settings>) => {
    const { provider, address } = findProvider(settingsSchema.parse(settings));
    return `${provider.name} ${address.baseUrl}`;
  };

  it("goes by the setting, then by the model's name where no address is set, then by the address", () => {
    assert.equal(find({ "model.name": "gpt-5" }), `openai ${own}`);
    assert.equal(find({ "model.name": "claude-opus-5-5" }), "anthropic https://api.anthropic.com/v1");
    assert.equal(find({ "model.name": "gemini-3-pro" }), "google https://generativelanguage.googleapis.com/v1beta");
    assert.equal(
      find({ "model.name": "us.anthropic.claude-opus-5-5-v1:0" }),
      "bedrock https://bedrock-runtime.us-east-1.amazonaws.com",
    );
    assert.equal(find({ "model.provider": "server", "model.name": "claude-opus-5-5" }), `openai ${own}`);
    assert.equal(
      find({ "model.name": "claude-opus-5-5", "model.baseUrl": "http://localhost:4000/v1" }),
      "openai-compatible http://localhost:4000/v1",
    );
    assert.equal(
      find({ "model.provider": "anthropic", "model.baseUrl": "https://gateway.example/anthropic/v1/" }),
      "anthropic https://gateway.example/anthropic/v1",
    );
    assert.equal(
      find({ "model.baseUrl": "https://bedrock-runtime.eu-west-3.amazonaws.com" }),
      "bedrock https://bedrock-runtime.eu-west-3.amazonaws.com",
    );
    assert.equal(find({ "model.baseUrl": "https://api.anthropic.com/v1" }), "anthropic https://api.anthropic.com/v1");
  });
});
