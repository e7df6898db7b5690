/** Names that say whose model it is, and which model is taken where none is named. */

import assert from "node:assert/strict";
import { NoModelError } from "../../src/core/ground/ports";
import { createModels } from "../../src/models";
import { withChoice } from "../../src/models/address";
import type { EditorChat } from "../../src/models/editorModel";
import { findOffers, ModelDirectory, modelFacts } from "../../src/models/offers";
import { type Settings, settingsSchema } from "../../src/shared/settings";
import { readModelName } from "../../src/shared/settingValues";
import { FakeClock } from "../fakes/clock";
import { fakeChat } from "../fakes/editorChat";
import { hash } from "../fakes/hash";
import { answerJson, listening } from "../fakes/http";

const set = (settings: Partial<Settings> = {}) => settingsSchema.parse(settings);
const place = ({ "model.provider": provider, "model.baseUrl": baseUrl, "model.name": name }: Settings) => ({
  ...{ provider, baseUrl, name },
});
const OPENAI = "https://api.openai.com/v1";
const GATEWAY = "https://gateway.example/v1";

describe("names of models", () => {
  it("say whose a model is, and only by the names of those that have models", () => {
    assert.deepEqual(readModelName("anthropic:claude-x"), { source: "anthropic", name: "claude-x" });
    assert.deepEqual(readModelName("ollama:qwen3:8b"), { source: "ollama", name: "qwen3:8b" });
    assert.equal(readModelName("qwen3:8b"), undefined);
    assert.equal(readModelName("anthropic.claude-x-v2:0"), undefined);
    assert.equal(readModelName("anthropic:"), undefined);
  });

  it("lead to that provider's own address, whatever server is set", () => {
    const gateway = set({ "model.baseUrl": GATEWAY, "model.name": "big" });
    const choose = (name: string, settings = gateway) => place(withChoice(settings, { name }));
    assert.deepEqual(choose("anthropic:claude-x"), { provider: "anthropic", baseUrl: OPENAI, name: "claude-x" });
    assert.deepEqual(choose("openai:gpt-5"), { provider: "server", baseUrl: OPENAI, name: "gpt-5" });
    assert.deepEqual(choose("server:small"), { provider: "server", baseUrl: GATEWAY, name: "small" });
    assert.deepEqual(choose("ollama:qwen3:8b"), {
      ...{ provider: "server", baseUrl: "http://localhost:11434/v1", name: "qwen3:8b" },
    });
    const own = set({ "model.provider": "anthropic", "model.baseUrl": GATEWAY });
    assert.deepEqual(choose("anthropic:claude-x", own), { provider: "anthropic", baseUrl: GATEWAY, name: "claude-x" });
  });

  it("with a slash are a gateway's where one is set, else the provider's", () => {
    const name = "anthropic/claude-x";
    assert.deepEqual(place(withChoice(set({ "model.name": name }))), {
      ...{ provider: "anthropic", baseUrl: OPENAI, name: "claude-x" },
    });
    assert.deepEqual(place(withChoice(set({ "model.name": name, "model.baseUrl": GATEWAY }))), {
      ...{ provider: "auto", baseUrl: GATEWAY, name },
    });
  });

  it("of another provider leave the window open that was set for this one", () => {
    const settings = set({ "model.name": "one", "model.contextWindow": 32_000 });
    assert.equal(withChoice(settings, { reasoning: "high" })["model.contextWindow"], 32_000);
    assert.equal(withChoice(settings, { name: "two" })["model.contextWindow"], 32_000);
    assert.equal(withChoice(settings, { name: "google:two" })["model.contextWindow"], 0);
    assert.equal(withChoice(settings, { name: "google:two", contextWindow: 8000 })["model.contextWindow"], 8000);
  });
});

/** A server with these models, which counts who asks. */
async function listing(ids: readonly string[]) {
  const keys: (string | undefined)[] = [];
  const { url, close } = await listening((request, response) => {
    keys.push(request.headers.authorization);
    answerJson(response, 200, { data: ids.map(id => ({ id })) });
  });
  return { baseUrl: `${url}/v1`, keys, close };
}

interface World {
  settings?: Partial<Settings>;
  chats?: readonly EditorChat[];
  keys?: Record<string, string>;
}

