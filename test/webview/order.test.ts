/** The panel's store: snapshots, numbers of records, older ones, and the panel around it. */
import assert from "node:assert/strict";
import { reduce } from "../../webview-ui/src/store/reduce";
import { Script, SESSION, START, surroundings } from "../panel/script";
import { events, items, NOW, older, opened, outline, read, stateAfter } from "./outline";

describe("panel store: records and their order", () => {
  it("a record that was seen before changes nothing", () => {
    const script = new Script().user("hello");
    const all = script.take();
    const state = stateAfter(opened(), { type: "events", sessionId: SESSION, events: [...all, ...all], now: NOW });
    assert.deepEqual(outline(state), ["user: hello"]);
    assert.equal(state.gap, false);
  });

  it("a missing record asks for a new snapshot", () => {
    const script = new Script(2).user("hello");
    assert.equal(stateAfter(opened(), events(script)).gap, true, "one is enough");
  });

  it("events of another session are not for this one", () => {
    const state = stateAfter(opened());
    const foreign = { type: "events" as const, sessionId: "other", events: new Script().user("hi").take(), now: NOW };
    assert.equal(reduce(state, foreign), state);
  });

  it("what has streamed of the answer under way comes with the snapshot", () => {
    const script = new Script().user("go");
    const records = [...script.records];
    script.take();
    const live = script.request("req_1").text("req_1", "Half").take();
    const state = stateAfter(opened({ records, live, state: "running" }));
    assert.deepEqual(outline(state), ["user: go", "live: Half"]);
    assert.equal(state.session.counters.startedAt, START);
  });

  it("older records leave the chunks that are there untouched", () => {
    const script = new Script();
    for (let turn = 1; turn <= 40; turn += 1) script.user(`question ${turn}`).answer(`req_${turn}`, `answer ${turn}`);
    const open = stateAfter(opened({ records: script.records.slice(40), hasOlder: true }));
    const whole = reduce(open, older(open, script.records.slice(0, 40)));
    const kept = new Set(whole.session.chunks);
    assert.ok(open.session.chunks.every(chunk => kept.has(chunk)));
    assert.equal(items(whole).length, 80);
  });

  it("a page of older records takes time by what is loaded, not by its square", () => {
    const took = (turns: number) => {
      const script = new Script();
      for (let turn = 1; turn <= turns; turn += 1) {
        script.user(`question ${turn}`);
        for (let step = 0; step < 9; step += 1) script.answer(`req_${turn}_${step}`, "words");
        script.end("done");
      }
      const open = stateAfter(opened({ records: script.records.slice(300), hasOlder: true }));
      const page = older(open, script.records.slice(0, 300));
      // Processor time of this thread: the machine's other work is not in it.
      const runs = [1, 2, 3, 4, 5].map(() => {
        const before = process.threadCpuUsage();
        assert.ok(reduce(open, page));
        return process.threadCpuUsage(before).user;
      });
      return Math.min(...runs);
    };
    // Sixteen times as much is loaded: 16 in line, 256 by its square, and far from both what is asked for.
    assert.ok(took(1_600) < 80 * Math.max(4_000, took(100)));
  });

  it("older records leave what streams in its place, and what was heard of calls and messages at them", () => {
    const script = new Script().user("first").answer("req_0", "", [read]).result(read[0], "Read", { digest: "before" });
    const { length } = script.records;
    script.take();
    script.user("again", {}, [{ mediaType: "image/png", url: "blob:0", path: "a.png" }]).state("running");
    script.answer("req_1", "", [["call_2", "Bash", {}]]).start("call_2", "Bash", "List files");
    script.result("call_2", "Bash", { digest: "listed" }).request("req_2").text("req_2", "Half");
    script.live({ type: "callInput", requestId: "req_2", callId: read[0], toolName: "Read", chars: 9 });
    script.record({ kind: "note", level: "info", code: "repair", text: "meanwhile" });
    const [first, ...rest] = script.records.slice(length);
    const open = stateAfter(
      opened({ records: first ? [first] : [], hasOlder: true, state: "running" }),
      events(script),
    );
    assert.equal(rest.length, 3);
    const whole = reduce(open, older(open, script.records.slice(0, length)));
    assert.deepEqual(outline(whole), ["user: first", "Read success: before", ...outline(open)]);
    assert.deepEqual(outline(open).slice(-3), ["live: Half", "Read writing", "note: meanwhile"]);
    assert.ok(items(open).every((item, at) => item === items(whole)[at + 2]));
  });

  it("no older record came: there are none", () => {
    const state = stateAfter(opened({ records: new Script(5).user("hi").records, hasOlder: true }));
    const next = reduce(state, older(state, [], true));
    assert.equal(next.session.hasOlder, false);
  });
});

describe("panel store: the panel itself", () => {
  it("opens, fails, opens again", () => {
    const failed = stateAfter({ type: "failed", problem: "no answer" });
    assert.deepEqual([failed.phase, failed.problem], ["failed", "no answer"]);
    assert.deepEqual(reduce(failed, { type: "loading" }).problem, null);
    assert.deepEqual(reduce(failed, opened()).phase, "open");
  });

  it("surroundings and notices are replaced whole", () => {
    const state = stateAfter(opened(), { type: "surroundings", surroundings: { ...surroundings, folders: ["other"] } });
    assert.deepEqual(state.surroundings?.folders, ["other"]);
    const notice = { kind: "problem" as const, text: "Not sent." };
    assert.equal(reduce(state, { type: "notice", notice }).notice, notice);
  });
});
