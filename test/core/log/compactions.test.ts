/** Compaction, undo and redo of any session: what is known, what is on disk, and that nothing of it is ever lost. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { undoable } from "../../../src/core/agent/session/sessionContext";
import { isArchiveName } from "../../../src/core/ground/ports/storage";
import { applyCompaction } from "../../../src/core/log/applyCompaction";
import { recordsToArchive } from "../../../src/core/log/archives";
import { decodeLog, splitLog } from "../../../src/core/log/codec";
import type { Conversation } from "../../../src/core/log/conversation";
import { History } from "../../../src/core/log/history";
import { readWholeLog } from "../../../src/core/log/readLog";
import type { AgentEvent } from "../../../src/shared/events";
import type { LogRecord } from "../../../src/shared/records";
import { cases } from "../../fakes/soak";
import { MemoryDisk, MemoryStorage } from "../../fakes/storage";
import { Chronicle, historyDeps } from "./chronicle";
import { chronicles, turns } from "./chronicles";

const RUNS = { numRuns: cases(1_000) };

async function started(): Promise<{ chronicle: Chronicle; disk: MemoryDisk }> {
  const storage = new MemoryStorage();
  return { chronicle: Chronicle.start(await storage.create("ses_1")), disk: storage.disk };
}

/** The same session as it is now, in a world of its own. */
async function twinOf(disk: MemoryDisk): Promise<History> {
  const there = new MemoryDisk();
  const [[id, session] = []] = disk.sessions;
  if (id && session)
    there.sessions.set(id, { ...session, files: new Map(session.files), holder: undefined, waiting: [] });
  return (await History.open(await new MemoryStorage(there).open("ses_1"), historyDeps("twin"))).history;
}

/** What is known, but for numbers and times of records, and for what says that a compaction happened at all. */
function known({ conversation }: History) {
  const { end, undone: _, compactionHeld: __, denials, children, ...rest } = conversation;
  const { id: ___, seq: ____, ts: _____, ...ended } = end ?? {};
  const given = [...children.values()].map(({ since, ended: last, ...child }) => ({ ...child, last: last?.usage }));
  return structuredClone({ ...rest, end: ended, denials: denials.map(({ title }) => title), given });
}

/**
 * What outlives a compaction. Not: how a turn ended and what it asked, which goes with the turn's last message; in which run a
 * text was injected, since it may have gone too; usage, since the next request is another.
 */
function carried({ end: _, asked: __, lastAnswer: ___, injected, reads, ...rest }: Conversation) {
  return { ...rest, injected: [...injected.keys()].sort(), reads: [...reads].filter(([, { length }]) => length > 0) };
}

const liveText = (disk: MemoryDisk) => disk.text("ses_1", "history.jsonl") ?? "";

