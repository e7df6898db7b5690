/** The panel's store: background tasks as snapshots and events tell them. */
import assert from "node:assert/strict";
import type { AgentEventOf } from "../../src/shared/events";
import { reduce } from "../../webview-ui/src/store/reduce";
import type { PanelState } from "../../webview-ui/src/store/state";
import { Script } from "../panel/script";
import { events, NOW, opened, stateAfter } from "./outline";

const dev: AgentEventOf<"task"> = {
  ...{ type: "task", taskId: "task_1", callId: "call_1", command: "npm run dev", cwd: "/ws", state: "running" },
  ...{ startedAt: NOW, lines: 0 },
};
const test: AgentEventOf<"task"> = { ...dev, taskId: "task_2", command: "npm test" };
const play = (state: PanelState, ...told: AgentEventOf<"task">[]) =>
  reduce(state, events(told.reduce((script, event) => script.live(event), new Script())));
const shown = (state: PanelState) =>
  state.session.tasks.map(({ taskId, state, lines }) => `${taskId} ${state} ${lines}`);

describe("panel store: background tasks", () => {
  it("come, change in their place, and go when they are dismissed", () => {
    let state = play(stateAfter(opened()), dev, test);
    assert.deepEqual(shown(state), ["task_1 running 0", "task_2 running 0"]);
    state = play(state, { ...dev, lines: 7 });
    assert.deepEqual(shown(state), ["task_1 running 7", "task_2 running 0"]);
    const ended: AgentEventOf<"task"> = { ...dev, state: "exited", exitCode: 1, lines: 9 };
    state = play(state, ended);
    assert.deepEqual(shown(state), ["task_1 exited 9", "task_2 running 0"]);
    state = play(state, { ...ended, dismissed: true });
    assert.deepEqual(shown(state), ["task_2 running 0"]);
    assert.equal(play(state, { ...ended, dismissed: true }).session, state.session);
  });

  it("are what the snapshot says: one of an earlier window is in the records alone", () => {
    const { type: _, ...task } = dev;
    assert.deepEqual(shown(stateAfter(opened({ tasks: [task] }))), ["task_1 running 0"]);
    assert.deepEqual(shown(stateAfter(opened())), []);
  });

  it("outlive the end of their turn", () => {
    const script = new Script().user("go").state("running").live(dev).end("stopped").state("idle");
    assert.deepEqual(shown(stateAfter(opened(), events(script))), ["task_1 running 0"]);
  });
});
