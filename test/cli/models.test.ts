/** `strata models`: what is printed of what can be asked. */
import assert from "node:assert/strict";
import { listModels } from "../../src/cli/models";
import { parseCommand } from "../../src/terminal/args";

const big = { reads: 200_000, prices: { input: 3, output: 15, dearer: [] }, tools: true };
const model = (name: string, facts = {}) => ({ name, title: name, ...facts });
const shelves: Parameters<typeof listModels>[1]["shelves"] = [
  { title: "Anthropic", models: [model("anthropic:claude-big", big), model("anthropic:claude-small")] },
  { title: "Google", why: "Google refuses the key" },
  { title: "Ollama", models: [model("ollama:qwen3:8b")] },
];

function print(...args: string[]) {
  const command = parseCommand(["models", ...args]);
  assert.ok(command.kind === "models");
  const out: string[] = [];
  const err: string[] = [];
  listModels(command, {
    ...{ shelves, favorites: ["ollama:qwen3:8b"] },
    inUse: { name: "claude-big", address: "https://api.anthropic.com/v1" },
    streams: { out: text => void out.push(text), err: text => void err.push(text) },
  });
  return { out: out.join(""), err: err.join("") };
}

describe("strata models", () => {
  it("lists what each provider has, says which answers nothing and which is in use", () => {
    const { out, err } = print();
    assert.equal(
      out,
      "  anthropic:claude-big    200k · $3 / $15 per M · tools\n  anthropic:claude-small\n★ ollama:qwen3:8b\n",
    );
    assert.equal(err, "Google: Google refuses the key.\nIn use: claude-big at https://api.anthropic.com/v1\n");
  });

  it("lists only those with the words that are given", () => {
    assert.equal(print("ANTHROPIC", "small").out, "  anthropic:claude-small\n");
    assert.match(print("nothing").err, /^.*No model has "nothing"\./s);
  });

  it("prints an object a line as JSON", () => {
    const lines = print("--json").out.trimEnd().split("\n");
    assert.deepEqual(JSON.parse(lines[0] ?? ""), {
      ...{ provider: "Anthropic", name: "anthropic:claude-big", contextWindow: 200_000, tools: true, favorite: false },
      prices: { input: 3, output: 15, dearer: [] },
    });
    assert.equal(lines.length, 3);
  });
});