describe("any session", function () {
  this.timeout(180_000);

  it("knows after a compaction, turns and its undo what it knows where the turns followed at once", async () => {
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(chronicles, fc.nat(6), turns, async (before, keep, since) => {
        const { chronicle, disk } = await started();
        await chronicle.live(before);
        const twin = await twinOf(disk);
        if (!(await chronicle.compact(keep))) return;
        const said = chronicle.said.length;
        await chronicle.live(since);
        await chronicle.do({ does: "undo" });
        // folds and all: what was said to one is said to the other
        for (const record of chronicle.said.slice(said)) await twin.append(record);
        assert.deepEqual(known(chronicle.history), known(twin));
        undone += 1;
      }),
      RUNS,
    );
    assert.ok(undone > RUNS.numRuns / 5, `${undone} were undone`);
  });

  it("knows after undo, turns and redo what it knows where the compaction stood all the time", async () => {
    let redone = 0;
    await fc.assert(
      fc.asyncProperty(chronicles, fc.nat(6), turns, turns, async (before, keep, since, after) => {
        const { chronicle, disk } = await started();
        await chronicle.live(before);
        if (!(await chronicle.compact(keep))) return;
        const twin = await twinOf(disk);
        const said = chronicle.said.length;
        await chronicle.live(since);
        await chronicle.do({ does: "undo" });
        await chronicle.live(after);
        assert.ok(await chronicle.do({ does: "redo" }));
        for (const record of chronicle.said.slice(said)) await twin.append(record);
        assert.deepEqual(known(chronicle.history), known(twin));
        redone += 1;
      }),
      RUNS,
    );
    assert.ok(redone > RUNS.numRuns / 5, `${redone} were redone`);
  });

  it("knows when it is opened again what it knew, and has every record that ever was", async () => {
    await fc.assert(
      fc.asyncProperty(chronicles, fc.array(fc.nat(9), { minLength: 1 }), async (deeds, times) => {
        const storage = new MemoryStorage();
        const heard: LogRecord[] = [];
        const emit = (event: AgentEvent) => event.type === "record" && heard.push(event.record);
        // a clock that somebody sets, back too
        const deps = { ...historyDeps("p", () => times[heard.length % times.length] ?? 0), emit };
        const chronicle = Chronicle.start(await storage.create("ses_1"), deps);
        await chronicle.live(deeds);
        storage.disk.crash();
        const files = await storage.open("ses_1");
        const { history, repairs } = await History.open(files, historyDeps("q"));
        assert.deepEqual(repairs, []);
        assert.deepEqual(history.conversation, chronicle.conversation);
        assert.deepEqual(history.records, chronicle.history.records);
        assert.deepEqual(history.archives, chronicle.history.archives);
        const whole = await readWholeLog(files);
        assert.deepEqual([whole.broken, whole.missing], [[], []]);
        assert.deepEqual(whole.records, heard);
        const numbers = whole.records.map(({ seq }) => seq);
        assert.deepEqual(
          numbers,
          [...numbers.keys()].map(at => at + 1),
        );
      }),
      RUNS,
    );
  });

  it("loses of its messages those that a compaction removes, and moves their lines as they stand", async () => {
    await fc.assert(
      fc.asyncProperty(chronicles, fc.nat(6), async (deeds, keep) => {
        const { chronicle, disk } = await started();
        await chronicle.live(deeds);
        const messages = structuredClone(chronicle.conversation.messages);
        const expected = structuredClone(chronicle.conversation);
        const before = liveText(disk).split("\n").slice(1, -1);
        const compaction = await chronicle.compact(keep);
        if (compaction?.kind !== "compaction" || !isArchiveName(compaction.archive)) return;
        applyCompaction(expected, compaction);
        assert.deepEqual(carried(chronicle.conversation), carried(expected));
        const removed = new Set(compaction.removed);
        const folded = new Set(compaction.folded.map(({ messageId }) => messageId));
        const left = chronicle.conversation.messages;
        assert.deepEqual(
          left.filter(({ id }) => !folded.has(id)),
          messages.filter(({ id }) => !removed.has(id) && !folded.has(id)),
        );
        const live = liveText(disk).split("\n").slice(1, -1);
        const gone = (disk.text("ses_1", compaction.archive) ?? "").split("\n").slice(1, -1);
        assert.deepEqual(
          before.filter(line => gone.includes(line)),
          gone,
        );
        assert.deepEqual(
          before.filter(line => !gone.includes(line)),
          live.slice(0, -1),
        );
      }),
      RUNS,
    );
  });
});

describe("the records that go with messages", () => {
  it("and those that stay are all of them, each message with what belongs to it", async () => {
    await fc.assert(
      fc.asyncProperty(chronicles, fc.array(fc.nat(40), { maxLength: 20, size: "large" }), async (deeds, picks) => {
        const { chronicle, disk } = await started();
        await chronicle.live(deeds);
        const { records, conversation } = chronicle.history;
        const ids = conversation.messages.map(({ id }) => id);
        const removed = new Set(picks.flatMap(pick => ids[pick % Math.max(1, ids.length)] ?? []));
        const goes = recordsToArchive(records, removed);
        for (const record of records) {
          if (record.kind === "message") assert.equal(goes.has(record.id), removed.has(record.message.id));
          if (record.kind === "result" || record.kind === "inject")
            assert.equal(goes.has(record.id), removed.has(record.messageId));
          if (record.kind === "undo" || record.kind === "redo") assert.ok(!goes.has(record.id));
        }
        if (removed.size === 0) assert.equal(goes.size, 0);
        const log = liveText(disk);
        const { kept, gone } = splitLog(log, goes);
        assert.deepEqual(
          decodeLog(`${log.split("\n", 1)[0]}\n${gone.join("")}`).records,
          records.filter(({ id }) => goes.has(id)),
        );
        assert.deepEqual(
          decodeLog(`${log.split("\n", 1)[0]}\n${kept.join("")}`).records,
          records.filter(({ id }) => !goes.has(id)),
        );
      }),
      RUNS,
    );
  });
});

describe("what can be undone and redone", () => {
  it("is the newest that has an effect, and what was undone last while no compaction followed", async () => {
    await fc.assert(
      fc.asyncProperty(chronicles, async deeds => {
        const { chronicle } = await started();
        const done: string[] = [];
        let undone: string[] = [];
        for (const deed of deeds) {
          const worked = await chronicle.do(deed);
          if (!worked) continue;
          if (deed.does === "compact") {
            done.push(chronicle.history.records.at(-1)?.id ?? "");
            undone = [];
          }
          if (deed.does === "undo") undone.push(done.pop() ?? "");
          if (deed.does === "redo") done.push(undone.pop() ?? "");
          const { undo, redo } = undoable(chronicle.history.records);
          assert.deepEqual([undo?.id, redo?.id], [done.at(-1), undone.at(-1)]);
        }
      }),
      RUNS,
    );
  });
});
