/** What turns are sent as by their age (docs/context.md), as the model is sent it. */

import assert from "node:assert/strict";
import type { Session } from "../../../src/core/agent/session/session";
import { verifySession } from "../../../src/core/proof/verify";
import { edit, last, read, runTurn, start } from "../../fakes/agent";
import { eventually } from "../../fakes/eventually";
import { hash } from "../../fakes/hash";
import { transcript } from "../../fakes/model";
import { pluck } from "../../fakes/pluck";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const lines = (many: number, mark = "line") =>
  Array.from({ length: many }, (_, at) => `${mark} ${at + 1} of it`).join("\n");

async function say(session: Session, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await runTurn(session, text);
  }
}

async function worked(memory: "lean" | "plain" = "lean") {
  const agent = await start({
    mode: "auto",
    settings: { "context.memory": memory },
    files: { "src/a.ts": lines(60), "src/b.ts": lines(90, "other") },
    shell: {
      "npm test": { output: [["stdout", lines(400, "test")]], exitCode: 1 },
      "*": { output: [["stdout", "ok\n"]] },
    },
  });
  agent.models.play(
    { text: "Looking.", calls: [read("src/a.ts"), read("src/b.ts")] },
    { calls: [edit("src/a.ts", "line 7 of it", "line seven"), bash("npm test")] },
    { text: "The first answer." },
    { text: "The second answer." },
    { text: "The third answer." },
  );
  return agent;
}

const sent = ({ models }: Awaited<ReturnType<typeof worked>>) => transcript(models.requests.at(-1) ?? assert.fail());

describe("a turn by its age", () => {
  it("is whole, then settled: what it changed stands whole, what it only read is a line; then brief", async () => {
    const agent = await worked();
    await say(agent.session, "Mend a.ts.");
    assert.ok(sent(agent).join("\n").includes("other 90 of it"));
    await say(agent.session, "And now?");
    const settled = sent(agent).join("\n");
    assert.ok(settled.includes("line 60 of it") && settled.includes("Looking."));
    assert.ok(!settled.includes("other 90 of it") && !settled.includes("test 200 of it"));
    await say(agent.session, "Third.");
    assert.deepEqual(sent(agent).slice(1), [
      "user: Mend a.ts.",
      "user: <system-reminder>\nDone (turn:1): changed src/a.ts (+1 −1); ran `npm test` exit 1; failed last: test 400 of it; read src/a.ts, src/b.ts.\n</system-reminder>",
      "assistant: The first answer.",
      "user: And now?",
      "assistant: The second answer.",
      "user: Third.",
    ]);
    const { defects, breaks } = await verifySession(agent.session.history.files, hash);
    assert.deepEqual([defects, breaks], [[], { fold: 1, "turn-end": 1 }]);
  });

  it("stays settled by plain memory, its reads with it", async () => {
    const agent = await worked("plain");
    await say(agent.session, "Mend a.ts.", "And now?", "Third.");
    const request = sent(agent).join("\n");
    assert.ok(
      request.includes("other 90 of it") && request.includes("Looking.") && !request.includes("test 200 of it"),
    );
    assert.deepEqual((await verifySession(agent.session.history.files, hash)).defects, []);
  });

  it("without a call stays as it is, and no record is written for it", async () => {
    const { session, models } = await start();
    models.play(...Array.from({ length: 5 }, (_, at) => ({ text: `Answer ${at + 1}.` })));
    await say(session, "1", "2", "3", "4", "5");
    assert.equal(session.history.records.filter(({ kind }) => kind === "fold").length, 0);
    assert.deepEqual((await verifySession(session.history.files, hash)).breaks, {});
  });

  it("keeps what a person answered in it, and says how it ended", async () => {
    const agent = await start({ mode: "ask", shell: { "*": { output: [["stdout", "ok\n"]] } } });
    const { session, models } = agent;
    models.play({ calls: [bash("rm -rf dist")] }, { text: "Then not." }, { text: "Two." }, { text: "Three." });
    const words = "Keep dist, it is signed by hand.";
    await session.submit("Clean up.");
    const { approvalId } = await eventually("it asks", () => last(session, "approval"));
    session.answer(approvalId, { decision: "deny", scope: "once", words });
    await session.idle();
    await say(session, "And?", "So?");
    assert.match(
      transcript(models.requests.at(-1) ?? assert.fail()).join("\n"),
      /ran `rm -rf dist` denied\.\nThe user, denying Bash: Keep dist, it is signed by hand\./,
    );
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("of a thousand turns each is made brief once", async () => {
    const { session, models } = await start({ mode: "auto", shell: { "*": { output: [["stdout", lines(80)]] } } });
    const turns = 120;
    models.play(
      ...Array.from({ length: turns }, (_, at) => [{ calls: [bash(`echo ${at}`)] }, { text: "Done." }]).flat(),
    );
    await say(session, ...Array.from({ length: turns }, (_, at) => `Turn ${at}`));
    const made = session.history.records.flatMap(record => (record.kind === "fold" ? (record.brief ?? []) : []));
    assert.deepEqual(
      pluck(made, "turn"),
      Array.from({ length: turns - 2 }, (_, at) => at + 1),
    );
    const { defects, breaks } = await verifySession(session.history.files, hash);
    assert.deepEqual([defects, Object.keys(breaks)], [[], ["turn-end"]]);
  });
});
