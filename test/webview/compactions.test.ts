/** The panel's store: how far a compaction is, its mark, undo and redo, pins, and how full the context is. */
import assert from "node:assert/strict";
import type { ContextUsage } from "../../src/shared/panelSnapshot";
import { isSummarised, undoable } from "../../webview-ui/src/store/compactions";
import { reduce } from "../../webview-ui/src/store/reduce";
import type { PanelState } from "../../webview-ui/src/store/state";
import { Script, SESSION, START } from "../panel/script";
import { events, NOW, opened, outline, stateAfter } from "./outline";

const played = (script: Script, ...before: Parameters<typeof opened>) => stateAfter(opened(...before), events(script));
const isUnderWay = (state: PanelState) => state.session.progress !== null;
const undo = (compactionId: string) => ({ kind: "undo" as const, compactionId });
const redo = (compactionId: string) => ({ kind: "redo" as const, compactionId });
/** The id that `Script` gives the record with this number. */
const rec = (seq: number) => `rec_${seq}`;

describe("panel store: a compaction under way", () => {
  it("goes through its phases and leaves a mark", () => {
    const script = new Script().user("go").state("running").compaction("planning");
    let state = played(script);
    const first = state.session.progress;
    assert.deepEqual([first?.since, first?.tokens], [NOW, { before: 148_000 }]);
    const later = { now: NOW + 5000, ...{ type: "events" as const, sessionId: SESSION } };
    state = reduce(state, { ...later, events: script.compaction("summarising").take() });
    state = reduce(state, { ...later, events: script.compaction("checking").take() });
    assert.equal(state.session.progress?.since, NOW);
    state = reduce(state, events(script.compaction("committing").compacted(1).compaction("done")));
    assert.equal(isUnderWay(state), false);
    assert.deepEqual(outline(state), ["user: go", "compacted: 148000 → 41000"]);
  });

  it("that ended without a mark says so in a notice", () => {
    const check = (ending: Script, said: RegExp | null) => {
      const { session, notice } = played(ending);
      assert.equal(session.progress, null);
      if (said === null) assert.equal(notice, null);
      else assert.match(notice?.text ?? "", said);
    };
    const begun = (reason: "manual" | "threshold") => new Script().user("go").compaction("planning", { reason });
    check(begun("threshold").compaction("cancelled"), /^Compaction cancelled/);
    check(begun("manual").compaction("failed", { reason: "manual", message: "The disk is full." }), /disk is full/);
    check(begun("manual").compaction("unneeded", { reason: "manual", message: "Too short." }), /Too short/);
    check(begun("threshold").compaction("unneeded", { message: "Too short." }), null);
    check(begun("manual").compaction("done", { reason: "manual", message: "Only outputs were folded." }), /folded/);
    check(begun("threshold").compaction("done"), null);
    const failed = { failure: { code: "timeout" as const, message: "It timed out." } };
    check(begun("threshold").compacted(1, failed).compaction("done", { message: "It timed out." }), null);
  });

  it("whose end was missed is over when its turn or the session's work is", () => {
    const begun = () => new Script().user("go").state("running").compaction("planning");
    assert.equal(isUnderWay(played(begun().state("idle"))), false);
    assert.equal(isUnderWay(played(begun().end("error"))), false);
    assert.equal(isUnderWay(played(begun().user("steer", { kind: "steer" }))), true);
  });

  it("by hand shows no clock of a turn, and what could be continued can be afterwards", () => {
    const script = new Script().user("go").end("stopped").state("running");
    script.compaction("planning", { reason: "manual" });
    const state = played(script);
    assert.equal(state.session.counters.startedAt, null);
    assert.notEqual(state.session.lastEnd, null);
  });

  it("comes with the snapshot of a panel that opens meanwhile", () => {
    const live = new Script().compaction("summarising").take();
    const state = stateAfter(opened({ records: new Script().user("go").records, live, state: "running" }));
    assert.deepEqual([isUnderWay(state), state.session.progress?.since], [true, START]);
  });
});

