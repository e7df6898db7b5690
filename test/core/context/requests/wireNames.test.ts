/** Names on the wire: every provider takes them, no two are alike, and the answer's are the session's again. */
import assert from "node:assert/strict";
import type { ModelMessage } from "ai";
import { toModelCall } from "../../../../src/core/context/requests/modelStep";
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

  it("stand in tools, calls and results alike; other messages stay the same object", () => {
    const messages: ModelMessage[] = [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "a:b" },
          { type: "tool-call", toolCallId: "1", toolName: "a:b", input: {} },
        ],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "1", toolName: "gone:x", output: { type: "text", value: "" } }],
      },
    ];
    const { call, received } = toModelCall(
      { instructions: "", messages, tools: [tool("Read"), tool("a:b")] },
      { providerOptions: {} },
    );
    assert.deepEqual(
      call.tools?.map(({ name }) => name),
      ["Read", "mcp__a__b"],
    );
    assert.match(JSON.stringify(call.prompt), /"text":"a:b".*"toolName":"mcp__a__b".*"toolName":"mcp__gone__x"/);
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
