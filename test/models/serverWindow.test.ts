/** How much a server of one's own was started for: asked of it, in the way in which each says it. */
import assert from "node:assert/strict";
import { DEFAULT_WINDOW as DEFAULT, type Settings } from "../../src/shared/settings";
import { startRawServer } from "../wire/rawServer";
import { models } from "./connect";

async function windowOf(about: Record<string, unknown>, settings: Partial<Settings> = {}, path = "/v1") {
  const server = await startRawServer(() => ({ body: [] }), about);
  try {
    const set = { "model.provider": "server", "model.baseUrl": server.url + path, "model.name": "qwen3:8b" } as const;
    const { learnWindow, contextWindow } = await models({ ...set, ...settings }).connect();
    return (await learnWindow?.()) ?? contextWindow;
  } finally {
    await server.close();
  }
}

const list = (...data: object[]) => ({ "/v1/models": { object: "list", data } });

describe("the window of a server of one's own", () => {
  for (const [what, about, wanted] of [
    ["vLLM", list({ id: "qwen3:8b", max_model_len: 40_960 }), 40_960],
    [
      "vLLM, one of several",
      list({ id: "other", max_model_len: 8192 }, { id: "qwen3:8b", max_model_len: 40_960 }),
      40_960,
    ],
    ["llama.cpp, its properties", { "/props": { default_generation_settings: { n_ctx: 16_384 } } }, 16_384],
    ["llama.cpp, its list", list({ id: "qwen3:8b", meta: { n_ctx: 16_384, n_ctx_train: 131_072 } }), 16_384],
    [
      "LM Studio",
      { "/api/v0/models": { data: [{ id: "qwen3:8b", max_context_length: 131_072, loaded_context_length: 8192 }] } },
      8192,
    ],
    [
      "LM Studio, new",
      {
        "/api/v1/models": {
          models: [{ key: "qwen3:8b", loaded_instances: [{ id: "qwen3:8b", config: { context_length: 8192 } }] }],
        },
      },
      8192,
    ],
    ["Ollama", { "/api/ps": { models: [{ name: "qwen3:8b", model: "qwen3:8b", context_length: 32_768 }] } }, 32_768],
    [
      "Ollama before others",
      {
        ...list({ id: "qwen3:8b", context_length: 262_144 }),
        "/api/ps": { models: [{ name: "qwen3:8b", context_length: 32_768 }] },
      },
      32_768,
    ],
    ["TGI", { "/info": { model_id: "x", max_total_tokens: 32_768 } }, 32_768],
    [
      "what could be loaded",
      { "/api/v0/models": { data: [{ id: "qwen3:8b", max_context_length: 131_072, state: "not-loaded" }] } },
      DEFAULT,
    ],
    ["another model that is loaded", { "/api/ps": { models: [{ name: "llama3:8b", context_length: 4096 }] } }, DEFAULT],
    ["null", { "/api/ps": null, "/props": null, "/v1/models": null }, DEFAULT],
    ["nonsense", { "/props": { n_ctx: "many" }, "/v1/models": { data: {} }, "/api/ps": { models: [null] } }, DEFAULT],
  ] as const) {
    it(`${what}: ${wanted}`, async () => {
      assert.equal(await windowOf(about), wanted);
    });
  }

  it("is asked where the interface is", async () => {
    const about = { "/api/v3/models": { data: [{ id: "qwen3:8b", max_model_len: 8192 }] } };
    assert.equal(await windowOf(about, {}, "/api/v3"), 8192);
  });

  it("counts less than what is set", async () => {
    assert.equal(await windowOf({ "/props": { n_ctx: 16_384 } }, { "model.contextWindow": 32_000 }), 32_000);
  });
});
