/** Rows of the conversation: runs of looking; and what reviews took back of an edit. */
import assert from "node:assert/strict";
import { takenBack } from "../../webview-ui/src/store/changes";
import { rowsOf } from "../../webview-ui/src/store/looks";
import { reduce } from "../../webview-ui/src/store/reduce";
import type { PanelState, ReviewStep } from "../../webview-ui/src/store/state";
import { Script, SESSION } from "../panel/script";
import { NOW, older, opened, stateAfter } from "./outline";

/** "user", "looks 3": kinds of rows, chunk by chunk. */
const rows = ({ session }: PanelState) =>
  session.chunks.map(({ items }) =>
    rowsOf(items).map(row => (row.kind === "item" ? row.item.kind : `looks ${row.items.length}`)),
  );

type Look = "Read" | "Grep" | "LS" | "Glob" | "Code";

function looked(script: Script, ...tools: (Look | "Edit" | "TodoWrite" | "thought" | "words")[]): Script {
  for (const [at, tool] of tools.entries()) {
    const id = `${script.records.length}.${at}`;
    if (tool === "thought") script.answer(`q${id}`, "", [], "I think.");
    else if (tool === "words") script.answer(`q${id}`, "I look further.");
    else script.answer(`q${id}`, "", [[id, tool, {}]]).result(id, tool, { digest: tool });
  }
  return script;
}

describe("panel store: runs of looking", () => {
  it("thoughts and todos part no run; words and other calls do", () => {
    const script = looked(new Script().user("go"), "Read", "thought", "Grep", "TodoWrite", "LS", "words", "Code");
    looked(script, "Glob", "Edit", "Read", "thought").end("done");
    assert.deepEqual(rows(stateAfter(opened({ records: script.records }))), [
      ["user", "looks 5", "answer", "looks 2", "tool", "looks 1", "answer", "end"],
    ]);
  });

  it("a run stays in one chunk, however long; what follows it finds its own", () => {
    const script = looked(new Script().user("go"), ...Array.from({ length: 300 }, () => "Read" as const));
    for (let at = 0; at < 20; at += 1) looked(script, "words", "Edit");
    const state = stateAfter(opened({ records: script.records }));
    const [first] = rows(state);
    assert.deepEqual(first?.slice(0, 2), ["user", "looks 300"]);
    assert.ok(rows(state).every(({ length }) => length <= 16));
  });

  it("a run that is loaded in two pieces is one", () => {
    const script = looked(new Script().user("go"), "Read", "Read", "Read", "Read").end("done");
    const at = 5;
    const open = stateAfter(opened({ records: script.records.slice(at), hasOlder: true }));
    const joined = reduce(open, older(open, script.records.slice(0, at)));
    assert.deepEqual(rows(joined), [["user", "looks 4", "end"]]);
    const whole = stateAfter(opened({ records: script.records }));
    assert.deepEqual(rows(joined), rows(whole), "as a snapshot of all has it");
  });
});

describe("panel store: chunks of calls whose ids come again", () => {
  it("are cut where they were, and keep their keys, as calls follow and as older ones come in front", () => {
    const script = new Script().user("go");
    for (let step = 0; step < 6; step += 1) script.answer(`q${step}`, "Next.", [["call_0", "Bash", {}]]);
    const at = 4;
    let state = stateAfter(opened({ records: script.records.slice(at, at + 1), hasOlder: true, state: "running" }));
    const firsts = new Map<string, unknown>();
    const check = (next: PanelState) => {
      state = next;
      const chunks = new Map(state.session.chunks.map(({ key, items }) => [key, items[0]]));
      assert.equal(chunks.size, state.session.chunks.length, "each key once");
      for (const [key, first] of firsts) assert.equal(chunks.get(key), first);
      for (const [key, first] of chunks) firsts.set(key, first);
    };
    check(state);
    for (const record of script.records.slice(at + 1))
      check(reduce(state, { type: "events", sessionId: SESSION, events: [{ type: "record", record }], now: NOW }));
    const drawn = state.session.chunks;
    check(reduce(state, older(state, script.records.slice(2, at), true)));
    check(reduce(state, older(state, script.records.slice(0, 2))));
    assert.ok(drawn.every(chunk => state.session.chunks.includes(chunk)));
  });
});

describe("panel store: what reviews took back of an edit", () => {
  const some = "b".repeat(64);
  const step = (action: ReviewStep["action"], changes: number, upTo: number, base?: string) =>
    ({ action, changes, upTo, base, seq: upTo + 1 }) as ReviewStep;
  const cases: [string, ReviewStep[], ReturnType<typeof takenBack>][] = [
    ["nothing", [], undefined],
    ["all of it", [step("undo", 3, 5)], { undone: 3, isAll: true }],
    ["change by change", [step("undo", 1, 5, some), step("undo", 1, 5, some)], { undone: 2, isAll: false }],
    ["the last one makes it all", [step("undo", 1, 5, some), step("undo", 2, 5)], { undone: 3, isAll: true }],
    ["it was made again", [step("undo", 3, 5), step("restore", 3, 5, some)], undefined],
    ["some were kept", [step("keep", 1, 5, some), step("undo", 2, 5)], { undone: 2, isAll: false }],
    ["an edit before this one", [step("undo", 3, 4)], undefined],
    ["kept whole, then another edit was undone", [step("keep", 2, 5), step("undo", 1, 9)], undefined],
  ];
  for (const [name, steps, expected] of cases) it(name, () => assert.deepEqual(takenBack(steps, 5), expected));
});
