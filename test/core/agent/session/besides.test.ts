/** Two sessions of one storage write the same files: who would take the other's unreviewed lines is asked, and told whose they are. */
import assert from "node:assert/strict";
import corpus from "../../../../bench/corpora/besides.json";
import { LINES, randomWork, TwoSessions, text } from "../../../../bench/lib/twoSessions";
import { cases } from "../../../fakes/soak";

const kept = LINES.with(1, "TWO");
const named = /of session “Fix login” \(“Fix login”, .*; this is session “Make it faster”/;
const told = {
  lines: /"Fix login", changed these lines/,
  beside: /"Fix login", also has changes/,
  "": /^(?!.*Fix login)/s,
};
const its = [["Read"], ["Edit", "TWO", "2"]];

describe("another session's unreviewed edit", () => {
  for (const { name, calls, asked, ...result } of corpus)
    it(`${asked ? "has to be asked about for" : "lets pass"} ${name}`, async () => {
      const { both, second } = await TwoSessions.begin();
      const found = await both.turn(second, "Make it faster", calls);
      assert.match(found.asked, asked ? named : /^$/);
      assert.match(found.told, told[result.told as keyof typeof told]);
    });

  it("is asked about once where the same call was allowed", async () => {
    const { both, second } = await TwoSessions.begin();
    const remove = ["Bash", "rm src/a.ts"];
    assert.equal((await both.turn(second, "Make it faster", [remove, remove])).asked.split("\n").length, 1);
  });

  for (const answers of ["now", "never"] as const)
    it(`stays where ${answers === "now" ? "the person says no" : "nobody is there"}: the refusal names the other`, async () => {
      const { both, second } = await TwoSessions.begin({ answers });
      const { told: refusal } = await both.turn(second, "Make it faster", its, "deny");
      assert.match(refusal, /^DENIED.*"Fix login", changed these/s);
      assert.equal(both.now, text(kept));
    });

  it("is named by a conflict, and after a command whose text did not tell what it changes", async () => {
    const { both, first, second, agent } = await TwoSessions.begin();
    await both.turn(second, "Look", [["Read"]]);
    await both.turn(first, "Once more", [["Edit", "TWO", "2 2"]]);
    const { told: conflict } = await both.turn(second, "Make it faster", [["Edit", "TWO", "2"]]);
    assert.match(conflict, /^CONFLICT.*"Fix login".*"Once more"/s);
    // A Write from a text of before is merged, or is a conflict: the other's line stays.
    const { told: merged } = await both.turn(second, "Write", [["Write", text(kept.with(7, "8"))]]);
    assert.match(merged, told.beside);
    assert.equal(both.now, text(LINES.with(1, "2 2").with(7, "8")));
    agent.shell.add("make", { does: () => agent.files.put("src/a.ts", text(LINES)) });
    assert.match((await both.turn(second, "Build", [["Read"], ["Bash", "make"]])).told, told.lines);
  });

  type Begun = Awaited<ReturnType<typeof TwoSessions.begin>>;
  const elsewhere: [name: string, change: (begun: Begun) => unknown, counts: boolean][] = [
    ["a crash left its session", ({ agent }) => agent.disk.crash(), true],
    [
      "its log ends in the middle",
      ({ agent: { disk }, first: { id } }) => disk.put(id, LOG, `${disk.text(id, LOG)}{"k`),
      true,
    ],
    ["its log makes no sense", ({ agent, first }) => agent.disk.put(first.id, LOG, "{"), false],
    ["it was reviewed", async ({ first }) => first.review.keep((await first.review.list())[0]!), false],
    ["its session had ended", ({ agent, first }) => first.close().then(() => agent.clock.advance(5)), false],
    ["it was deleted", ({ agent, first }) => first.close().then(() => agent.ports.storage.trash(first.id)), false],
    ["it is a week old", ({ agent }) => agent.clock.advance(8 * 86_400_000), false],
    ["its mark makes no sense", ({ agent: { disk } }) => disk.marks.set("torn", "fi").set(".x", "").set("", ""), true],
  ];
  const LOG = "history.jsonl";
  for (const [name, change, counts] of elsewhere)
    it(`${counts ? "counts" : "does not count"} where ${name}`, async () => {
      const { both, agent } = await TwoSessions.begin();
      await change({ both, agent, first: both.sessions[0]!, second: both.sessions[1]! });
      assert.match((await both.turn(await both.join(), "Make it faster", its)).asked, counts ? named : /^$/);
    });

  for (const hours of [0.9, 1.1])
    it(`is ${hours < 1 ? "told of, without a question," : "not told of"} ${hours} h after its session was closed`, async () => {
      const { both, agent, first } = await TwoSessions.begin();
      await first.close();
      agent.clock.advance(hours * 3_600_000);
      const { asked, told: said } = await both.turn(await both.join(), "Make it faster", its);
      assert.equal(asked, "");
      assert.equal(told.lines.test(said), hours < 1, said);
    });

  it("costs one look where a thousand sessions have edits of other files, and none where nothing is written", async () => {
    const { both, second, agent } = await TwoSessions.begin();
    const { unreviewed } = agent.ports.storage;
    for (let at = 0; at < 1000; at += 1) await unreviewed.put(`${at}`.padStart(16, "0").concat(`.ses_x${at}`), "");
    agent.disk.marks.delete([...agent.disk.marks.keys()][0]!);
    const { list } = unreviewed;
    let looks = 0;
    unreviewed.list = () => list().finally(() => looks++);
    unreviewed.open = () => assert.fail("a session was opened");
    await both.turn(second, "Look", [["Read"], ["Bash", "ls"]]);
    assert.equal(looks, 0);
    await both.turn(second, "Write", [["Edit", "TWO", "2"]]);
    assert.equal(looks, 1);
    unreviewed.read = () => assert.fail("a mark of a session that is gone was read");
    await both.turn(second, "Remove", [["Bash", "rm src/a.ts"]]);
    assert.deepEqual(
      [...agent.disk.marks.keys()].map(mark => mark.slice(17)),
      [second.history.files.id],
    );
  });

  it("is named before a rewind, and stays in it", async () => {
    const { both, first, second } = await TwoSessions.begin();
    await both.turn(second, "Make it faster", [["Read"], ["Edit", "five", "5"]]);
    await both.turn(first, "More", [["Read"], ["Edit", "eight", "8"]]);
    const { gaps } = await second.rewind.preview(1);
    assert.match(gaps.join(), /a\.ts also has changes of session “Fix login” \(“More”/);
    await second.rewind.rewind(1, "files");
    assert.equal(both.now, text(kept.with(7, "8")));
  });

  it("is never taken away unasked, and always named: random work of two sessions", async () => {
    const { lost, unnamed, met } = await randomWork(42, cases(500));
    assert.deepEqual({ lost, unnamed, hasMet: met > 10 }, { lost: 0, unnamed: 0, hasMet: true });
  });
});
