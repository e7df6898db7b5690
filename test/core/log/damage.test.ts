/** Logs that were cut, damaged, or written by others: what can be read is there, and nothing goes without a word. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { History } from "../../../src/core/log/history";
import { readWholeLog } from "../../../src/core/log/readLog";
import type { LogRecord } from "../../../src/shared/records";
import { pluck } from "../../fakes/pluck";
import { cases } from "../../fakes/soak";
import { MemoryStorage } from "../../fakes/storage";
import { Chronicle, historyDeps } from "./chronicle";
import { chronicles } from "./chronicles";

const RUNS = { numRuns: cases(1_000) };

/** A session that somebody wrote and closed, on a disk to damage. */
async function written(deeds: Parameters<Chronicle["live"]>[0]) {
  const storage = new MemoryStorage();
  const { history } = await Chronicle.start(await storage.create("ses_1")).live(deeds);
  const whole = await readWholeLog(history.files);
  await history.files.close();
  const { disk } = storage;
  return {
    records: [...history.records],
    archives: history.archives.length,
    /** with those in archives */
    whole: whole.records,
    text: () => disk.text("ses_1", "history.jsonl") ?? "",
    broken: () => disk.text("ses_1", "history.broken.jsonl"),
    put: (text: string) => disk.put("ses_1", "history.jsonl", text),
    putBytes: (data: Buffer) => disk.sessions.get("ses_1")?.files.set("history.jsonl", data),
    open: async () => History.open(await storage.open("ses_1"), historyDeps("q")),
  };
}
type Written = Awaited<ReturnType<typeof written>>;

/** It opens once with repairs and then without, has these records, and goes on. */
async function opensWith({ open, text }: Written, records: readonly LogRecord[], codes: readonly string[]) {
  const { history, repairs } = await open();
  assert.deepEqual(history.records, records);
  assert.deepEqual(pluck(repairs, "code"), codes);
  await history.append({ kind: "note", level: "info", code: "c", text: "on it goes" });
  await history.files.close();
  const again = await open();
  assert.deepEqual(again.repairs, []);
  assert.deepEqual(again.history.records, history.records);
  assert.deepEqual(again.history.conversation, history.conversation);
  assert.ok(text().endsWith("\n"));
  return history;
}

describe("a damaged log", function () {
  this.timeout(180_000);

  it("that is cut anywhere loses what stood behind the cut, and of what stands nothing but a line that is not whole", () =>
    fc.assert(
      fc.asyncProperty(chronicles, fc.nat(), async (deeds, at) => {
        const session = await written(deeds);
        const bytes = Buffer.from(session.text());
        const left = bytes.subarray(0, at % (bytes.length + 1));
        session.putBytes(left);
        const lines = left.toString("latin1").split("\n").length - 1;
        const torn = left.length > 0 && left.at(-1) !== 10;
        // Nothing names the archives any more.
        const orphans = Array(lines === 0 ? session.archives : 0).fill("archive-orphan");
        const codes = [...(torn ? ["log-torn"] : []), ...orphans];
        await opensWith(session, session.records.slice(0, Math.max(0, lines - 1)), codes);
      }),
      RUNS,
    ));

  it("loses the last record at most where its write was cut, or came as zeros", () =>
    fc.assert(
      fc.asyncProperty(chronicles, fc.nat(), fc.boolean(), async (deeds, pick, zeros) => {
        const session = await written(deeds);
        const before = Buffer.from(session.text());
        const { history } = await session.open();
        await history.append({ kind: "note", level: "info", code: "c", text: "漢字 was written last" });
        await history.files.close();
        const line = Buffer.from(session.text()).subarray(before.length);
        const came = line.subarray(0, pick % line.length);
        session.putBytes(Buffer.concat([before, came, Buffer.alloc(zeros ? line.length - came.length : 0)]));
        const isWhole = came.length === 0 && !zeros;
        const after = await opensWith(session, session.records, isWhole ? [] : ["log-torn"]);
        assert.deepEqual((await readWholeLog(after.files)).records.slice(0, -1), session.whole);
      }),
      RUNS,
    ));

  it("sets lines that are no records aside, as they stand, and has all others; also across compactions", () =>
    fc.assert(
      fc.asyncProperty(chronicles, fc.nat(), fc.nat(), fc.boolean(), async (deeds, pick, at, early) => {
        const session = await written(deeds);
        const lines = session.text().split("\n");
        const line = 1 + (pick % (lines.length - 2));
        const bytes = Buffer.from(lines[line] ?? "");
        // no text is valid JSON with it, and none is without the first one
        bytes[at % bytes.length] = 0x01;
        const broken = bytes.toString("utf8");
        const damaged = lines.with(line, broken).join("\n");
        const rest = session.records.filter((_, index) => index !== line - 1);
        session.put(damaged);
        if (!early) {
          await opensWith(session, rest, ["log-broken"]);
          assert.equal(session.broken(), `${broken}\n`);
          return;
        }
        // damaged while a window has it open: nothing that this one does takes the line away
        session.put(lines.join("\n"));
        const { history } = await session.open();
        session.put(damaged);
        await new Chronicle(history, "n").live([{ does: "compact", keep: 1 }, { does: "undo" }, { does: "redo" }]);
        assert.ok(session.text().includes(`\n${broken}\n`));
      }),
      RUNS,
    ));

  it("keeps lines of kinds that this version does not know, through compactions, undo and redo", () =>
    fc.assert(
      fc.asyncProperty(chronicles, fc.nat(), chronicles, async (deeds, pick, since) => {
        const session = await written(deeds);
        const lines = session.text().split("\n");
        const line = 1 + (pick % (lines.length - 2));
        const { seq } = JSON.parse(lines[line] ?? "");
        const foreign = JSON.stringify({ kind: "hologram", id: "foreign", seq: seq + 0.5, depth: 3 });
        session.put(lines.toSpliced(line + 1, 0, foreign).join("\n"));
        const { history, repairs } = await session.open();
        assert.deepEqual(repairs, []);
        assert.deepEqual(history.records, session.records);
        await new Chronicle(history, "n").live(since);
        assert.equal(
          session
            .text()
            .split("\n")
            .filter(text => text === foreign).length,
          1,
        );
      }),
      RUNS,
    ));

  const header = { kind: "header", version: 1, sessionId: "ses_1", created: 1, archives: [] };
  const newer = JSON.stringify({ ...header, version: 2, sealed: true });
  const refused: [string, string, RegExp][] = [
    ["a newer version", `${newer}\n{"kind":"hologram"}\ntorn`, /newer version of Strata \(log version 2.*Update/],
    ["a newer version, its first line cut off", newer, /no readable first line/],
    ["nobody knows whom", "hello\n", /no readable first line/],
    ["nobody knows whom, without an end", "hello", /no readable first line/],
  ];
  for (const [whom, text, words] of refused) {
    it(`of ${whom} is refused with the reason, and left untouched`, async () => {
      const session = await written([{ does: "ask", text: "hi" }]);
      session.put(text);
      await assert.rejects(session.open(), words);
      assert.equal(session.text(), text);
    });
  }
});
