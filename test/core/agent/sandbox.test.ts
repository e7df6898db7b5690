/** What confines a command is part of what is asked about, allowed and run. */

import assert from "node:assert/strict";
import { runTool } from "../../../src/core/agent/runTool";
import type { SandboxPolicy } from "../../../src/core/ground/ports";
import { Conversation } from "../../../src/core/log/conversation";
import { withAnswer } from "../../../src/core/permissions/grants";
import type { ApprovalAction } from "../../../src/shared/approval";
import { noQuestions, quietRun } from "../../fakes/call";
import { pluck } from "../../fakes/pluck";
import { Harness } from "../looking/harness";

const closed: SandboxPolicy = { kind: "sandbox", network: [], access: "write" };
const open: SandboxPolicy = { kind: "sandbox", network: ["example.com"], access: "write" };
const forSession = { decision: "allow", scope: "session", by: "user" } as const;

it("a command is asked about anew where what confines it changed, whatever was granted, and runs as it was allowed", async () => {
  const harness = new Harness({}, { shell: { make: {} } });
  const conversation = new Conversation();
  const asked: ApprovalAction[] = [];
  const deps = {
    ...quietRun(() => ({ grants: conversation.grants })),
    ...{ conversation, tools: harness.tools, clock: harness.clock, files: harness.files, confinesAll: () => true },
    questions: {
      ...noQuestions,
      async approve({ action }: { action: ApprovalAction }) {
        asked.push(action);
        conversation.grants = withAnswer(conversation.grants, action, forSession);
        // While the first question stands.
        harness.sandbox = open;
        return { answer: forSession };
      },
    },
  };
  const call = {
    ...{ type: "dynamic-tool" as const, toolCallId: "c", toolName: "Bash", state: "input-available" as const },
    input: { command: "make" },
  };
  const run = async () => (await runTool(call, deps, new AbortController().signal)).result.status;
  assert.equal(await run(), "success");
  const sandboxes = asked.map(({ detail }) => detail.type === "command" && detail.sandbox);
  assert.deepEqual(sandboxes, [closed, open]);
  assert.notEqual(asked[0]?.binds, asked[1]?.binds);
  assert.deepEqual(pluck(harness.shell.runs, "sandbox"), [open], "nothing ran as it was asked about first");
  assert.equal(await run(), "success");
  assert.equal(asked.length, 2, "granted as it is confined now");
});
