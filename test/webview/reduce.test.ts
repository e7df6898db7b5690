/** The panel's store: what a session looks like while a turn runs. */

import assert from "node:assert/strict";
import { exactApproval } from "../../webview-ui/src/store/messages";
import { applyRecords } from "../../webview-ui/src/store/records";
import { reduce } from "../../webview-ui/src/store/reduce";
import { MAX_OUTPUT_CHARS, type PanelState } from "../../webview-ui/src/store/state";
import { pluck } from "../fakes/pluck";
import { Script } from "../panel/script";
import { check, events, items, NOW, older, opened, outline, read, stateAfter } from "./outline";

describe("panel store: a turn", () => {
  it("streams an answer, then shows what was logged in its place", () => {
    const script = new Script().user("hello").state("running").request("req_1").text("req_1", "Good morning");
    const streaming = stateAfter(opened(), events(script));
    assert.deepEqual(outline(streaming), ["user: hello", "live: Good morning"]);
    const done = reduce(streaming, events(script.answer("req_1", "Good morning.").end("done").state("idle")));
    assert.deepEqual(outline(done), ["user: hello", "answer: Good morning.", "end: done"]);
    assert.equal(done.session.live, null);
    assert.equal(done.session.run, "idle");
  });

  it("a session without a title is called by its first message", () => {
    const words = `  Fix the ${"very ".repeat(20)}broken test\nand more`;
    const { title } = stateAfter(opened({ title: "" }), events(new Script().user(words))).session;
    assert.match(title, /^Fix the very .{1,50}…$/);
    assert.equal(stateAfter(opened({ title: "Named" }), events(new Script().user(words))).session.title, "Named");
  });

  it("a delta touches neither the items nor their chunks", () => {
    const script = new Script().user("hello").state("running").request("req_1").text("req_1", "Good");
    const before = stateAfter(opened(), events(script));
    const next = reduce(before, events(script.text("req_1", " morning")));
    assert.equal(next.session.chunks, before.session.chunks);
    assert.equal(next.session.live?.text, "Good morning");
  });

  it("a call goes from written to run to ended", () => {
    const script = new Script().user("read it").state("running").request("req_1");
    script.live({ type: "callInput", requestId: "req_1", callId: "call_1", toolName: "Read", chars: 20 });
    const steps: string[][] = [];
    let state = stateAfter(opened(), events(script));
    steps.push(outline(state));
    for (const next of [
      () => script.answer("req_1", "", [read]),
      () => script.start("call_1", "Read", "Read src/a.ts"),
      () => script.result("call_1", "Read", { digest: "Read src/a.ts 1–84" }),
    ]) {
      state = reduce(state, events(next()));
      steps.push(outline(state));
    }
    assert.deepEqual(steps, [
      ["user: read it", "Read writing"],
      ["user: read it", "Read waiting"],
      ["user: read it", "Read running"],
      ["user: read it", "Read success: Read src/a.ts 1–84"],
    ]);
  });

  it("calls that Stop cut off while they were written go away; the text stays", () => {
    const script = new Script().user("go").state("running").request("req_1").text("req_1", "I will");
    script.live({ type: "callInput", requestId: "req_1", callId: "call_1", toolName: "Bash", chars: 5 });
    check(script.answer("req_1", "I will").end("stopped").state("idle"), [
      "user: go",
      "answer: I will",
      "end: stopped",
    ]);
  });

  it("a retry takes the place of the answer that was cut", () => {
    const script = new Script().user("go").state("running").request("req_1").text("req_1", "Half of");
    script.record({
      kind: "attempt",
      requestId: "req_1",
      turn: 1,
      step: 1,
      parts: [{ type: "text", text: "Half of" }],
      reason: "the connection broke",
    });
    script.live({
      type: "retry",
      requestId: "req_1",
      attempt: 2,
      attempts: 5,
      delayMs: 4000,
      code: "cut",
      message: "The connection broke.",
    });
    const waiting = stateAfter(opened(), events(script));
    assert.deepEqual(outline(waiting), ["user: go", "attempt: Half of"]);
    assert.deepEqual(waiting.session.retry, {
      message: "The connection broke.",
      attempt: 2,
      attempts: 5,
      at: NOW + 4000,
    });
    const done = reduce(waiting, events(script.request("req_2").answer("req_2", "All of it")));
    assert.deepEqual(outline(done), ["user: go", "answer: All of it"]);
    assert.equal(done.session.retry, null);
  });

  it("a retry without words leaves those of the answer that was cut, live and from the log", () => {
    const cut = { kind: "attempt", turn: 1, step: 1, reason: "the connection broke" } as const;
    const script = new Script().user("go").state("running").request("r1").text("r1", "Half of");
    script.record({ ...cut, requestId: "r1", parts: [{ type: "text", text: "Half of" }] }).request("r2");
    script.live({ type: "reasoning", requestId: "r2", delta: "Hm." }).record({ ...cut, requestId: "r2", parts: [] });
    script.end("stopped");
    const expected = ["user: go", "attempt: Half of", "end: stopped"];
    assert.deepEqual(outline(stateAfter(opened({ records: script.records }))), expected);
    check(script, expected);
  });

  it("a plan that was proposed in an older page is told once, as it was carried out", () => {
    const plan = { kind: "plan", title: "Tidy", steps: 0, text: "# Plan: Tidy" } as const;
    const script = new Script().user("plan").answer("p", plan.text);
    script.record({ ...plan, op: "proposed", turn: 1 });
    const page = script.end("done").user("two").end("done").records.length - 2;
    script.record({ ...plan, op: "carried-out", turn: 3 });
    for (const words of ["three", "four", "five"]) script.user(words).end("done");
    const { records } = script;
    const part = stateAfter(opened({ records: records.slice(page), hasOlder: true }));
    assert.deepEqual(
      outline(reduce(part, older(part, records.slice(0, page)))),
      outline(stateAfter(opened({ records }))),
    );
  });

  it("a question waits at its call until it is answered", () => {
    const script = new Script().user("test").state("running").request("req_1");
    script.answer("req_1", "", [["call_1", "Bash", { command: "npm test" }]]);
    const action = {
      toolName: "Bash",
      callId: "call_1",
      title: "Run `npm test`?",
      detail: { type: "command" as const, command: "npm test", cwd: "/code/invoices" },
    };
    const asked = stateAfter(opened(), events(script.approval("approval_1", action).state("asking")));
    assert.deepEqual(outline(asked), ["user: test", "Bash asking"]);
    assert.deepEqual(asked.session.questions, ["call_1"]);
    const answer = { decision: "allow" as const, scope: "once" as const, by: "user" as const };
    const answered = reduce(asked, events(script.approval("approval_1", action, answer).state("running")));
    assert.deepEqual(outline(answered), ["user: test", "Bash waiting"]);
    assert.deepEqual(answered.session.questions, []);
  });

  it("a question in which secrets are hidden is shown as it runs, in either order, and no later one", () => {
    const action = (command: string) => ({
      ...{ toolName: "Bash", callId: "call_1", title: "Run it?" },
      detail: { type: "command" as const, command, cwd: "/code/invoices" },
    });
    const detail = action("curl -u me:hunter2 localhost").detail;
    const exact = {
      type: "question" as const,
      approvalId: "a1",
      callId: "call_1",
      toolName: "Bash",
      title: "Run?",
      detail,
    };
    const shown = (script: Script) => {
      const tool = items(stateAfter(opened(), events(script))).find(item => item.kind === "tool");
      return tool?.kind === "tool" ? exactApproval(tool)?.action : undefined;
    };
    const asked = () =>
      new Script()
        .user("test")
        .request("req_1")
        .answer("req_1", "", [["call_1", "Bash", {}]]);
    const hidden = action("curl -u [secret:x] localhost");
    assert.deepEqual(shown(asked().live(exact).approval("a1", hidden))?.detail, detail);
    const later = shown(asked().approval("a1", hidden).live(exact));
    assert.deepEqual([later?.detail, later?.title], [detail, "Run?"]);
    assert.equal(shown(asked().live(exact).approval("a2", hidden))?.title, "Run it?");
  });

  it("live output is kept by its newest characters", () => {
    const script = new Script().output("call_1", "a".repeat(MAX_OUTPUT_CHARS)).output("call_1", "end");
    const output = stateAfter(opened(), events(script)).session.outputs.call_1 ?? "";
    assert.equal(output.length, MAX_OUTPUT_CHARS);
    assert.ok(output.endsWith("aend"));
  });

  it("a call without a result at the end of its turn was interrupted", () => {
    const script = new Script().user("go").request("req_1").answer("req_1", "", [read]).end("interrupted");
    check(script, ["user: go", "Read interrupted", "end: interrupted"]);
  });

  it("an error that could not be logged is shown, and can be retried", () => {
    const error = { code: "disk", message: "The disk is full.", actions: ["retry" as const] };
    const state = stateAfter(opened(), events(new Script().user("go").live({ type: "failure", error })));
    assert.deepEqual(outline(state), ["user: go", "end: error"]);
    assert.equal(state.session.lastEnd, items(state).at(-1)?.key);
  });

  it("an error that could not be logged ends the turn as a logged end does: nothing asks, waits or runs", () => {
    const error = { code: "disk", message: "The disk is full.", actions: ["retry" as const] };
    const script = new Script().user("go").state("running").request("req_1").answer("req_1", "", [read]);
    script.approval("a", {
      toolName: "Read",
      callId: read[0],
      title: "Read .env?",
      detail: { type: "read", paths: [".env"] },
    });
    script.pending("p1", "added", "queue", "next").state("asking");
    const asking = stateAfter(opened(), events(script));
    assert.deepEqual(asking.session.questions, [read[0]]);
    const { session } = reduce(asking, events(script.live({ type: "failure", error })));
    const { questions, outputs, live, counters, pending } = session;
    assert.deepEqual([questions, outputs, live, counters.startedAt, pending[0]?.held], [[], {}, null, null, true]);
  });
});

