/** Names that are nearly a tool's, and inputs that are encoded twice: read where there is one meaning. */
import assert from "node:assert/strict";
import { Answer, meantCall } from "../../../../src/core/context/requests/answer";

const string = { type: "string" };
const tools = [
  { name: "Read", inputSchema: { type: "object", properties: { file_path: string, offset: { type: "integer" } } } },
  { name: "LS", inputSchema: { type: "object", properties: { path: string } } },
  { name: "TodoWrite", inputSchema: { type: "object", properties: { todos: { type: "array" } } } },
  {
    name: "Bash",
    inputSchema: { type: "object", properties: { command: string, run_in_background: { type: "boolean" } } },
  },
  { name: "Edit", inputSchema: { type: "object", properties: { file_path: string, edits: { type: "array" } } } },
  { name: "BashOutput", inputSchema: { type: "object", properties: { bash_id: string, kill: { type: "boolean" } } } },
  { name: "files:read", inputSchema: { type: "object", properties: { input: string } } },
];

describe("names of tools that are nearly right", () => {
  for (const [written, meant] of [
    ["Read", "Read"],
    ["read", "Read"],
    ["functions.Read", "Read"],
    ["default_api.Read", "Read"],
    ["to=functions.Read", "Read"],
    ["functions.Read:0", "Read"],
    ["Read<|channel|>commentary", "Read"],
    ["<|constrain|>Read", "Read"],
    [" Read ", "Read"],
    ['"Read"', "Read"],
    ["Read()", "Read"],
    ["Read_tool", "Read"],
    ["read_file", "Read"],
    ["todo_write", "TodoWrite"],
    ["ls", "LS"],
    ["MultiEdit", "Edit"],
    ["KillBash", "BashOutput"],
    ["functions.kill_bash", "BashOutput"],
    ["files:read", "files:read"],
    ["files_read", "files:read"],
    ["Reed", "Reed"],
    ["reader", "reader"],
    ["", ""],
    ["functions.", "functions."],
  ] as const) {
    it(`${written} is ${meant}`, () => {
      assert.equal(meantCall(written, {}, tools).toolName, meant);
    });
  }

  it("says nothing where two could be meant", () => {
    const two = [{ name: "run-it" }, { name: "run_it" }];
    assert.equal(meantCall("runIt", {}, two).toolName, "runIt");
    assert.equal(meantCall("run_it", {}, two).toolName, "run_it");
  });
});

describe("tools that became a part of another", () => {
  const edits = [{ old_string: "a", new_string: "b" }];
  for (const [written, input, meant] of [
    ["MultiEdit", { file_path: "a.ts", edits }, { file_path: "a.ts", edits }],
    ["MultiEdit", { file_path: "a.ts", edits: JSON.stringify(edits) }, { file_path: "a.ts", edits }],
    ["KillBash", { shell_id: "task_1" }, { bash_id: "task_1", kill: true }],
    ["KillBash", { bash_id: "task_1" }, { bash_id: "task_1", kill: true }],
  ] as const)
    it(`${written} ${JSON.stringify(input)}`, () => {
      const { isWhole, input: said } = meantCall(written, input, tools);
      assert.ok(isWhole);
      assert.deepEqual(said, meant);
    });

  it("are themselves where a server has one of this name", () => {
    assert.equal(meantCall("MultiEdit", {}, [{ name: "Edit" }, { name: "MultiEdit" }]).toolName, "MultiEdit");
  });
});

describe("inputs that are encoded twice", () => {
  const input = { file_path: "a.ts" };
  const json = JSON.stringify(input);
  for (const [what, name, written, meant] of [
    ["an object", "Read", input, input],
    ["JSON in a text", "Read", json, input],
    ["a list of one", "Read", [input], input],
    ["a text that is empty", "LS", "", {}],
    ["below a word", "Read", { arguments: input }, input],
    ["an object before it", "Read", `{}${json}`, input],
    ["twice the same", "Read", `${json}${json}`, input],
    ["a mark behind it", "Read", `${json}</tool_call>`, input],
    ["in a code block", "Read", `\`\`\`json\n${json}\n\`\`\``, input],
    ["a list as a text", "TodoWrite", { todos: '[{"content":"a"}]' }, { todos: [{ content: "a" }] }],
    ["a number as a text", "Read", { ...input, offset: "10" }, { ...input, offset: 10 }],
    [
      "a truth value as a text",
      "Bash",
      { command: "ls", run_in_background: "true" },
      { command: "ls", run_in_background: true },
    ],
    ["a text that is JSON stays one", "Bash", { command: '{"a": 1}' }, { command: '{"a": 1}' }],
    ["a word that the tool knows stays", "files:read", { input: json }, { input: json }],
    ["a number that is none stays", "Read", { ...input, offset: "ten" }, { ...input, offset: "ten" }],
  ] as const) {
    it(what, () => {
      assert.deepEqual(meantCall(name, written, tools), { toolName: name, input: meant, isWhole: true });
    });
  }

  for (const [what, written] of [
    ["two that differ", '{"file_path":"a.ts"}{"file_path":"b.ts"}'],
    ["words", "a.ts"],
    ["the beginning of one", '{"file_path":"a.'],
    ["a list of two", [input, input]],
    ["a number", 7],
  ] as const) {
    it(`is none: ${what}`, () => {
      assert.deepEqual(meantCall("Read", written, tools), { toolName: "Read", input: written, isWhole: false });
    });
  }
});

describe("an answer", () => {
  it("has a call without its input where that is longer than any tool takes", () => {
    const answer = new Answer([{ name: "Read" }], () => undefined, { maxAnswerLength: Number.POSITIVE_INFINITY });
    for (const characters of [3_999_900, 4_000_000])
      answer.add({
        ...{ type: "tool-call", toolCallId: `c${characters}`, toolName: "Read" },
        input: JSON.stringify({ file_path: "x".repeat(characters) }),
      });
    const [fits, tooLong] = answer.parts().filter(part => part.type === "dynamic-tool");
    assert.deepEqual([fits?.errorText, Object.keys(fits?.input ?? {})], [undefined, ["file_path"]]);
    assert.deepEqual([tooLong?.errorText, tooLong?.input], ["its input is too long or nested too deeply.", {}]);
  });
});
