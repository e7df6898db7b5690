/** What is known of models: windows, prices, abilities, by where they run and what they are called. */

import assert from "node:assert/strict";
import { ModelCatalog } from "../../src/models/modelCatalog";
import { FakeClock } from "../fakes/clock";

const catalog = new ModelCatalog(new FakeClock());
const day = new Date("2026-11-24T12:00:00Z");
const at = (baseUrl: string, name: string, prices = {}, when = day) => catalog.find({ baseUrl, name }, prices, when);

const openai = "https://api.openai.com/v1";
const anthropic = "https://api.anthropic.com/v1";

describe("the catalogue of models", () => {
  it("knows what a model reads and costs, at its provider's own address", async () => {
    const { contextWindow, prices, capabilities } = await at(anthropic, "claude-opus-5-5");
    assert.equal(contextWindow, 1_000_000);
    assert.deepEqual(prices, { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 5, dearer: [] });
    assert.deepEqual(capabilities, { tools: true, images: true, reasoning: true });
  });

  it("knows Bedrock's and OpenRouter's names of them, whose prices are their own", async () => {
    const bedrock = await at("https://bedrock-runtime.eu-west-1.amazonaws.com", "us.anthropic.claude-sonnet-5-v1:0");
    assert.ok(bedrock.prices && bedrock.contextWindow === 1_000_000);
    const router = await at("https://openrouter.ai/api/v1", "anthropic/claude-sonnet-4.5");
    assert.equal(router.prices?.input, 3);
  });

  it("has what a long request costs as a price of its own", async () => {
    const { prices } = await at("https://generativelanguage.googleapis.com/v1beta", "models/gemini-2.5-pro");
    assert.deepEqual(prices?.dearer, [{ above: 200_000, input: 2.5, output: 15, cachedInput: 0.25 }]);
    assert.equal(prices?.input, 1.25);
  });

  it("heeds from when, and at which hours, a price holds", async () => {
    const flash = (iso: string) =>
      at("https://generativelanguage.googleapis.com/v1beta", "gemini-3.6-flash", {}, new Date(iso));
    assert.equal((await flash("2026-12-31T23:59:59Z")).prices?.input, 0.75);
    assert.equal((await flash("2027-01-01T00:00:00Z")).prices?.input, 1.5);
    const chat = (iso: string) => at("https://api.deepseek.com/v1", "deepseek-reasoner", {}, new Date(iso));
    const night = (await chat("2026-11-24T20:00:00Z")).prices?.input;
    const noon = (await chat("2026-11-24T12:00:00Z")).prices?.input;
    assert.ok(night !== undefined && noon !== undefined && night !== noon);
  });

  it("takes what a request may have as the window, where answers share the whole", async () => {
    assert.equal((await at(openai, "gpt-5")).contextWindow, 272_000);
    assert.equal((await at(openai, "gpt-4o")).contextWindow, 128_000);
  });

  it("says nothing of what it does not know: another's address has no prices, a new name has nothing", async () => {
    assert.equal((await at("https://gateway.example.com/v1", "gpt-5")).prices, undefined);
    assert.equal((await at("https://gateway.example.com/v1", "gpt-5")).contextWindow, 272_000);
    assert.deepEqual(await at(openai, "my-own"), { capabilities: {} });
  });

  it("a server of one's own costs nothing, and reads what it was started with", async () => {
    const local = await at("http://localhost:11434/v1", "gpt-oss:20b");
    assert.deepEqual([local.prices, local.contextWindow], [{ input: 0, output: 0, dearer: [] }, undefined]);
  });

  it("what a gateway in one's own network passes on to a maker is not free: nobody knows what it costs", async () => {
    for (const name of ["gpt-5", "anthropic/claude-opus-5-5", "gemini-3-pro", "o3-mini"])
      assert.equal((await at("http://gateway.lan:4000/v1", name)).prices, undefined, name);
    assert.equal((await at("http://gateway.lan:4000/v1", "qwen3-coder")).prices?.output, 0);
  });

  it("the person's own prices count more than what is known, also for a server of one's own", async () => {
    const prices = { "gpt-5": { input: 1, output: 2 }, "gpt-oss:20b": { input: 0.1, output: 0.2 } };
    assert.deepEqual((await at(openai, "gpt-5", prices)).prices, { input: 1, output: 2, dearer: [] });
    assert.equal((await at("http://localhost:11434/v1", "gpt-oss:20b", prices)).prices?.input, 0.1);
  });

  it("every pattern of the data can be used", async () => {
    for (const base of [openai, anthropic, "https://openrouter.ai/api/v1", "https://api.mistral.ai/v1"])
      assert.equal((await at(base, "nothing-is-called-so")).prices, undefined);
  });
});
