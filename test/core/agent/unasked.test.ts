/** Where a command runs that nobody was asked about and no rule allows, and what is asked about instead. */
import assert from "node:assert/strict";
import { runTool } from "../../../src/core/agent/runTool";
import type { SandboxPolicy, ShellRun } from "../../../src/core/ground/ports";
import { NO_SANDBOX } from "../../../src/core/ground/ports/shell";
import { Conversation } from "../../../src/core/log/conversation";
import type { PermissionMode } from "../../../src/shared/settingValues";
import { noQuestions, quietRun } from "../../fakes/call";
import { Harness } from "../looking/harness";

type Ran = Pick<ShellRun, "sandbox" | "onlyReads" | "disarmsGit">;
const confined = (access: "read" | "write"): SandboxPolicy => ({ kind: "sandbox", network: ["example.com"], access });
const reads: Ran = { sandbox: confined("read"), onlyReads: true, disarmsGit: [] };
const missing = { kind: "missing", why: "It needs bubblewrap." } as const;

async function run(mode: PermissionMode, command: string, isThere: boolean): Promise<Ran & { asked: boolean }> {
  const harness = new Harness({ app: { "a.ts": "a", "src/b.ts": "b" } }, { shell: { [command]: {} } });
  harness.sandbox = confined("write");
  if (!isThere) harness.sandboxState = missing;
  let asked = false;
  const deps = {
    ...quietRun(() => ({ mode })),
    ...{ conversation: new Conversation(), tools: harness.tools, clock: harness.clock, files: harness.files },
    questions: {
      ...noQuestions,
      async approve() {
        asked = true;
        return { answer: { decision: "allow", scope: "once", by: "user" } as const };
      },
    },
  };
  const call = {
    ...{ type: "dynamic-tool" as const, toolCallId: "c", toolName: "Bash", state: "input-available" as const },
    input: { command },
  };
  await runTool(call, deps, new AbortController().signal);
  const [{ sandbox, onlyReads, disarmsGit } = assert.fail("nothing ran")] = harness.shell.runs;
  return { asked, sandbox, ...(onlyReads && { onlyReads }), ...(disarmsGit && { disarmsGit }) };
}

describe("a command that nobody allowed", () => {
  const check = (mode: PermissionMode, command: string, isThere: boolean, expected: Ran | "asked") =>
    it(`${mode}, ${isThere ? "with" : "without"} a sandbox: ${command}`, async () => {
      const wanted = expected === "asked" ? { asked: true, sandbox: NO_SANDBOX } : { asked: false, ...expected };
      assert.deepEqual(await run(mode, command, isThere), wanted);
    });
  for (const mode of ["edits", "auto"] as const) {
    check(mode, "ls src", true, reads);
    check(mode, "cat *.ts | head -3", true, reads);
    check(mode, "cat *.ts | head -$n", true, mode === "edits" ? "asked" : { sandbox: confined("write") });
    check(mode, "git status", true, reads);
    check(mode, "ls src", false, { sandbox: NO_SANDBOX, onlyReads: true });
    check(mode, "cd src && git diff --stat b.ts", false, {
      ...{ sandbox: NO_SANDBOX, onlyReads: true, disarmsGit: ["/ws/app/src"] },
    });
    check(mode, "git status", false, { sandbox: NO_SANDBOX, onlyReads: true, disarmsGit: ["/ws/app"] });
    check(mode, "git log -C -3", false, { sandbox: NO_SANDBOX, onlyReads: true, disarmsGit: ["/ws/app"] });
    check(mode, "git --no-pager -C src log -3", false, {
      ...{ sandbox: NO_SANDBOX, onlyReads: true, disarmsGit: ["/ws/app", "/ws/app/src"] },
    });
    check(mode, "cat *.ts", false, "asked");
    check(mode, "npm test", false, "asked");
  }
  check("edits", "npm test", true, "asked");
  check("auto", "npm test", true, { sandbox: confined("write") });
  check("auto", "ls src > list", true, { sandbox: confined("write") });
  check("ask", "ls src", true, "asked");
  check("ask", "ls src", false, "asked");
});
