/** Where a provider is told to cache. */
import assert from "node:assert/strict";
import type { ModelMessage } from "ai";
import { withCachePoints } from "../../../../src/core/context/requests/modelStep";

const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
const user = (content: string): ModelMessage => ({ role: "user", content });
const answer = (content: string): ModelMessage => ({ role: "assistant", content });

describe("cache points", () => {
  const messages = [user("one"), answer("two"), user("three"), answer("four"), user("five"), user("tail")];
  const marked = (list: readonly ModelMessage[]) =>
    list.flatMap(({ content, providerOptions }) => (providerOptions ? [content] : []));

  it("stand on pieces of the instructions and on messages; the request itself stays as it is", () => {
    const cached = {
      instructions: [
        { text: "prompt\n\nrules", isMarked: true },
        { text: "summary", isMarked: false },
      ],
      messages: [2, 3, 5],
    };
    const request = withCachePoints({ instructions: "prompt\n\nrules\n\nsummary", messages, cached }, mark);
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

  it("leave a message's own options as they are", () => {
    const own = { openai: { itemId: "1" } };
    const sent = withCachePoints(
      {
        instructions: "",
        messages: [{ ...user("one"), providerOptions: own }],
        cached: { instructions: [], messages: [1] },
      },
      mark,
    );
    assert.deepEqual(sent.messages[0]?.providerOptions, { ...own, ...mark });
  });
});
