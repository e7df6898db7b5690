import assert from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { definitionOf } from "../../../src/core/agent/requestBuilder";
import { createTools } from "../../../src/core/tools";
import { MemoryBlobs } from "../../fakes/blobs";
import { MemoryFiles } from "../../fakes/files";
import { MemorySearch } from "../../fakes/search";
import { ScriptedShell } from "../../fakes/shell";

const files = new MemoryFiles();
const tools = createTools({
  files,
  search: new MemorySearch(files),
  shell: new ScriptedShell({}),
  blobs: new MemoryBlobs().writer,
  cwd: { get: () => "/ws/app", set: () => undefined },
  bashTimeoutMs: () => 1000,
  log: { records: [], files: { getBlob: async () => undefined } },
});

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
        "MultiEdit edit",
        "Write edit",
        "Bash command",
        "TodoWrite session",
        "Recall session",
      ],
    );
  });

  it("have the parameters that models know", () => {
    const parameters = Object.fromEntries(
      tools.map(tool => [
        tool.name,
        Object.keys((definitionOf(tool).inputSchema as { properties: object }).properties).join(" "),
      ]),
    );
    assert.deepEqual(parameters, {
      Read: "file_path offset limit",
      LS: "path depth ignore",
      Glob: "pattern path",
      Grep: "pattern path glob type output_mode -A -B -C -i multiline head_limit",
      Edit: "file_path old_string new_string replace_all",
      MultiEdit: "file_path edits",
      Write: "file_path content",
      Bash: "command timeout description",
      TodoWrite: "todos",
      Recall: "handle lines query source",
    });
  });

  it("are defined in few words", () => {
    const tokens = encode(JSON.stringify(tools.map(definitionOf))).length;
    assert.ok(tokens <= 1_500, `${tokens} tokens; the aim is 1,500, the limit of TOOLS.md 2,000`);
  });
});
