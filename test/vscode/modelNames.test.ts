/** The key goes nowhere by itself: not to an address that was just typed. */

import assert from "node:assert/strict";
import { ModelCatalog, tokensWritten } from "../../src/models/modelCatalog";
import { sensibleFirst } from "../../src/models/modelList";
import { ModelDirectory } from "../../src/models/offers";
import { findProvider } from "../../src/models/providers";
import { keyOwner } from "../../src/shared/modelProviders";
import { settingsSchema } from "../../src/shared/settings";
import { findLocalServers, keysFor, listModels } from "../../src/vscode/commands/modelPlaces";
import { FakeClock } from "../fakes/clock";
import { listening } from "../fakes/http";

interface Case {
  key?: string;
  /** the server lists without a key too */
  open?: boolean;
  /** what the person types, one after the other, when asked for a key; then they give up */
  typed?: string[];
  needsKey?: boolean;
}

const provider = (origin: string) => findProvider(settingsSchema.parse({ "model.baseUrl": `${origin}/v1` })).provider;

/** What the server saw, how the person was asked, and the names. */
async function run({ key, open = false, typed = [], needsKey = false }: Case) {
  const seen: (string | undefined)[] = [];
  const { url: origin, close } = await listening((request, response) => {
    const { authorization } = request.headers;
    seen.push(authorization);
    response.statusCode = open || authorization === "Bearer sk" ? 200 : 401;
    response.end(JSON.stringify({ data: [{ id: "b", max_model_len: 32_768 }, { id: "a" }] }));
  });
  const told: boolean[] = [];
  const found = await listModels({
    ...{ key, needsKey },
    askKey: async refused => {
      told.push(refused);
      return typed[told.length - 1];
    },
    list: sent => provider(origin).listModels(`${origin}/v1`, sent, new AbortController().signal),
  });
  await close();
  const names = found?.models?.map(({ id }) => id);
  return { seen, names, told, newKey: found?.newKey };
}

describe("models of a server", () => {
  const plain = { names: ["a", "b"], told: [], newKey: undefined };
  const check = (title: string, given: Case, expected: Partial<Awaited<ReturnType<typeof run>>>) =>
    it(title, async () => assert.deepEqual(await run(given), { ...plain, ...expected }));

  check("without a key it is asked without one", { open: true }, { seen: [undefined] });
  check("a key that may go there goes with the first request", { key: "sk" }, { seen: ["Bearer sk"] });
  check(
    "where it wants a key the person is asked for one, and again where it refuses that",
    { typed: ["wrong", "sk"] },
    { seen: [undefined, "Bearer wrong", "Bearer sk"], told: [false, true], newKey: "sk" },
  );
  check("who gives no key has changed nothing", {}, { seen: [undefined], told: [false], names: undefined });
  check(
    "a stored key that it refuses is asked for anew",
    { key: "old", typed: ["sk"] },
    { seen: ["Bearer old", "Bearer sk"], told: [true], newKey: "sk" },
  );
  check(
    "where nobody is served without a key it is asked for, though the list is open",
    { open: true, needsKey: true, typed: ["sk"] },
    { seen: ["Bearer sk"], told: [false], newKey: "sk" },
  );

  it("of the environment a key goes to no address but the provider's own and the one that is set", () => {
    const place = { provider: "openai" as const, host: "example.com:8000", variables: ["OPENAI_API_KEY"] };
    const variables = (isOwn: boolean, inUse: string) => keysFor(place, isOwn, inUse).variables;
    assert.deepEqual(variables(true, "https://api.openai.com/v1"), place.variables);
    assert.deepEqual(variables(false, " http://example.com:8000/v1/ "), place.variables);
    for (const other of ["https://api.openai.com/v1", "http://example.com/v1", "http://example.com.org:8000/v1", ""])
      assert.deepEqual(variables(false, other), [], other);
  });
});

describe("an address", () => {
  const at = (origin: string, path: string) =>
    provider(origin).listModels(`${origin}${path}`, undefined, AbortSignal.timeout(9_000));

  it("at which nobody answers is told from one that gives no list, and from one that sends on", async () => {
    const { url: origin, close } = await listening(({ url }, response) => {
      if (url?.startsWith("/moved")) response.writeHead(302, { location: "/v1/models" });
      response.end("no list");
    });
    assert.equal(await at(origin, "/v1"), "none");
    assert.equal(await at(origin, "/moved"), "none");
    await close();
    assert.equal(await at(origin, "/v1"), "dead");
    const nobody = async () => assert.fail("nobody is asked");
    const found = await listModels({ key: undefined, needsKey: false, askKey: nobody, list: async () => "dead" });
    assert.deepEqual(found, { models: undefined, isDead: true });
  });
});

