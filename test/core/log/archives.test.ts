/** What looks back finds archived records as it finds live ones. */

import assert from "node:assert/strict";
import { findResult, olderRecords } from "../../../src/core/log/findRecords";
import { resolveHandle } from "../../../src/core/log/handles";
import { searchLog } from "../../../src/core/log/searchLog";
import { type RecallInput, recallTool } from "../../../src/core/looking/recall";
import { MOVED } from "../../../src/core/tool/tool";
import { noSession } from "../../fakes/call";
import { hash } from "../../fakes/hash";
import { pluck } from "../../fakes/pluck";
import { handleFor, Recorded, turnOf } from "./recorded";

const long = "\ufefflong\r\nneedle in a blob\n".repeat(50);

/** Turns 1–2 in archive 1, 3–4 in archive 2, 5 live. */
async function session(): Promise<Recorded> {
  const recorded = await Recorded.start();
  await recorded.round("first words", ["one inline\nneedle inline", { blob: long }]);
  await recorded.round("second words", ['say "Straße" \\ C:\\new\tΟΔΟΣ\u001b[0m 中文 😀']);
  await recorded.compact([1, 2]);
  await recorded.round("third words", ["three\nneedle three"]);
  await recorded.round("fourth words", ["four"]);
  await recorded.compact([3, 4]);
  await recorded.round("fifth words", ["five needle"]);
  return recorded;
}

/** The archive with something done to it. */
const edit = (recorded: Recorded, name: string, change: (text: string) => string) =>
  recorded.put(name, change(recorded.text(name)));

describe("archived outputs", () => {
  const check = async (recorded: Recorded, text: string, digest: string) => {
    const found = await resolveHandle(recorded.history, handleFor(text));
    assert.deepEqual([found.text, found.digest], [text, digest]);
  };
  const checkAll = async (recorded: Recorded) => {
    await check(recorded, "one inline\nneedle inline", "Bash run 1.0");
    await check(recorded, long, "Bash run 1.1");
    await check(recorded, "three\nneedle three", "Bash run 3.0");
    await check(recorded, "five needle", "Bash run 5.0");
    await check(recorded, "Turns 1, 2 in short.", "Summary of turns 1–2");
  };

  it("are found behind a header of another version, and beside lines that are no records", async () => {
    for (const change of [
      (text: string) => text.replace("\n", '\n{"id":"x","seq":1,"ts":1,"kind":"of a later version"}\n'),
      (text: string) => text.replace(/^.*\n/, "{broken\n"),
      // Older versions named there each text that is in it.
      (text: string) =>
        text.replace("}\n", `,"index":{"texts":${JSON.stringify(Array(2_000).fill("obs:".repeat(9)))}}}\n`),
      (text: string) => `${text}{"id":"torn`,
    ]) {
      const recorded = await session();
      edit(recorded, "archive/0001.jsonl", change);
      await recorded.reopen();
      await checkAll(recorded);
    }
  });

  it("are found once where they stand in both logs, and in a summary that only an archive has", async () => {
    const recorded = await session();
    const second = recorded.history.records.findLast(record => record.kind === "compaction");
    assert.ok(second);
    await recorded.history.undoCompaction(second);
    await checkAll(recorded);
    assert.equal((await searchLog(recorded.history, "needle three")).hits.length, 1);
    await recorded.history.redoCompaction(second);
    await checkAll(recorded);
  });

  it("of an archive that is missing: the message names it and its turns", async () => {
    const recorded = await session();
    recorded.remove("archive/0001.jsonl");
    await recorded.reopen();
    await assert.rejects(
      resolveHandle(recorded.history, handleFor(long)),
      /has the handle obs:[0-9a-f]{12}\. archive\/0001\.jsonl of this session is missing or cannot be read: what went there cannot be found\./,
    );
    assert.equal((await resolveHandle(recorded.history, handleFor("four"))).text, "four");
    edit(recorded, "archive/0002.jsonl", text => text.replace('"version":1', '"version":9'));
    await recorded.reopen();
    await assert.rejects(resolveHandle(recorded.history, handleFor("four")), /archive\/0002\.jsonl .* \(turns 3–4\)/);
  });
});

describe("damaged outputs", () => {
  it("are not given for what was recorded, and are named", async () => {
    const recorded = await session();
    const blob = recorded.storage.disk.sessions.get("ses_1")?.blobs.get(hash.sha256(long));
    blob?.write("L", 3);
    edit(recorded, "archive/0002.jsonl", text => text.replace("three\\nneedle", "threE\\nneedle"));
    await recorded.reopen();
    const refuse = (text: string, words: RegExp) =>
      assert.rejects(resolveHandle(recorded.history, handleFor(text)), words);
    await refuse(long, /The output obs:[0-9a-f]{12} \(Bash run 1\.1, turn 1\) is damaged: its bytes are not those/);
    await refuse("three\nneedle three", /\(Bash run 3\.0, turn 3\) is damaged/);
    const { hits, missing } = await searchLog(recorded.history, "needle");
    assert.deepEqual(missing, [handleFor("three\nneedle three"), handleFor(long)]);
    assert.deepEqual(pluck(hits, "handle"), [handleFor("five needle"), handleFor("one inline\nneedle inline")]);
  });
});

