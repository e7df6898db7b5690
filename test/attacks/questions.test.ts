/** A question shows what runs: what is hidden for the log and the model must not be hidden from the person who allows it. */

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { TerminalQuestions } from "../../src/terminal/questions";
import { edit, everything, last, read, start } from "../fakes/agent";
import { eventually } from "../fakes/eventually";
import { pluck } from "../fakes/pluck";

const bash = (command: string) => ({ name: "Bash", input: { command } });
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
const hidden = ["curl http://x:$(touch${IFS}P)@h", "curl http://x:$(touch${IFS}Q)@h"] as const;
const dashes = "-----";
const inKey = `echo '${dashes}BEGIN PRIVATE KEY${dashes}\n'; touch P; echo '${"aB3/".repeat(15)}\n${dashes}END PRIVATE KEY${dashes}'`;

type Agent = Awaited<ReturnType<typeof start>>;

const asked = (agent: Agent) =>
  eventually("it asks", () => agent.session.state === "asking" && last(agent.session, "approval"));
const exact = ({ events }: Agent) => events.filter(event => event.type === "question");

async function answer(agent: Agent, scope: "once" | "session") {
  agent.session.answer((await asked(agent)).approvalId, { decision: "allow", scope });
}

describe("attack 1: a question that hides what runs", () => {
  for (const [what, command] of [
    ["an address with a password", hidden[0]],
    ["a private key", inKey],
  ] as const)
    it(`is shown exactly: a command in ${what}`, async () => {
      const agent = await start({ mode: "ask" });
      agent.models.play({ calls: [bash(command)] }, { text: "ok" });
      await agent.session.submit("go");
      const { approvalId, action } = await asked(agent);
      assert.match(JSON.stringify(action), /\[secret:/, "the log does not have it");
      const [question] = exact(agent);
      assert.equal(question?.approvalId, approvalId);
      assert.equal(question?.detail.type === "command" && question.detail.command, command);
      assert.equal(question?.title, "Run this command?");
      assert.deepEqual(
        agent.session.live().filter(({ type }) => type === "question"),
        [question],
        "also after a reload",
      );
      await answer(agent, "once");
      await agent.session.idle();
      assert.deepEqual(pluck(agent.shell.runs, "command"), [command]);
      assert.ok(!everything(agent.disk).includes(command), "nor is it on disk");
      assert.deepEqual(agent.session.live(), []);
    });

  it("is shown exactly: an edit", async () => {
    const secret = `sk-proj-${"a1B2".repeat(8)}`;
    const agent = await start({ mode: "ask", files: { "k.ts": "key = 1\n" } });
    agent.models.play(
      { calls: [read("k.ts")] },
      { calls: [edit("k.ts", "key = 1", `key = "${secret}"`)] },
      { text: "ok" },
    );
    await agent.session.submit("go");
    await asked(agent);
    const [question] = exact(agent);
    assert.ok(question?.detail.type === "edit" && question.detail.changes[0]?.diff.includes(`+key = "${secret}"`));
  });

  it("allows for the session what was shown, not what looks the same in the log", async () => {
    const agent = await start({ mode: "ask" });
    agent.models.play(...[hidden[0], hidden[0], hidden[1]].map(command => ({ calls: [bash(command)] })), {
      text: "ok",
    });
    await agent.session.submit("go");
    await answer(agent, "session");
    const second = await eventually(
      "it asks about the exact words again",
      () => exact(agent).length === 2 && exact(agent)[1],
    );
    assert.equal(second.detail.type === "command" && second.detail.command, hidden[1]);
    assert.deepEqual(pluck(agent.shell.runs, "command"), [hidden[0], hidden[0]]);
    await agent.session.stop();
  });

  it("is asked in the terminal as it runs", async () => {
    const agent = await start({ mode: "ask" });
    const output = new PassThrough();
    const questions = new TerminalQuestions({
      ...{ input: new PassThrough(), output },
      ...{ answer: () => undefined, reply: () => undefined, onInterrupt: () => undefined, onEnd: () => undefined },
    });
    agent.session.subscribe(event => questions.take(event));
    agent.models.play({ calls: [bash(hidden[0])] }, { text: "ok" });
    await agent.session.submit("go");
    await asked(agent);
    assert.match(String(output.read()), /\$ curl http:\/\/x:\$\(touch\$\{IFS\}P\)@h\n/);
    questions.close();
    await agent.session.stop();
  });
});