function models({ settings = {}, chats, keys = {} }: World) {
  return createModels({
    settings: { get: () => set(settings) },
    apiKey: async ({ provider }) => keys[provider],
    ...{ hash, clock: new FakeClock() },
    ...(chats && { editorModels: { list: async () => chats } }),
  });
}

const chat = fakeChat(() => []);

describe("a model that nobody named", () => {
  it("is the only one of a server that is set, before VS Code's", async () => {
    const server = await listing(["text-embedding-x", "only-one"]);
    try {
      const world = models({ settings: { "model.baseUrl": server.baseUrl }, chats: [chat] });
      const { name, address } = await world.connect();
      assert.deepEqual({ name, address }, { name: "only-one", address: server.baseUrl });
      const small = { "model.baseUrl": server.baseUrl, "model.contextWindow": 8_000 };
      assert.equal((await models({ settings: small }).connect()).contextWindow, 8_000, "the window that is set is its");
      server.keys.length = 1;
      await world.connect();
      assert.equal(server.keys.length, 1, "asked once");
    } finally {
      server.close();
    }
  });

  it("is VS Code's first where that server has several", async () => {
    const server = await listing(["one", "two"]);
    try {
      const settings = { "model.baseUrl": server.baseUrl };
      assert.equal((await models({ settings, chats: [chat] }).connect()).name, chat.name);
      await assert.rejects(
        models({ settings }).connect(),
        (error: Error) => error instanceof NoModelError && /has 2 models, and none is chosen/.test(error.message),
      );
    } finally {
      server.close();
    }
  });
});

describe("a key", () => {
  it("goes to its provider and to the server that is set, never to one that a name leads to", async () => {
    const asked: string[] = [];
    const models = createModels({
      settings: { get: () => set({ "model.baseUrl": GATEWAY, "model.name": "big", "model.fallback": ["ollama:x"] }) },
      apiKey: async ({ host, variables }) => {
        asked.push([host, ...variables].join(" "));
        return "key";
      },
      ...{ hash, clock: new FakeClock() },
    });
    for (const name of [undefined, "server:small", "anthropic:claude-x", "openai:gpt-5", "ollama:x", "lmstudio:x"])
      await models.connect(name === undefined ? undefined : { name });
    assert.deepEqual(asked, [
      "gateway.example OPENAI_API_KEY",
      "gateway.example OPENAI_API_KEY",
      "api.anthropic.com ANTHROPIC_API_KEY",
      "api.openai.com OPENAI_API_KEY",
      "localhost:11434",
      "localhost:1234",
    ]);
  });
});

describe("what can be asked", () => {
  const offered = async ({ settings = {}, chats, keys = {} }: World) => {
    const deps = {
      apiKey: async ({ provider }: { provider: string }) => keys[provider],
      editorModels: chats && { list: async () => chats },
    };
    return (await findOffers(set(settings), deps)).map(({ source }) => source);
  };

  it("is of those whose key is set, of VS Code, of this machine", async () => {
    assert.deepEqual(await offered({}), ["ollama", "lmstudio"]);
    assert.deepEqual(await offered({ chats: [chat], keys: { anthropic: "k" } }), [
      ...["anthropic", "vscode", "ollama", "lmstudio"],
    ]);
  });

  it("does not send the key of the server that is set to OpenAI", async () => {
    const keys = { openai: "same", "openai-compatible": "same", google: "other" };
    assert.deepEqual(await offered({ settings: { "model.baseUrl": GATEWAY }, keys }), [
      ...["server", "google", "ollama", "lmstudio"],
    ]);
  });

  it("is described by what its server and the catalogue say", async () => {
    const directory = new ModelDirectory({
      settings: { get: () => set() },
      apiKey: async () => undefined,
      clock: new FakeClock(),
    });
    const base = { name: "anthropic:claude-sonnet-4-5", title: "claude-sonnet-4-5" };
    const model = await directory.describe({ ...base, baseUrl: "https://api.anthropic.com/v1" });
    assert.match(modelFacts(model), /^(?:200k|1M) · \$3 \/ \$15 per M · tools, images, reasoning$/);
    const unknown = await directory.describe({ ...base, title: "x", name: "server:x", baseUrl: GATEWAY });
    assert.equal(modelFacts(unknown), "");
  });
});
