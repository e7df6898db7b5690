/** The key goes nowhere by itself: not to an address that was just typed. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { knownWindow, tokensWritten } from "../../src/models/modelCatalog";
import { sensibleFirst } from "../../src/models/modelList";
import { ModelDirectory } from "../../src/models/offers";
import { findProvider } from "../../src/models/providers";
import { keyOwner } from "../../src/shared/modelProviders";
import { settingsSchema } from "../../src/shared/settings";
import { findLocalServers, listModels } from "../../src/vscode/commands/modelPlaces";

import { FakeClock } from "../fakes/clock";

interface Case {
  inUse?: string;
  key?: string;
  agrees?: boolean;
  /** the server lists without a key too */
  open?: boolean;
  /** a key that was pasted before */
  given?: string;
  /** what the person types, one after the other, when asked for a key; then they give up */
  typed?: string[];
  needsKey?: boolean;
}

const provider = (origin: string) => findProvider(settingsSchema.parse({ "model.baseUrl": `${origin}/v1` })).provider;

/** What the server saw, whether the person was asked, and the names. */
async function run({
  inUse = "https://api.openai.com/v1",
  key,
  agrees = false,
  open = false,
  typed = [],
  needsKey = false,
  given,
}: Case) {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    seen.push(authorization);
    response.statusCode = open || authorization === "Bearer sk" ? 200 : 401;
    response.end(JSON.stringify({ data: [{ id: "b", max_model_len: 32_768 }, { id: "a" }] }));
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let asked = false;
  const told: boolean[] = [];
  const found = await listModels({
    baseUrl: `${origin}/v1`,
    given,
    inUse: inUse === "same" ? ` ${origin}/v1/ ` : inUse,
    needsKey,
    key: async () => key,
    askKey: async refused => {
      told.push(refused);
      return typed[told.length - 1];
    },
    maySend: async () => {
      asked = true;
      return agrees;
    },
    list: sent => provider(origin).listModels(`${origin}/v1`, sent, new AbortController().signal),
  });
  await new Promise(resolve => server.close(resolve));
  const names = found?.models?.map(({ id }) => id);
  return { seen, asked, names, told, newKey: found?.newKey, gaveUp: found === undefined };
}

describe("models of a server", () => {
  const names = ["a", "b"];
  const plain = { asked: false, names, told: [], newKey: undefined, gaveUp: false };
  const check = (title: string, given: Case, expected: Partial<Awaited<ReturnType<typeof run>>>) =>
    it(title, async () => assert.deepEqual(await run(given), { ...plain, ...expected }));

  check("a server that lists them to anybody never gets the key", { key: "sk", open: true }, { seen: [undefined] });
  check(
    "one that wants a key gets it after a yes",
    { key: "sk", agrees: true },
    { seen: [undefined, "Bearer sk"], asked: true },
  );
  check("after a no it does not", { key: "sk" }, { seen: [undefined], asked: true, names: undefined });
  check(
    "without a key the person is asked for one before the names, and again where the server refuses it",
    { typed: ["wrong", "sk"] },
    { seen: [undefined, "Bearer wrong", "Bearer sk"], told: [false, true], newKey: "sk" },
  );
  check(
    "who gives no key has changed nothing",
    {},
    { seen: [undefined], told: [false], names: undefined, gaveUp: true },
  );
  check(
    "a stored key that the server refuses is asked for anew",
    { key: "old", inUse: "same", typed: ["sk"] },
    { seen: [undefined, "Bearer old", "Bearer sk"], told: [true], newKey: "sk" },
  );
  check(
    "where nobody is served without a key it is asked for, though the list is open",
    { open: true, needsKey: true, typed: ["sk"] },
    { seen: [undefined, "Bearer sk"], told: [false], newKey: "sk" },
  );
  check(
    "where requests go with the key already, nobody is asked",
    { key: "sk", inUse: "same" },
    { seen: [undefined, "Bearer sk"] },
  );
  check("a key that was pasted is sent alone", { given: "sk" }, { seen: ["Bearer sk"], newKey: "sk" });
  check(
    "one that the server refuses is asked for anew",
    { given: "old", typed: ["sk"] },
    { seen: ["Bearer old", "Bearer sk"], told: [true], newKey: "sk" },
  );
  check(
    "an address that is none is not the same",
    { key: "sk", inUse: "" },
    { seen: [undefined], asked: true, names: undefined },
  );
});

describe("an address", () => {
  const at = (port: number, path: string) =>
    provider(`http://127.0.0.1:${port}`).listModels(
      `http://127.0.0.1:${port}${path}`,
      undefined,
      AbortSignal.timeout(9_000),
    );

  it("at which nobody answers is told from one that gives no list, and from one that sends on", async () => {
    const server = createServer(({ url }, response) => {
      if (url?.startsWith("/moved")) response.writeHead(302, { location: "/v1/models" });
      response.end("no list");
    });
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    assert.equal(await at(port, "/v1"), "none");
    assert.equal(await at(port, "/moved"), "none");
    await new Promise(resolve => server.close(resolve));
    assert.equal(await at(port, "/v1"), "dead");
    const question = { baseUrl: `http://127.0.0.1:${port}/v1`, inUse: "", needsKey: false };
    const nobody = async () => assert.fail("nobody is asked");
    const list = async () => "dead" as const;
    const found = await listModels({ ...question, key: async () => undefined, maySend: nobody, askKey: nobody, list });
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

  it("is known of the names of well-known families where the catalogue has none", () => {
    const at = (id: string, host = "api.example.com") => knownWindow(id, host);
    assert.equal(at("gpt-4.1-mini"), 1_047_576);
    assert.equal(at("anthropic/claude-sonnet-4"), 200_000);
    assert.equal(at("gpt-4o"), 128_000);
    assert.equal(at("my-own"), undefined);
    assert.equal(at("gpt-oss:20b", "localhost:11434"), undefined);
    assert.equal(at("gpt-oss:20b", "192.168.1.7:11434"), undefined);
    assert.equal(at("gpt-oss-120b"), 131_072);
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
    assert.deepEqual(found, [
      { title: "Ollama", baseUrl: "http://localhost:11434/v1", models: 2 },
      { title: "llama.cpp", baseUrl: "http://localhost:8080/v1", models: 2 },
    ]);
    assert.equal(asked.length, 4);
  });
});
