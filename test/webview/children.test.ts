/** The panel's store: agents that work for this one. */
import assert from "node:assert/strict";
import { atWork, spentBy } from "../../webview-ui/src/store/children";
import { reduce } from "../../webview-ui/src/store/reduce";
import { hasOpenCall, statusOf } from "../../webview-ui/src/store/status";
import { commandAction, editAction } from "../panel/scenes";
import { invoiceDiff, Script } from "../panel/script";
import { events, items, older, opened, outline, stateAfter } from "./outline";

const asked = { ...commandAction, callId: "ses_a/call_7", title: "explore: Run `npm test`" };
const answer = { decision: "allow", scope: "once", by: "user" } as const;

/** A task, and what came of it. */
function delegating(): Script {
  const script = new Script().user("look").answer("req_1", "", [["call_1", "Task", { description: "Look" }]]);
  script.child("ses_a", "call_1").approval("apr", asked).approval("apr", asked, answer);
  const change = { phase: "changed", messageId: "msg_9", changes: [invoiceDiff] } as const;
  script.child("ses_a", "call_9", { ...change, changes: [...change.changes] });
  script.child("ses_a", "call_1", { reason: "done", usage: { input: 40, output: 2 } });
  return script.result("call_1", "Task", { digest: "Task done" }).answer("req_2", "Seen.").end("done");
}

describe("panel store: agents that work for this one", () => {
  it("are told by their records, which change files in the turn of their caller", () => {
    const state = stateAfter(opened(), events(delegating()));
    const { ses_a: child } = state.session.children;
    assert.ok(child?.begun && child.live === null);
    assert.deepEqual([child.ended.length, child.changed.length, spentBy(child)], [1, 1, { input: 40, output: 2 }]);
    assert.equal(state.session.changes[1]?.[0]?.key, `msg_9 call_9 ${invoiceDiff.uri}`);
    const [task] = items(state).filter(item => item.kind === "tool");
    assert.equal(task?.childId, "ses_a");
    // What it asked is no call that was cut off.
    assert.deepEqual(outline(state).slice(1, 3), ["Task success: Task done", "Bash waiting"]);
    assert.deepEqual(stateAfter(opened({ records: delegating().records })).session.items, items(state));
  });

  it("one that works is known though its record is not loaded, and its question outlives the turn", () => {
    const { records } = new Script()
      .user("look")
      .answer("req_1", "", [["call_1", "Task", { description: "Look" }]])
      .child("ses_a", "call_1", { background: true })
      .result("call_1", "Task", { digest: "Task begun" })
      .approval("apr", asked)
      .end("done");
    const live = new Script().childState("ses_a", { state: "asking" }).take();
    const late = records.findIndex(({ kind }) => kind === "approval");
    const part = stateAfter(opened({ records: records.slice(late), hasOlder: true, state: "asking", live }));
    assert.deepEqual([part.session.questions, atWork(part.session)], [["ses_a/call_7"], ["ses_a"]]);
    const whole = reduce(part, older(part, records.slice(0, late)));
    const { ses_a: child } = whole.session.children;
    assert.ok(child?.begun && child.live?.state === "asking");
    assert.deepEqual(whole.session.items, stateAfter(opened({ records, live, state: "asking" })).session.items);
    const idle = reduce(whole, events(new Script().state("idle")));
    assert.deepEqual(idle.session.questions, ["ses_a/call_7"]);
    // Of one that died with its process nothing is asked any more.
    assert.deepEqual(stateAfter(opened({ records })).session.questions, []);
  });

  it("one that a person began is no call that runs, and a line says that it works", () => {
    const script = new Script().user("hi").answer("req_1", "Hello.").end("done").child("ses_b", "").childState("ses_b");
    const state = stateAfter(opened(), events(script.state("idle")));
    assert.deepEqual(outline(state).slice(2), ["end: done", "Task waiting"]);
    assert.deepEqual([hasOpenCall(items(state)), statusOf(state)], [false, "agents"]);
    const asking = reduce(state, events(script.approval("apr", { ...editAction, callId: "ses_b/c" }).state("asking")));
    assert.equal(statusOf(asking), null);
    const ended = reduce(asking, events(script.child("ses_b", "", { reason: "stopped" }).state("idle")));
    assert.deepEqual([atWork(ended.session), ended.session.questions], [[], []]);
  });
});
