/** A request as the SDK takes it: names that every provider takes, which are the session's again in the answer, and where it is to be cached. */
import assert from "node:assert/strict";
import type { ModelMessage } from "ai";
import { type ModelRequest, toModelCall } from "../../../../src/core/context/requests/modelStep";
import { wireName } from "../../../../src/shared/toolTraits";

const tool = (name: string) => ({ name, description: "", inputSchema: {} });

describe("names of tools on the wire", () => {
  it("say server and tool where they can, and are unlike where names are unlike", () => {
    assert.equal(wireName("Read"), "Read");
    assert.equal(wireName("github:create_issue"), "mcp__github__create_issue");
    const names = [
      ...[
        "a:b__c",
        "a__b:c",
        "a_:b",
        "a:_b",
        "a:b:c",
        "a:b c",
        "a:b_c",
        "a:ä",
        "a:ö",
        `s:${"x".repeat(100)}`,
        `s:${"x".repeat(101)}`,
      ],
      ...["a:b", `a:b_${"0".repeat(16)}`, ":", "a:"],
    ];
    const wires = names.map(wireName);
    assert.equal(new Set(wires).size, names.length);
    for (const wire of wires) assert.match(wire, /^mcp__[a-zA-Z0-9_-]{1,59}$/);
  });

  it("stand in tools, and are the session's in the answer; answers of before stay the same object", () => {
    const { call, received } = toModelCall(
      { instructions: "", messages: [], tools: [tool("Read"), tool("a:b")] },
      { providerOptions: {} },
    );
    assert.deepEqual(
      call.tools?.map(({ name }) => name),
      ["Read", "mcp__a__b"],
    );
    const part = { type: "tool-call", toolCallId: "2", toolName: "mcp__a__b", input: "{}" } as const;
    assert.deepEqual(received(part), { ...part, toolName: "a:b" });
    const plain: ModelMessage = {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "1", toolName: "Read", input: {} }],
    };
    const { prompt } = toModelCall({ instructions: "", messages: [plain], tools: [] }, { providerOptions: {} }).call;
    assert.equal(prompt[1], plain);
  });
});

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
