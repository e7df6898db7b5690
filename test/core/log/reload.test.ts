/** The window that takes a session over reads it anew while people already work with it. */
import assert from "node:assert/strict";
import { decodeLog } from "../../../src/core/log/codec";
import { Recorded } from "./recorded";

const note = (text: string) => ({ kind: "note", level: "info", code: "test", text }) as const;
const notes = (recorded: Recorded) =>
  recorded.history.records.flatMap(record => (record.kind === "note" ? [record.text] : []));

describe("reading the log anew", () => {
  it("loses nothing that is appended meanwhile, and counts on", async () => {
    const recorded = await Recorded.start();
    await recorded.round("one");
    const { history } = recorded;
    const [, before, , after] = [
      history.reload(),
      history.append(note("a")),
      history.reload(),
      history.append(note("b")),
    ];
    await Promise.all([before, after]);
    assert.deepEqual(notes(recorded), ["a", "b"]);
    const numbers = decodeLog(recorded.text("history.jsonl")).records.map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => at + 1),
    );
  });

  it("counts on from what another window wrote", async () => {
    const recorded = await Recorded.start();
    await recorded.round("one");
    const [last = ""] = recorded.text("history.jsonl").split("\n").slice(-2, -1);
    const { seq } = JSON.parse(last);
    const theirs = { id: "rec_theirs", seq: seq + 1, ts: 1, ...note("theirs") };
    recorded.put("history.jsonl", `${recorded.text("history.jsonl")}${JSON.stringify(theirs)}\n`);
    const reload = recorded.history.reload();
    const mine = await recorded.history.append(note("mine"));
    await reload;
    assert.equal(mine.seq, seq + 2);
    assert.deepEqual(notes(recorded), ["theirs", "mine"]);
  });

  it("takes a number that nobody can count on from for damage", async () => {
    for (const line of [
      '{"id":"rec_x","seq":1e300,"ts":1,"kind":"of the future"}',
      `{"id":"rec_x","seq":${Number.MAX_SAFE_INTEGER},"ts":1,"kind":"title","title":"x"}`,
    ]) {
      const recorded = await Recorded.start();
      await recorded.round("one");
      recorded.put("history.jsonl", `${recorded.text("history.jsonl")}${line}\n`);
      const [repair] = await recorded.reopen();
      assert.match(repair ?? "", /moved to history\.broken\.jsonl/);
      await recorded.history.append(note("mine"));
      assert.deepEqual([await recorded.reopen(), notes(recorded)], [[], ["mine"]]);
    }
  });
});
