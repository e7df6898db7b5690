/** Finding words in all that people see of a session: in order, everywhere, and nothing of what they do not see. */

import assert from "node:assert/strict";
import { listPrompts } from "../../src/core/log/findRecords";
import type { FindHit, FindQuery } from "../../src/shared/findProtocol";
import { findInLog } from "../../src/vscode/panel/findInLog";
import { recordsBefore } from "../../src/vscode/panel/host/panelSnapshot";
import { Recorded } from "../core/log/recorded";
import { pluck } from "../fakes/pluck";

const found = ({ history }: Recorded, query: Partial<FindQuery>) =>
  findInLog(history, { text: "", matchCase: false, wholeWord: false, ...query }, new AbortController().signal);

const hitsOf = async (recorded: Recorded, query: Partial<FindQuery> | string): Promise<readonly FindHit[]> =>
  (await found(recorded, typeof query === "string" ? { text: query } : query)).hits;

const counts = (hits: readonly FindHit[]) => hits.map(({ count }) => count);

describe("finding in the log", () => {
  it("questions, answers, outputs shown whole and in blobs; in their order, each counted", async () => {
    const recorded = await Recorded.start();
    await recorded.round("Why a needle?", ["no", { blob: `${"x\n".repeat(60_000)}needle and Needle` }], "A needle.");
    await recorded.round("nothing", ["needle"], "Done.");
    const hits = await hitsOf(recorded, "needle");
    assert.deepEqual(counts(hits), [1, 2, 1, 1]);
    assert.deepEqual(
      hits.map(({ key }) => key.replace(/\d+$/, "")),
      ["msg_", "call_1_", "msg_", "call_2_"],
    );
    assert.ok(hits.every(({ seq }, at) => at === 0 || seq > (hits[at - 1]?.seq ?? 0)));
  });

  it("case, whole words, signs that mean something to expressions, and other scripts", async () => {
    const recorded = await Recorded.start();
    await recorded.round("cat Cat concat (a|b)* naïve 漢字かな 👩‍👩‍👧 e\u0301 שלום");
    const cases: [Partial<FindQuery>, number][] = [
      [{ text: "cat" }, 3],
      [{ text: "cat", matchCase: true }, 2],
      [{ text: "CAT", wholeWord: true }, 2],
      [{ text: "(a|b)*" }, 1],
      [{ text: "NAÏVE" }, 1],
      [{ text: "字か" }, 1],
      [{ text: "👩‍👧" }, 1],
      [{ text: "e\u0301" }, 1],
      [{ text: "שלום" }, 1],
      [{ text: "dog" }, 0],
      [{ text: "" }, 0],
    ];
    for (const [query, count] of cases)
      assert.equal(
        counts(await hitsOf(recorded, query)).reduce((sum, each) => sum + each, 0),
        count,
        JSON.stringify(query),
      );
  });

  it("archives too, also what JSON escapes; a missing one is said", async () => {
    const recorded = await Recorded.start();
    await recorded.round('say "needle" one', [{ blob: "needle in a blob" }]);
    await recorded.round("needle two");
    await recorded.compact([1, 2]);
    await recorded.round("needle three");
    assert.deepEqual(counts(await hitsOf(recorded, "needle")), [1, 1, 1, 1]);
    assert.deepEqual(counts(await hitsOf(recorded, '"needle" o')), [1]);
    recorded.remove("archive/0001.jsonl");
    await recorded.reopen();
    assert.deepEqual(counts(await hitsOf(recorded, "needle")), [1]);
    assert.deepEqual((await found(recorded, { text: "needle" })).missing, ["archive/0001.jsonl"]);
  });

  it("a secret is found by what stands in its place alone", async () => {
    const recorded = await Recorded.start();
    recorded.hides("s3cr3t-value");
    await recorded.round("the key is s3cr3t-value", ["s3cr3t-value"]);
    assert.deepEqual(await hitsOf(recorded, "s3cr3t"), []);
    assert.deepEqual(counts(await hitsOf(recorded, "[mark]")), [1, 1]);
  });

  it("one line of 5 MB is counted up to a limit", async () => {
    const recorded = await Recorded.start();
    await recorded.round("long", [], "ab".repeat(2_500_000));
    assert.deepEqual(counts(await hitsOf(recorded, "a")), [1_000]);
  });
});

describe("the way to what was found", () => {
  it("all records down to a number come at once, and a window before it", async () => {
    const recorded = await Recorded.start();
    for (let turn = 1; turn <= 300; turn += 1) await recorded.round(`question ${turn}`);
    await recorded.compact(Array.from({ length: 250 }, (_, at) => at + 1));
    const { records: live } = recorded.history;
    const [hit] = await hitsOf(recorded, { text: "question 90", wholeWord: true });
    const before = live.at(-1)?.seq ?? 0;
    const { records, hasOlder } = await recordsBefore(recorded.history, before, hit?.seq);
    const seqs = records.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      Array.from({ length: before - (seqs[0] ?? 0) }, (_, at) => (seqs[0] ?? 0) + at),
      "without a gap",
    );
    assert.ok((seqs[0] ?? 0) < (hit?.seq ?? 0) && hasOlder);
    const all = await recordsBefore(recorded.history, before, 1);
    assert.deepEqual([all.records[0]?.seq, all.hasOlder], [1, false]);
  });

  it("prompts are listed from the first, from archives too", async () => {
    const recorded = await Recorded.start();
    for (let turn = 1; turn <= 5; turn += 1) await recorded.round(`question ${turn}`);
    await recorded.compact([1, 2, 3]);
    const { prompts } = await listPrompts(recorded.history);
    assert.deepEqual(
      pluck(prompts, "text"),
      [1, 2, 3, 4, 5].map(turn => `question ${turn}`),
    );
  });
});