describe("panel store: undo, redo, pins", () => {
  const two = () => new Script().user("one").compacted(1).user("two").compacted(2);
  const check = (script: Script, expected: ReturnType<typeof undoable>) => {
    assert.deepEqual(undoable(played(script).session), expected);
    assert.deepEqual(undoable(stateAfter(opened({ records: script.records })).session), expected);
  };

  it("the newest compaction can be undone, then the one before; redo goes back the same way", () => {
    check(new Script().user("one"), { undo: null, redo: null });
    check(two(), { undo: rec(4), redo: null });
    check(two().record(undo(rec(4))), { undo: rec(2), redo: rec(4) });
    check(
      two()
        .record(undo(rec(4)))
        .record(undo(rec(2))),
      { undo: null, redo: rec(2) },
    );
    check(
      two()
        .record(undo(rec(4)))
        .record(redo(rec(4))),
      { undo: rec(4), redo: null },
    );
    check(
      two()
        .record(undo(rec(4)))
        .compacted(3),
      { undo: rec(6), redo: null },
    );
    check(
      two()
        .record(undo(rec(4)))
        .compacted(3)
        .record(undo(rec(6))),
      { undo: rec(2), redo: rec(6) },
    );
  });

  it("what can be undone is read of the records once, however many marks ask", () => {
    const { session } = played(two());
    const records = [...session.records];
    let read = 0;
    const filter = (is: never) => {
      read += 1;
      return [...session.records].filter(is);
    };
    const counted = Object.assign(records, { filter });
    for (let mark = 0; mark < 3; mark += 1) assert.equal(undoable({ ...session, records: counted }).undo, rec(4));
    assert.equal(read, 1);
  });

  it("a summarised round cannot be pinned, a pinned one and one whose compaction was undone can", () => {
    const script = new Script().user("one").user("two").user("three").user("four");
    const pin = (turn: number, pinned = true) => ({ kind: "pin" as const, turn, pinned });
    script.record(pin(2)).record(pin(3)).record(pin(3, false));
    const pinned = played(script);
    assert.deepEqual(pinned.session.pins, [2]);
    const snapshot = { ...compactedSnapshot(), pins: [2] };
    const { session } = reduce(pinned, events(script.compacted(3, { snapshot })));
    const summarised = (state: typeof session) => [1, 2, 3, 4].filter(turn => isSummarised(state, turn));
    assert.deepEqual(summarised(session), [1, 3]);
    assert.deepEqual(summarised({ ...session, undone: { [rec(8)]: { undone: true, at: 0 } } }), []);
    assert.deepEqual(stateAfter(opened({ records: script.records, pins: [7] })).session.pins, [7]);
  });
});

function compactedSnapshot() {
  const record = new Script().compacted(1).records[0];
  assert.ok(record?.kind === "compaction");
  return record.snapshot;
}

describe("panel store: what the host knows better than the records it sends", () => {
  it("todos, pending messages and how full the context is", () => {
    const todos = [{ content: "Look", status: "pending" as const }];
    const pending = [
      { pendingId: "p1", delivery: "queue" as const, text: "later" },
      { pendingId: "p2", delivery: "steer" as const, text: "sooner" },
    ];
    const context: ContextUsage = { tokens: 7 };
    const { session } = stateAfter(opened({ todos, pending, held: ["p2"] }), {
      ...{ type: "counted", sessionId: SESSION, use: context },
    });
    assert.deepEqual([session.todos, session.context], [todos, context]);
    assert.deepEqual(
      session.pending.map(({ pendingId, held }) => [pendingId, held]),
      [
        ["p1", false],
        ["p2", true],
      ],
    );
  });
});

describe("how full the context is", () => {
  const request = (script: Script) =>
    script.live({
      ...{ type: "request", requestId: "r", turn: 1, step: 1, attempt: 1, model: "m" },
      ...{ estimatedTokens: 100_000, contextWindow: 200_000 },
    });
  const asked = () => request(new Script().user("go"));
  const answered = () =>
    asked().answer("r", "Done", [], "", { usage: { input: 110_000, output: 500 }, requestTokens: 100_000 });
  const check = (script: Script, expected: ContextUsage | null) =>
    assert.deepEqual(played(script).session.context, expected);
  const rest = { window: 200_000, calibration: { highest: 1.1, ratio: 1.1 } };

  it("is the estimate of a request, then what the provider reports of it", () => {
    check(new Script().user("go"), null);
    check(asked(), { tokens: 100_000, window: 200_000 });
    check(answered(), { tokens: 110_500, ...rest });
  });

  it("goes down with a compaction, up with its undo", () => {
    const tokens = { tokens: { before: 110_000, after: 40_000 }, counted: { before: 121_000, after: 44_000 } };
    const compacted = () => answered().compacted(1, tokens);
    check(compacted(), { tokens: 44_000, ...rest });
    check(compacted().record(undo(rec(3))), { tokens: 121_000, ...rest });
    check(
      compacted()
        .record(undo(rec(3)))
        .record(redo(rec(3))),
      { tokens: 44_000, ...rest },
    );
    check(answered().record(undo("rec_of_long_ago")), { tokens: 110_500, ...rest });
    check(request(compacted()), { tokens: 100_000, ...rest });
  });
});
