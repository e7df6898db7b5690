/** The panel's store: files that turns changed, and which edits are undone. */
import assert from "node:assert/strict";
import { changesMark, filesFromEdits, isMoreThanSums } from "../../webview-ui/src/store/changes";
import { reduce } from "../../webview-ui/src/store/reduce";
import type { PanelState } from "../../webview-ui/src/store/state";
import { changeOf, changing, edits, reverted, turnFile } from "../panel/changedFiles";
import { Script, SESSION } from "../panel/script";
import { events, NOW, opened, stateAfter } from "./outline";

const files = ({ session }: PanelState, turn = 1) => filesFromEdits(session.changes[turn] ?? [], session.undoneEdits);
const invoice = (more = {}) => turnFile("src/invoice.ts", 5, 3, { edits: 2, ...more });

describe("panel store: changed files", () => {
  it("are those of the turn's results, each once, with the sum of its edits", () => {
    const state = stateAfter(opened(), events(changing()));
    assert.deepEqual(files(state), [
      turnFile("src/rounding/halfUpAsTheTaxOfficeWantsIt.ts", 24, 0, { created: true }),
      invoice(),
      turnFile("test/invoice.test.ts", 6, 1),
    ]);
    assert.deepEqual([files(state, 2), state.session.turn], [[], 1]);
    assert.equal(isMoreThanSums(state.session, 1), true, "one file was edited twice");
  });

  it("are no more than sums where each was edited once", () => {
    const script = edits(new Script().user("go"), "e1", changeOf("a.ts", 1, 1), changeOf("b.ts", 2, 0));
    const { session } = stateAfter(opened(), events(script));
    assert.equal(isMoreThanSums(session, 1), false);
    assert.equal(isMoreThanSums({ ...session, hasOlder: true }, 1), true, "the turn may have begun before");
  });

  it("an undo takes its edit out, a redo puts it back; the mark tells them apart", () => {
    const script = changing();
    const before = stateAfter(opened(), events(script));
    const undone = reduce(before, events(script.record(reverted("undo", "src/invoice.ts", "e1"))));
    assert.deepEqual(files(undone)[1], turnFile("src/invoice.ts", 2, 2, { edits: 2, undone: 1 }));
    const all = reduce(undone, events(script.record(reverted("undo", "src/invoice.ts", "e3"))));
    assert.deepEqual(files(all)[1], turnFile("src/invoice.ts", 0, 0, { edits: 2, undone: 2 }));
    const redone = reduce(all, events(script.record(reverted("redo", "src/invoice.ts", "e1", "e3"))));
    assert.deepEqual(files(redone)[1], invoice());
    assert.deepEqual(
      [before, undone, all, redone].map(({ session }) => changesMark(session, 1)),
      ["eeee", "ueee", "ueue", "eeee"],
    );
    assert.equal(all.session.chunks, before.session.chunks, "no card is drawn anew");
  });

  it("a file that went in the end is deleted, unless that is undone", () => {
    const script = new Script().user("go");
    edits(script, "e1", changeOf("a.ts", 0, 9, { after: null }));
    const gone = stateAfter(opened(), events(script));
    assert.deepEqual(files(gone), [turnFile("a.ts", 0, 9, { deleted: true })]);
    const back = reduce(gone, events(script.record(reverted("undo", "a.ts", "e1"))));
    assert.deepEqual(files(back), [turnFile("a.ts", 0, 0, { undone: 1 })]);
  });

  it("what the host says is kept for its session, and lists stay open, also when the session is loaded again", () => {
    const told = { files: [invoice({ added: 4 })], missing: ["archive/0001.jsonl"] };
    let state = stateAfter(opened(), events(changing()));
    state = reduce(state, { type: "turnFiles", sessionId: SESSION, turn: 1, told });
    state = reduce(state, { type: "turnFiles", sessionId: "another", turn: 1, told: { files: [] } });
    assert.deepEqual(state.session.turnFiles[1], told);
    const again = reduce(state, opened());
    assert.deepEqual(again.session.turnFiles, { 1: told });
    const other = reduce(again, opened({ sessionId: "another" }));
    assert.deepEqual(other.session.turnFiles, {});
  });

  it("stand at the newest end of a turn that went on", () => {
    const script = new Script().user("go").end("stopped");
    const stopped = stateAfter(opened(), events(script));
    const first = stopped.session.lastEnd;
    const done = reduce(stopped, events(script.end("done")));
    assert.notEqual(done.session.ends[1], first);
    assert.equal(done.session.ends[1], done.session.lastEnd);
    const failed = reduce(done, {
      ...{ type: "events", sessionId: SESSION, now: NOW },
      events: [{ type: "failure", error: { code: "disk", message: "The disk is full.", actions: [] } }],
    });
    assert.equal(failed.session.ends[1], failed.session.lastEnd, "also where the end could not be written");
  });
});
