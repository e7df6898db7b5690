/** `strata.bash.sandbox: required`: every command of a session runs in it, whoever allowed it, and none where it is not. */
import assert from "node:assert/strict";
import { createSession } from "../../../../src/core/agent/session/openSession";
import { last, runTurn, world } from "../../../fakes/agent";

async function ran(mode: "ask" | "auto", sandbox: "auto" | "required", isThere = true, command = "make") {
  const agent = world({ mode, settings: { "bash.sandbox": sandbox, "bash.network": ["example.com"] } });
  const state = async () =>
    isThere
      ? ({ kind: "ready", name: "fake" } as const)
      : ({ kind: "missing", why: "It needs bubblewrap.", command: "sudo apt install bubblewrap" } as const);
  const session = await createSession({ ...agent.ports, sandbox: { state } });
  agent.models.play({ calls: [{ name: "Bash", input: { command } }] }, { text: "ok" });
  if (command !== "make") {
    const files = ["data", "other"].map(path => `${agent.ports.files.roots[0]?.path}/${path}`);
    const facts = { files, removes: files, acts: [], hosts: [], reads: [] };
    const denial = { callId: "c0", toolName: "Bash", title: "it", by: "user" as const, facts };
    await session.history.append({ kind: "denial", op: "made", denial });
  }
  session.subscribe(event => {
    if (event.type !== "record" || event.record.kind !== "approval" || event.record.answer) return;
    const { approvalId } = event.record;
    queueMicrotask(() => session.answer(approvalId, { decision: "allow", scope: "once" }));
  });
  await runTurn(session, "go");
  return { policies: agent.shell.runs.map(run => run.sandbox), session };
}

const confined = { kind: "sandbox", network: ["example.com"], access: "write" };

describe("strata.bash.sandbox: required", () => {
  it("confines what a person allowed and what nobody was asked about", async () => {
    const { policies, session } = await ran("ask", "required");
    assert.deepEqual(policies, [confined]);
    const { detail } = last(session, "approval").action;
    assert.deepEqual(detail.type === "command" && detail.sandbox, confined, "the question says it");
    assert.match(last(session, "result").digest, /in the sandbox/);
    assert.deepEqual((await ran("auto", "required")).policies, [confined]);
  });

  it("keeps what was denied, but not from a command that a person allowed to change it", async () => {
    const { policies, session } = await ran("ask", "required", true, "rm data/a.csv");
    assert.deepEqual(
      [policies.length, policies[0]?.kind === "sandbox" && policies[0].keeps?.map(path => path.slice(-5))],
      [1, ["other"]],
    );
    assert.equal(session.history.conversation.denials.length, 1);
  });

  it("runs nothing where there is no sandbox, without asking, and says what gets it", async () => {
    const { policies, session } = await ran("ask", "required", false);
    assert.deepEqual(policies, []);
    assert.equal(last(session, "approval"), undefined);
    assert.match(last(session, "result").error?.message ?? "", /sudo apt install bubblewrap/);
  });

  it("is not what `auto` does with a command that was allowed", async () => {
    assert.deepEqual((await ran("ask", "auto")).policies, [{ kind: "none" }]);
  });
});
