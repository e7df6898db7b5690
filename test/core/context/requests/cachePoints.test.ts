/** Where a provider is told to cache. */
import assert from "node:assert/strict";
import type { ModelMessage } from "ai";
import { type ModelRequest, toModelCall } from "../../../../src/core/context/requests/modelStep";

const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
const user = (content: string): ModelMessage => ({ role: "user", content });
const answer = (text: string): ModelMessage => ({ role: "assistant", content: [{ type: "text", text }] });
const sent = (request: Omit<ModelRequest, "tools">) =>
  toModelCall({ ...request, tools: [] }, { cachePoint: mark, providerOptions: {} }).call.prompt;

describe("cache points", () => {
  const messages = [user("one"), answer("two"), user("three"), answer("four"), user("five"), user("tail")];

  it("stand on pieces of the instructions and on messages; the request itself stays as it is", () => {
    const cached = {
      instructions: [
        { text: "prompt\n\nrules", isMarked: true },
        { text: "summary", isMarked: false },
      ],
      messages: [2, 3, 5],
    };
    const prompt = sent({ instructions: "prompt\n\nrules\n\nsummary", messages, cached });
    assert.deepEqual(prompt.slice(0, 2), [
      { role: "system", content: "prompt\n\nrules", providerOptions: mark },
      { role: "system", content: "summary" },
    ]);
    assert.deepEqual(
      prompt.slice(2).flatMap(({ content, providerOptions }) => (providerOptions ? [content] : [])),
      ["two", "three", "five"].map(text => [{ type: "text", text }]),
    );
    assert.deepEqual(
      messages.flatMap(({ providerOptions }) => providerOptions ?? []),
      [],
    );
    assert.equal(prompt[5], messages[3], "what has no mark is the same object");
  });

  it("leave a message's own options as they are", () => {
    const own = { openai: { itemId: "1" } };
    const [, message] = sent({
      instructions: "",
      messages: [{ ...user("one"), providerOptions: own }],
      cached: { instructions: [{ text: "", isMarked: false }], messages: [1] },
    });
    assert.deepEqual(message?.providerOptions, { ...own, ...mark });
  });
});