describe("whose a key is", () => {
  const keys: [key: string, owner: ReturnType<typeof keyOwner>][] = [
    ["sk-ant-api03-abc", { provider: "anthropic" }],
    ["AIzaSyAbc", { provider: "google" }],
    ["sk-proj-abc", { provider: "openai" }],
    ["sk-or-v1-abc", { address: "https://openrouter.ai/api/v1" }],
    ["gsk_abc", { address: "https://api.groq.com/openai/v1" }],
    ["xai-abc", { address: "https://api.x.ai/v1" }],
    ["sk-abc", undefined],
    ["a-sk-ant-b", undefined],
    ["", undefined],
  ];
  for (const [key, owner] of keys) it(key || "nothing", () => assert.deepEqual(keyOwner(key), owner));
});

describe("the list of models", () => {
  it("has those first that an agent can work with", () => {
    const names = [
      "dall-e-3",
      "gpt-6-mini",
      "text-embedding-3-large",
      "qwen3-coder:30b",
      "whisper-1",
      "gpt-4o-realtime",
    ];
    const sorted = sensibleFirst(names.map(id => ({ id }))).map(({ id }) => id);
    assert.deepEqual(sorted.slice(0, 2), ["gpt-6-mini", "qwen3-coder:30b"]);
    assert.equal(sorted.length, names.length);
  });
});

describe("what a model reads", () => {
  it("is what is known of it, else what its server says; of a server of one's own nobody else knows it", async () => {
    const directory = new ModelDirectory({
      settings: { get: () => settingsSchema.parse({}) },
      clock: new FakeClock(),
      apiKey: async () => undefined,
    });
    const described = async (name: string, baseUrl: string, contextWindow?: number) => {
      const model = { name, title: name, baseUrl, ...(contextWindow && { contextWindow }) };
      const { reads, contextWindow: kept } = await directory.describe(model);
      return { reads, kept };
    };
    const own = "http://localhost:8000/v1";
    assert.deepEqual(await described("anything", own, 32_768), { reads: 32_768, kept: 32_768 });
    assert.deepEqual(await described("anything", own), { reads: undefined, kept: undefined });
    const tooSmall = await described("tiny", own, 2_048);
    assert.deepEqual(tooSmall, { reads: undefined, kept: undefined }, "the setting takes no less than 4000");
    // The catalogue is asked each time: nothing of it is kept as if the person had said it.
    const claude = await described("claude-opus-5-5", "https://api.anthropic.com/v1");
    assert.deepEqual(claude, { reads: 1_000_000, kept: undefined });
  });

  it("is known of the names of well-known families where the catalogue has none", async () => {
    const at = async (name: string, host = "api.example.com") =>
      (await new ModelCatalog(new FakeClock()).find({ name, baseUrl: `http://${host}` })).contextWindow;
    const names = ["gpt-4.1-mini", "anthropic/claude-sonnet-4", "gpt-4o", "my-own", "gpt-oss-120b"];
    const windows = await Promise.all(names.map(name => at(name)));
    assert.deepEqual(windows, [1_047_576, 200_000, 128_000, undefined, 131_072]);
    for (const host of ["localhost:11434", "192.168.1.7:11434"]) assert.equal(await at("gpt-oss:20b", host), undefined);
  });

  it("is read from a number as people write it", () => {
    const read = ["128k", " 32768 ", "1M", "200,000", "", "much", "12"].map(tokensWritten);
    assert.deepEqual(read, [128_000, 32_768, 1_000_000, 200_000, undefined, undefined, undefined]);
  });
});

describe("where a model runs", () => {
  it("servers on this machine are found where they list models, and are not waited for", async () => {
    const asked: string[] = [];
    const found = await findLocalServers(async (baseUrl, _, signal) => {
      asked.push(baseUrl);
      if (baseUrl.includes("1234"))
        return new Promise(resolve => signal.addEventListener("abort", () => resolve("none")));
      if (baseUrl.includes("8000")) return "none";
      return [{ id: "llama" }, { id: "qwen" }];
    });
    const said = found.map(({ title, models }) => `${title}: ${models}`);
    assert.deepEqual(said, ["Ollama: 2", "llama.cpp: 2"]);
    assert.equal(asked.length, 4);
  });
});
