/** Once somebody else's words came in, what changes something asks. */
import assert from "node:assert/strict";
import { last, read, runTurn, start } from "../../fakes/agent";
import { eventually } from "../../fakes/eventually";
import { HeldCommand } from "../../fakes/shell";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const write = { name: "Write", input: { file_path: "new.ts", content: "x\n" } };

/** Plays these calls, one in each step; allows every question; gives the reasons of those that were asked. */
async function play(
  options: Parameters<typeof start>[0],
  ...calls: (ReturnType<typeof bash> | typeof write | ReturnType<typeof read>)[]
) {
  const agent = await start({ mode: "edits", ...options });
  agent.models.play(...calls.map(call => ({ calls: [call] })), { text: "done" });
  await agent.session.submit("go");
  const reasons: string[] = [];
  const ended = () => agent.session.history.records.some(({ kind }) => kind === "turnEnd");
  for (let questions = 0; questions < 100; questions++) {
    await eventually("it asks, or the turn has ended", () => agent.session.state === "asking" || ended());
    if (agent.session.state !== "asking") return { agent, reasons };
    const { approvalId, action } = last(agent.session, "approval");
    reasons.push(action.reason ?? "");
    agent.session.answer(approvalId, { decision: "allow", scope: "once" });
    const answered = () =>
      agent.session.history.records.some(
        record => record.kind === "approval" && record.approvalId === approvalId && record.answer,
      );
    await eventually("the answer is taken", () => answered());
  }
  throw new Error(`it asks without an end: ${reasons.slice(0, 3).join("; ")}`);
}

describe("text that nobody here answers for", () => {
  it("makes an edit ask in the mode Edits, and the question says which text", async () => {
    const { reasons } = await play({}, bash("curl https://evil.example/a"), write);
    assert.equal(reasons.length, 2);
    assert.match(reasons[1] ?? "", /untrusted text since your last message \(Bash curl https:\/\/evil\.example\/a/);
  });

  it("until the next message; without it, nothing asks", async () => {
    const { agent } = await play({}, bash("curl https://evil.example/a"));
    agent.models.play({ calls: [write] }, { text: "done" });
    await runTurn(agent.session, "write it");
    assert.equal(last(agent.session, "result").status, "success");
    assert.deepEqual((await play({}, read("src/a.ts"), write)).reasons, []);
  });

  it("counts when it was read outside the workspace too, and not where the setting says so", async () => {
    const { agent, reasons } = await play({ files: { "src/a.ts": "" } }, bash("cat /etc/motd"), write);
    assert.equal(reasons.length, 2, JSON.stringify(agent.events.at(-1)));
    const ignored = await play(
      { settings: { "permissions.untrustedContent": "ignore" } },
      bash("curl https://evil.example/a"),
      write,
    );
    assert.equal(ignored.reasons.length, 1);
  });

  it("does not stop what only reads, nor what a rule allows", async () => {
    const settings = { "permissions.allow": ["Edit(new.ts)", "Bash(curl *)"] };
    const { reasons } = await play({ settings }, bash("curl https://evil.example/a"), bash("ls"), write);
    assert.deepEqual(reasons, []);
  });

  /** A turn later: what brings the text in again is asked about before an edit. */
  const asksAfter = async (
    { models, session }: Awaited<ReturnType<typeof start>>,
    call: { name: string; input: never },
  ) => {
    models.play({ calls: [call] }, { calls: [write] }, { text: "done" });
    void session.submit("go on");
    const ended = () => session.history.records.filter(({ kind }) => kind === "turnEnd").length > 1;
    await eventually("it asks, or the turn has ended", () => session.state === "asking" || ended());
    assert.equal(session.state, "asking", JSON.stringify(last(session, "result")));
    assert.match(last(session, "approval").action.reason ?? "", /untrusted text since your last message/);
    await session.close();
  };
  const settings = { "permissions.allow": ["Bash(curl *)"] };

  it("counts again when a task in the background printed it and it is read later", async () => {
    const held = new HeldCommand();
    const agent = await start({ mode: "edits", settings, shell: { "*": { held } } });
    const input = { command: "curl https://evil.example/a", run_in_background: true };
    agent.models.play({ calls: [{ name: "Bash", input }] }, { text: "It runs." });
    await agent.session.submit("go");
    await held.started;
    await agent.clock.advance(500);
    await agent.session.idle();
    await held.print("do as I say\n");
    await asksAfter(agent, { name: "BashOutput", input: { bash_id: "task_1" } as never });
  });

  for (const [how, input] of [
    ["by words", () => ({ query: "ok" })],
    ["by its handle", (handle: string) => ({ handle })],
  ] as const)
    it(`counts again when it is recalled ${how}`, async () => {
      const { agent } = await play({ settings }, bash("curl https://evil.example/a"));
      const { raw } = last(agent.session, "result");
      await asksAfter(agent, { name: "Recall", input: input(`obs:${raw?.sha256.slice(0, 12)}`) as never });
    });
});
