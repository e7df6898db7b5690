/** The one line above the composer: what is said first, whose the todo list is, and what the line opens to. */

import assert from "node:assert/strict";
import type { ReviewFile } from "../../src/shared/panelSnapshot";
import type { BackgroundTaskInfo } from "../../src/shared/tasks";
import { reduce } from "../../webview-ui/src/store/reduce";
import { initialState, type PanelState, type ReviewStep, type SessionView } from "../../webview-ui/src/store/state";
import { sectionsOf, showsTodos, statusOf, todoInHand } from "../../webview-ui/src/store/status";
import { pluck } from "../fakes/pluck";
import { todos } from "../panel/scenes";
import { Script, surroundings } from "../panel/script";
import { events, opened, stateAfter } from "./outline";

const file: ReviewFile = { uri: "file:///a.ts", path: "a.ts", kind: "edited", changes: 2, turns: [1], seq: 9 };
const task: BackgroundTaskInfo = {
  ...{ taskId: "task_1", callId: "c", command: "npm run dev", cwd: "/w", state: "running", startedAt: 1, lines: 0 },
};
const undone = { seq: 9, kind: "review", action: "undo", uri: "a" } as ReviewStep;
const progress = { phase: "summarising", reason: "manual", startedAt: 1, since: 1, tokens: { before: 9 } } as const;

/** What makes each of them hold, the most urgent first. */
const causes: readonly (readonly [ReturnType<typeof statusOf>, Partial<SessionView>, Partial<PanelState>?])[] = [
  ["compacting", { progress }],
  ["stopping", { run: "stopping" }],
  ["retrying", { retry: { message: "busy", attempt: 1, attempts: 5, at: 9 } }],
  ["working", { run: "running" }],
  ["readOnly", { readOnly: true }],
  [
    "noModel",
    { items: [{ kind: "note", key: "k", icon: "info", text: "" }] },
    { surroundings: { ...surroundings, model: { state: "none", message: "No model yet." } } },
  ],
  ["review", { review: [file] }],
  ["review", { reviews: { a: [undone] }, lastSeq: 9 }],
  ["queue", { pending: [{ pendingId: "p", delivery: "queue", text: "then", held: true }] }],
  ["todo", { todos: todos(1), turn: 2, todosTurn: 2 }],
  ["tasks", { tasks: [task] }],
  ["storage", {}, { surroundings: { ...surroundings, storage: { bytes: 9, maxBytes: 1 } } }],
];

/** A state in which all of these hold; of what cannot hold together the first does. */
function stateOf(some: typeof causes): PanelState {
  const session = Object.assign({}, initialState.session, ...some.toReversed().map(([, changes]) => changes));
  const arounds = some.toReversed().flatMap(([, , more]) => more?.surroundings ?? []);
  return { ...initialState, session, surroundings: arounds.length > 0 ? Object.assign({}, ...arounds) : null };
}

describe("panel store: the line above the composer", () => {
  it("is not there while there is nothing to say", () => {
    assert.equal(statusOf(initialState), null);
    assert.equal(statusOf({ ...initialState, surroundings }), null);
    assert.equal(sectionsOf(initialState), "");
  });

  for (const [at, [kind]] of causes.entries())
    it(`says ${kind} before all that is less urgent`, () => {
      assert.equal(statusOf(stateOf(causes.slice(at, at + 1))), kind, "alone");
      assert.equal(statusOf(stateOf(causes.slice(at))), kind, "with all the rest");
    });

  it("is silent while a card is open, but for tasks that run beside it", () => {
    const of = (changes: Partial<SessionView>) => statusOf(stateOf([["todo", { run: "asking", ...changes }]]));
    assert.equal(of({ review: [file], todos: todos(1), tasks: [{ ...task, state: "exited" }] }), null);
    assert.equal(of({ tasks: [task] }), "tasks");
  });

  it("opens to what there is, in one order", () => {
    const of = (changes: Partial<SessionView>) => sectionsOf(stateOf([["todo", changes]]));
    assert.equal(of({ run: "running" }), "");
    assert.equal(of({ tasks: [task], review: [file] }), "tasks");
  });
});

describe("panel store: whose the todo list is", () => {
  const play = (script: Script, state = stateAfter(opened())) => reduce(state, events(script));
  const shows = (state: PanelState) => showsTodos(state.session);

  it("is shown while its turn runs, with the todo in hand", () => {
    const state = play(new Script().user("go").state("running").todo(todos(1)));
    assert.ok(shows(state));
    assert.deepEqual(todoInHand(state.session), { content: "Fix the rounding", at: 2, of: 3 });
    assert.equal(todoInHand({ ...state.session, todos: todos(3) }), null, "all are done");
  });

  // Copilot keeps "Todos (1/4)" with its spinner for ever where a model forgets to tick them off.
  it("goes with a turn that says that it is done, whatever was ticked off", () => {
    const script = new Script().user("go").state("running").todo(todos(1));
    assert.ok(!shows(play(script.end("done").state("idle"))));
  });

  it("stays after a turn that was cut off: it says what is left", () => {
    for (const reason of ["stopped", "limit", "interrupted"] as const) {
      const script = new Script().user("go").state("running").todo(todos(1));
      assert.ok(shows(play(script.end(reason).state("idle"))), reason);
      const over = new Script().user("go").state("running").todo(todos(3));
      assert.ok(!shows(play(over.end(reason).state("idle"))), `${reason}, all done`);
    }
  });

  // Qwen Code showed the list of a broken turn again with the next message.
  it("does not come back with the next message, until the agent touches it", () => {
    const script = new Script().user("go").state("running").todo(todos(1)).end("stopped").state("idle");
    script.user("something else").state("running");
    const state = play(script);
    assert.ok(!shows(state));
    assert.equal(statusOf(state), "working");
    assert.equal(todoInHand(state.session), null);
    assert.ok(shows(play(script.todo(todos(2)), state)));
  });

  it("is the plan's, over all turns, until that ends", () => {
    const plan = { kind: "plan", op: "carried-out", turn: 1, title: "Round half up", steps: 3, text: "" } as const;
    const script = new Script().user("Carry out the plan.").record(plan).todo(todos(1)).end("done").state("idle");
    const state = play(script.user("and why").state("running").end("done").state("idle"));
    assert.ok(shows(state));
    assert.equal(statusOf(state), "todo");
    const ended = play(script.record({ kind: "planEnd", turn: 1, title: "Round half up" }).todo([]), state);
    assert.equal(statusOf(ended), null);
    const cards = ended.session.items.filter(item => item.kind === "plan");
    assert.deepEqual(pluck(cards, "ended"), [true]);
  });

  it("of a session that opens: it is the newest turn's where its record is loaded, or that turn's beginning is not", () => {
    const script = new Script().user("go").todo(todos(1));
    script.request("r").answer("r", "On it.").end("stopped");
    const { records } = script;
    assert.ok(shows(stateAfter(opened({ records, todos: todos(1) }))));
    assert.ok(shows(stateAfter(opened({ records: records.slice(2), todos: todos(1), hasOlder: true }))));
    const later = script.user("more").end("stopped").records;
    assert.ok(!shows(stateAfter(opened({ records: later, todos: todos(1) }))));
    assert.ok(!shows(stateAfter(opened({ records: later.slice(-2), todos: todos(1), hasOlder: true }))));
  });
});
