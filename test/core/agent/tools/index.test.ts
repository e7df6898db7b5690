import assert from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { createTools } from "../../../../src/core/agent/tools";
import { toToolDefinition } from "../../../../src/core/context/requests/requestBuilder";
import { toolTraits } from "../../../../src/shared/toolTraits";
import { quietPorts } from "../../../fakes/call";
import { FakeCode } from "../../../fakes/code";
import { FakeDiagnostics } from "../../../fakes/diagnostics";
import { MemoryFiles } from "../../../fakes/files";
import { asItIs } from "../../../fakes/redact";
import { MemorySearch } from "../../../fakes/search";

const files = new MemoryFiles();
const tools = createTools({
  ...{ ...quietPorts(), files, search: new MemorySearch(files) },
  cwd: { get: () => "/ws/app", set: () => undefined },
  diagnostics: { source: new FakeDiagnostics(files, () => undefined), waitMs: () => 0 },
  code: new FakeCode(files),
});
const ofEditor = ["Code", "Refactor"];

describe("tools", () => {
  it("stand in a fixed order: it is part of the prefix", () => {
    assert.deepEqual(
      tools.map(tool => `${tool.name} ${tool.effect}`),
      [
        "Read read",
        "LS read",
        "Glob read",
        "Grep read",
        "Edit edit",
        "Write edit",
        "Bash command",
        "BashOutput session",
        "TodoWrite session",
        "Recall session",
        "Diagnostics read",
        "Code read",
        "Refactor edit",
        "AskUser session",
      ],
    );
  });

  it("are shown with an icon of their own and, as target, one of their parameters", () => {
    for (const tool of tools) {
      const { icon, target } = toolTraits(tool.name);
      assert.notEqual(icon, toolTraits("server:tool").icon);
      const { properties } = toToolDefinition(tool, asItIs).inputSchema as { properties: object };
      if (target) assert.ok(Object.hasOwn(properties, target.field), tool.name);
    }
  });

  it("are covered by the rules for files that their effect calls for", () => {
    for (const { name, effect } of tools) {
      const kind = { read: "read", edit: "edit" }[effect as string] ?? "none";
      const { rules } = toolTraits(name);
      assert.equal(
        { readFiles: "read", searchFiles: "read", editFiles: "edit" }[rules as string] ?? "none",
        kind,
        name,
      );
    }
  });

  it("have the parameters that models know", () => {
    const parameters = Object.fromEntries(
      tools.map(tool => [
        tool.name,
        Object.keys((toToolDefinition(tool, asItIs).inputSchema as { properties: object }).properties).join(" "),
      ]),
    );
    assert.deepEqual(parameters, {
      Read: "file_path offset limit",
      LS: "path depth ignore",
      Glob: "pattern path",
      Grep: "pattern path glob type output_mode -A -B -C -i multiline head_limit",
      Edit: "file_path old_string new_string replace_all edits",
      Write: "file_path content",
      Bash: "command timeout description run_in_background outside_sandbox",
      BashOutput: "bash_id kill",
      TodoWrite: "todos",
      Recall: "handle lines query source",
      Diagnostics: "file_path severity",
      Code: "action symbol file_path line",
      Refactor: "action symbol file_path line new_name title",
      AskUser: "questions",
    });
  });

  it("are defined in few words", () => {
    const tokensOf = (some: typeof tools) =>
      encode(JSON.stringify(some.map(tool => toToolDefinition(tool, asItIs)))).length;
    const others = tokensOf(tools.filter(({ name }) => !ofEditor.includes(name)));
    assert.ok(others <= 1_560, `${others} tokens; the limit is 1,560`);
    const editors = tokensOf(tools.filter(({ name }) => ofEditor.includes(name)));
    assert.ok(editors <= 350, `${editors} tokens for what only an editor has; the limit is 350`);
    assert.ok(tokensOf(tools) <= 1_900, `${tokensOf(tools)} tokens; the limit is 1,900`);
  });
});