describe("panel store: around the conversation", () => {
  it("pending messages are added, edited, removed, and gone once the model has them", () => {
    const script = new Script().user("go").state("running");
    script.pending("p1", "added", "queue", "then the changelog").pending("p2", "added", "steer", "use tabs");
    script.pending("p1", "edited", "queue", "then the readme").pending("p3", "added", "steer", "no");
    script.pending("p3", "removed", "steer");
    const waiting = stateAfter(opened(), events(script));
    assert.deepEqual(
      waiting.session.pending.map(({ pendingId, text }) => [pendingId, text]),
      [
        ["p1", "then the readme"],
        ["p2", "use tabs"],
      ],
    );
    const taken = reduce(waiting, events(script.user("use tabs", { kind: "steer", pendingId: "p2" })));
    assert.deepEqual(pluck(taken.session.pending, "pendingId"), ["p1"]);
    assert.deepEqual(outline(taken), ["user: go", "steer: use tabs"]);
  });

  it("what waits when a turn does not end well is held until it is sent; what the host says counts", () => {
    const held = (state: PanelState) => state.session.pending.map(pending => [pending.pendingId, pending.held]);
    const script = new Script().user("go").state("running");
    script.pending("p1", "added", "queue", "one").pending("p2", "added", "steer", "two").end("stopped").state("idle");
    let state = stateAfter(opened(), events(script.pending("p2", "edited", "steer", "2")));
    assert.deepEqual(held(state), [
      ["p1", true],
      ["p2", true],
    ]);
    assert.deepEqual(held(stateAfter(opened({ records: script.records, held: ["p1"] }))), [
      ["p1", true],
      ["p2", false],
    ]);
    script.user("more").state("running").pending("p2", "added", "steer", "2").pending("p3", "added", "queue", "three");
    state = reduce(state, events(script));
    assert.deepEqual(held(state), [
      ["p1", true],
      ["p2", false],
      ["p3", false],
    ]);
    assert.deepEqual(held(reduce(state, events(script.user("2", { kind: "steer", pendingId: "p2" }).end("done")))), [
      ["p1", true],
      ["p3", false],
    ]);
  });

  it("an image that the agent read is a line, and no message of the user", () => {
    const script = new Script().user("look").image("docs/logo.png");
    const state = stateAfter(opened(), events(script));
    assert.deepEqual(outline(state), ["user: look", "note: Image docs/logo.png"]);
    assert.equal(state.session.lastPrompt, "look");
  });

  it("title, mode, todos and counters follow their records and events", () => {
    const script = new Script().user("go").state("running").request("req_1", 41_000);
    script.record({ kind: "title", title: "Fix it" }).record({ kind: "mode", mode: "edits" });
    script.todo([{ content: "Look", status: "in_progress" }]);
    const { session } = stateAfter(opened(), events(script));
    assert.equal(session.title, "Fix it");
    assert.equal(session.mode, "edits");
    assert.equal(session.todos.length, 1);
    const { step, startedAt } = session.counters;
    assert.deepEqual([step, startedAt], [1, NOW]);
  });

  it("the time of a turn stands still while a question is open", () => {
    const script = new Script().user("go").state("running").request("req_1").answer("req_1", "", [read]);
    const action = {
      toolName: "Read",
      callId: read[0],
      title: "Read .env?",
      detail: { type: "read", paths: [".env"] },
    };
    script.approval("a", action as never).state("asking");
    const asking = stateAfter(opened(), events(script)).session;
    const later = asking.counters.askedAt + 2_400_000;
    const allowed = { ...script.records.at(-1), answer: { decision: "allow", scope: "once", by: "user" } };
    const record = { ...allowed, id: "later", seq: asking.lastSeq + 1, ts: later } as never;
    const { counters, questions } = applyRecords(asking, [record]);
    assert.deepEqual(questions, []);
    assert.equal(counters.startedAt, (asking.counters.startedAt ?? 0) + 2_400_000);
  });

  it("an end says that its last command failed, or its last call of another kind; what was kept from running did not", () => {
    type Call = [name: string, status: "success" | "error", code?: string];
    const ended = (...calls: Call[]) => {
      const script = new Script().user("go").request("req_1");
      const called = calls.map(([name], at): [string, string, object] => [`call_${at}`, name, {}]);
      script.answer("req_1", "", called as never);
      for (const [at, [name, status, code]] of calls.entries())
        script.result(`call_${at}`, name, {
          status,
          digest: name,
          ...(code && { error: { code, message: "No." } as never }),
        });
      const end = items(stateAfter(opened(), events(script.end("done")))).at(-1);
      return end?.kind === "end" ? end.lastFailed : "no end";
    };
    assert.equal(ended(["Bash", "error", "EXIT"], ["Read", "success"]), "command");
    assert.equal(ended(["Bash", "success"], ["Edit", "error", "NO_MATCH"]), "call");
    assert.equal(ended(["server:tool", "error", "IO"]), "call");
    assert.equal(ended(["Edit", "error", "NO_MATCH"], ["Edit", "success"]), undefined);
    assert.equal(ended(["Edit", "success"], ["Edit", "error", "DENIED"]), undefined);
  });

  it("a notice for the model is quiet, a note is shown", () => {
    const script = new Script().user("image attached", { kind: "notice" });
    script.record({ kind: "note", level: "warning", code: "repair", text: "The log's last line was cut." });
    check(script, ["note: image attached", "note: The log's last line was cut."]);
  });
});