describe("Recall", () => {
  const recall = async (recorded: Recorded, input: RecallInput) => {
    const call = noSession();
    const performed = await (await recallTool({ log: recorded.history }).prepare(input, call)).perform(call);
    assert.ok(performed !== MOVED);
    return performed.result;
  };

  it("answers over archives, and names those that it could not look at", async () => {
    const recorded = await session();
    assert.match((await recall(recorded, { handle: handleFor(long), lines: "2" })).text, /^needle in a blob\n\(obs:/);
    recorded.remove("archive/0001.jsonl");
    const found = await recall(recorded, { query: "needle" });
    assert.equal(found.status, "partial");
    assert.match(found.text, /\n\(archive\/0001\.jsonl .*: not all that went there can be searched\.\)$/);
    const runs = await recall(recorded, { source: "runs" });
    assert.equal(runs.status, "partial");
    assert.match(runs.text, /\n\(archive\/0001\.jsonl .*: turns that went there are not listed\.\)$/);
  });
});

describe("searching archives", () => {
  const found = async (recorded: Recorded, query: string, most?: number) => {
    const { hits, unread, more } = await searchLog(recorded.history, query, most);
    return { hits: hits.map(({ turn, source, line }) => `${turn} ${source} ${line ?? ""}`.trim()), unread, more };
  };

  it("finds the live ones first, then those of the newest archive", async () => {
    const recorded = await session();
    const all = ["5 Bash run 5.0 1", "3 Bash run 3.0 2", "1 Bash run 1.1 2", "1 Bash run 1.1 4", "1 Bash run 1.1 6"];
    const hits = [...all, "1 Bash run 1.0 2"];
    assert.deepEqual(await found(recorded, "NEEDLE"), { hits, unread: [], more: false });
    assert.deepEqual(await found(recorded, "needle", 2), { hits: all.slice(0, 2), unread: [], more: true });
    assert.deepEqual((await found(recorded, "words second")).hits, ["2 user"]);
    assert.deepEqual((await found(recorded, "run 1.1")).hits, ["1 Bash run 1.1"]);
    assert.deepEqual((await found(recorded, '"inline":false')).hits, [], "of the lines themselves");
  });

  it("finds what JSON writes otherwise, whatever the case", async () => {
    const recorded = await session();
    for (const query of ['"straße"', "\\", "c:\\NEW", "οδος", "ΟΔΟς", "\u001b[0M", "中文", "😀", '"STRASSE" x'])
      assert.equal((await found(recorded, query)).hits.length, query === '"STRASSE" x' ? 0 : 1, query);
  });

  it("names an archive with broken lines; the others count", async () => {
    const recorded = await session();
    edit(recorded, "archive/0001.jsonl", text => text.replace('{"id":"rec_3"', '{"id":rec_3"'));
    const { hits, unread } = await searchLog(recorded.history, "words");
    assert.deepEqual([hits.length, unread], [5, []]);
    const needle = await searchLog(recorded.history, "needle");
    assert.deepEqual([needle.hits.length, needle.unread], [6, []]);
    edit(recorded, "archive/0001.jsonl", text => text.replaceAll('"kind":"result"', '"kind":"result'));
    const rest = await searchLog(recorded.history, "inline");
    assert.deepEqual([rest.hits.length, rest.unread], [0, ["archive/0001.jsonl"]]);
  });

  it("stops when it is told to", async () => {
    const recorded = await session();
    const stop = AbortSignal.abort(new Error("stopped"));
    await assert.rejects(searchLog(recorded.history, "needle", 20, stop), /stopped/);
  });
});

describe("older records", () => {
  /** "3 3 4 …": turns of the records, "·" for those of none. */
  const turns = (records: readonly Parameters<typeof turnOf>[0][]) =>
    records.map(record => turnOf(record) ?? "·").join("");

  it("are one history of live and archived ones, page by page", async () => {
    const recorded = await session();
    const all = (await olderRecords(recorded.history, 1_000, 1_000)).records;
    assert.deepEqual(
      pluck(all, "seq"),
      all.map((_, at) => at + 1),
    );
    for (const count of [1, 2, 3, 7, 100]) {
      const pages: string[] = [];
      for (let before = 1_000; ; ) {
        const { records, hasOlder, missing } = await olderRecords(recorded.history, before, count);
        assert.deepEqual(missing, []);
        pages.unshift(turns(records));
        assert.equal(hasOlder, records[0]?.seq !== 1);
        if (!hasOlder) break;
        before = records[0]?.seq ?? 0;
      }
      assert.equal(pages.join(""), turns(all), `${count} at a time`);
    }
  });

  it("count once after an undo, and leave out what is missing", async () => {
    const recorded = await session();
    const second = recorded.history.records.findLast(record => record.kind === "compaction");
    assert.ok(second);
    await recorded.history.undoCompaction(second);
    const { records } = await olderRecords(recorded.history, 1_000, 1_000);
    assert.equal(new Set(records.map(({ id }) => id)).size, records.length);
    recorded.remove("archive/0001.jsonl");
    await recorded.reopen();
    const rest = await olderRecords(recorded.history, 1_000, 1_000);
    assert.deepEqual(rest.missing, ["archive/0001.jsonl"]);
    assert.doesNotMatch(turns(rest.records), /[12]/);
    assert.equal(rest.hasOlder, false);
  });

  it("have results by their call", async () => {
    const recorded = await session();
    assert.equal((await findResult(recorded.history, "call_1_1"))?.digest, "Bash run 1.1");
    assert.equal((await findResult(recorded.history, "call_5_0"))?.digest, "Bash run 5.0");
    assert.equal(await findResult(recorded.history, "call_9_0"), undefined);
  });
});
