/** A turn's end held against its log, in whole sessions: sent on once, and what its end says. */
import assert from "node:assert/strict";
import { turnReport } from "../../../../src/core/log/turnReport";
import { verifySession } from "../../../../src/core/proof/verify";
import { recordText } from "../../../../src/terminal/eventPrinter";
import { edit, last, read, runTurn, start, type WorldOptions } from "../../../fakes/agent";
import { hash } from "../../../fakes/hash";
import { transcript } from "../../../fakes/model";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const change = edit("src/a.ts", "one", "two");
const said = { text: "Done. All tests pass." };
const stale = [[read("src/a.ts")], [bash("npm test")], [change]].map(calls => ({ calls }));

async function play(options: WorldOptions, text: string, ...answers: Parameters<Agent["models"]["play"]>) {
  const agent = await start({ mode: "auto", ...options });
  agent.models.play(...answers);
  await runTurn(agent.session, text);
  const { claims, wentOn, reason } = last(agent.session, "turnEnd");
  const { defects } = await verifySession(agent.session.history.files, hash);
  assert.deepEqual(defects, []);
  return { ...agent, claims, wentOn, reason, sent: agent.models.requests.map(each => transcript(each).join("\n")) };
}
type Agent = Awaited<ReturnType<typeof start>>;

describe("the end of a turn", () => {
  it("is put off once where the answer announces work", async () => {
    const announced = { text: "I see it. I'll now change `src/a.ts`." };
    const again = [{ calls: [change] }, { text: "Changed. Let me run the linter, too." }];
    const played = await play({}, "make it two", { calls: [read("src/a.ts")] }, announced, ...again);
    assert.equal(played.sent.length, 4, "a second announcement ends the turn");
    assert.match(played.sent[2] ?? "", /announced work that no call did: “I'll now change `src\/a.ts`”/);
    assert.deepEqual(played.wentOn, { why: "announced", words: "I'll now change `src/a.ts`" });
    assert.deepEqual([played.claims, played.reason], [undefined, "done"]);
  });

  it("tells the model of a stale run, and shows it where the model stays with what it said", async () => {
    const { session, sent, claims, wentOn } = await play({}, "make it two", ...stale, said, said);
    const { records } = session.history;
    const run = records.find(record => record.kind === "result" && record.toolName === "Bash");
    assert.ok(run?.kind === "result");
    assert.match(sent[4] ?? "", /files changed after the newest run/);
    assert.deepEqual(wentOn, { why: "said", words: "All tests pass" });
    assert.deepEqual(claims, [{ kind: "stale", words: "All tests pass", callId: run.callId, seq: run.seq }]);
    const told = /“All tests pass”[\s\S]*“All tests pass”: files changed after the last run/;
    assert.match(JSON.stringify(turnReport({ records, decisions: [] }, 1)), told);
    assert.match(recordText(last(session, "turnEnd")) ?? "", told);
    const rerun = await play({}, "make it two", ...stale, said, { calls: [bash("npm test")] }, said);
    assert.deepEqual([rerun.claims, rerun.wentOn?.why, rerun.reason], [undefined, "said", "done"]);
  });

  it("names a bound check that did not run after the last change, with the person's sentence", async () => {
    const bound = { file: "AGENTS.md", sentence: "Lint before you finish.", check: ["npm run lint"] };
    const settings = { "permissions.bindings": [bound] };
    const left = await play({ settings }, "make it two", ...stale, { text: "Done." }, { text: "Done." });
    assert.match(
      left.sent.at(-1) ?? "",
      /AGENTS\.md says: “Lint before you finish\.”\. So `npm run lint` has to end with/,
    );
    assert.deepEqual([left.claims?.[0]?.kind, left.wentOn], ["check", { why: "check", words: "npm run lint" }]);
    const lint = { calls: [bash("npm run lint -- --quiet")] };
    const { claims, wentOn } = await play({ settings }, "make it two", ...stale, lint, { text: "Done." });
    assert.deepEqual([claims, wentOn], [undefined, undefined]);
  });

  const announced = { text: "I'll now run the tests." };
  const denied = { "permissions.deny": ["Bash(rm *)"] };
  const honest: [why: string, options: WorldOptions, text: string, ...Parameters<Agent["models"]["play"]>][] = [
    ["the setting is off", { settings: { "agent.goOn": "off" } }, "fix it", announced],
    ["in plan mode", { mode: "plan" }, "fix it", announced],
    ["the next step would be one too many", { maxSteps: 1 }, "fix it", announced],
    ["the person asked for no more", {}, "fix it, but don't run anything", announced],
    ["a call was refused", { settings: denied }, "fix it", { calls: [bash("rm a")] }, announced],
    ["the model asks", {}, "fix it", { text: "Is that right? I'll now run the tests." }],
    ["the answer was cut", {}, "fix it", { ...announced, finish: "content-filter" }],
  ];
  for (const [why, options, text, ...answers] of honest)
    it(`is not put off where ${why}`, async () => {
      const { sent, wentOn, reason } = await play(options, text, ...answers);
      assert.deepEqual([sent.length, wentOn, reason], [answers.length, undefined, "done"]);
    });
});
