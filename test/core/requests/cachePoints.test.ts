/** Where a provider is told to cache. */
import assert from "node:assert/strict";
import type { ModelMessage } from "ai";
import { withCachePoints } from "../../../src/core/requests/cachePoints";

const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
const user = (content: string): ModelMessage => ({ role: "user", content });
const answer = (content: string): ModelMessage => ({ role: "assistant", content });

describe("cache points", () => {
  const messages = [user("one"), answer("two"), user("three"), answer("four"), user("five"), user("tail")];
  const marked = (list: readonly ModelMessage[]) =>
    list.flatMap(({ content, providerOptions }) => (providerOptions ? [content] : []));

  it("stand after the rules, the history, the step before and this step; the tail and summaries have none", () => {
    const instructions = "prompt\n\nrules\n\nsummary";
    const stable = { rules: "prompt\n\nrules".length, history: 2, conversation: 5 };
    const request = withCachePoints({ instructions, messages, stable }, mark);
    assert.deepEqual(request.instructions, [
      { role: "system", content: "prompt\n\nrules", providerOptions: mark },
      { role: "system", content: "summary" },
    ]);
    assert.deepEqual(marked(request.messages), ["two", "three", "five"]);
    assert.deepEqual(
      messages.flatMap(({ providerOptions }) => providerOptions ?? []),
      [],
    );
  });

  it("are fewer where places meet, and never more than four", () => {
    for (let conversation = 0; conversation <= messages.length; conversation++)
      for (let history = 0; history <= conversation; history++) {
        const stable = { rules: 1, history, conversation };
        const request = withCachePoints({ instructions: "rules", messages, stable }, mark);
        const after = marked(request.messages);
        assert.ok(after.length <= 3);
        assert.equal(after.includes("tail"), conversation === messages.length);
      }
  });

  it("leave a message's own options as they are", () => {
    const own = { openai: { itemId: "1" } };
    const stable = { rules: 0, history: 0, conversation: 1 };
    const sent = withCachePoints(
      { instructions: "", messages: [{ ...user("one"), providerOptions: own }], stable },
      mark,
    );
    assert.deepEqual(sent.messages[0]?.providerOptions, { ...own, ...mark });
  });
});
