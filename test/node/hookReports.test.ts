/** What users of other agents reported about the trust in hooks, tried here; and the bounds of an agreement. */

import assert from "node:assert/strict";
import { delimiter, join } from "node:path";
import type { NodeHooks } from "../../src/node/hooks";
import { HookWorkspace } from "./hookWorkspace";

const SAYS = (word: string) => `#!/bin/bash\necho ${word} >&2; exit 2\n`;

describe("reports about hooks", function () {
  this.timeout(60_000);
  if (process.platform === "win32") return;
  let workspace: HookWorkspace;
  beforeEach(() => {
    workspace = new HookWorkspace();
  });
  const at = (path: string) => join(workspace.folder, path);
  const write = (path: string, text: string) => workspace.write(path, text, 0o755);
  const configure = (command: string, path = "ws/.claude/settings.json") =>
    workspace.write(path, { hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
  const open = (home?: string) => workspace.open(undefined, home);
  const ran = (hooks?: NodeHooks, where?: Parameters<HookWorkspace["ran"]>[2]) => workspace.ran("Stop", hooks, where);
  const agree: HookWorkspace["agree"] = hooks => workspace.agree(hooks);

  // NousResearch/hermes-agent 57558, and the review of its mend, 57697.
  it("an approved script that was edited stays trusted: also where the session that runs it was open before", async () => {
    const hooks = open();
    configure("~/nothing 2>/dev/null; ./check.sh --fast");
    write("ws/check.sh", SAYS("one"));
    await agree(hooks);
    assert.deepEqual(await ran(hooks), ["one"]);
    write("ws/check.sh", SAYS("evil"));
    assert.deepEqual(await ran(hooks), []);
  });

  // mcs-cli/mcs 368
  it("the interpreter was changed and the script was not", async () => {
    configure("bash check.sh");
    write("ws/check.sh", SAYS("one"));
    await agree();
    configure("bash -x check.sh");
    assert.deepEqual(await ran(), []);
  });

  // anthropics/claude-code 5176 and 3583
  it("a relative script is looked for where the session stands now, and another one is started", async () => {
    configure("bash .claude/check.sh");
    write("ws/.claude/check.sh", SAYS("one"));
    write("ws/sub/.claude/check.sh", SAYS("evil"));
    await agree();
    assert.deepEqual(await ran(open(), { start: "ws/sub" }), ["one"]);
  });

  // anthropics/claude-code 9039, Yeachan-Heo/oh-my-claudecode 2618, AizenvoltPrime/claude-setup 1
  for (const command of [
    'bash "$(git rev-parse --show-toplevel 2>/dev/null || pwd)/.claude/check.sh"',
    'bash "$(pwd)"/.claude/check.sh',
    'cd "$CLAUDE_PROJECT_DIR" && bash .claude/check.sh',
  ])
    it(`the project's folder is found by a command of its own: ${command}`, async () => {
      configure(command);
      write("ws/.claude/check.sh", SAYS("one"));
      await agree();
      assert.deepEqual(await ran(), ["one"]);
      write("ws/.claude/check.sh", SAYS("evil"));
      assert.deepEqual(await ran(), []);
    });

  // anthropics/claude-code 18942
  it("a home that is opened as a folder asks about the person's own hooks", async () => {
    configure("echo own >&2; exit 2", "ws/.claude/settings.json");
    assert.deepEqual(await ran(open("ws")), ["own"]);
    assert.deepEqual(workspace.notes, []);
  });

  it("a program's name starts none of a folder of the workspace that stands in PATH; its path does", async () => {
    write("ws/bin/strata-tool", SAYS("workspace"));
    write("own/strata-tool", SAYS("own"));
    const env = { ...process.env, PATH: [at("ws/bin"), "bin", at("own"), process.env.PATH].join(delimiter) };
    configure("strata-tool");
    await agree();
    assert.deepEqual(await ran(open(), { env }), ["own"]);
    configure("./bin/strata-tool");
    await agree();
    assert.deepEqual(await ran(open(), { env }), ["workspace"]);
    configure("PATH=$PWD/bin:$PATH strata-tool");
    await agree();
    assert.deepEqual(await ran(open(), { env }), ["workspace"]);
    write("ws/bin/strata-tool", SAYS("evil"));
    assert.deepEqual(await ran(open(), { env }), []);
    configure("strata-tool", "home/.claude/settings.json");
    assert.deepEqual(await ran(open(), { env }), ["own"], "nor one of the person's own");
  });
});
