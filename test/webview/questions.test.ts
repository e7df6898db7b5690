/** The question in front: from when on a key may be meant for it. */

import assert from "node:assert/strict";
import { QuestionDrafts } from "../../webview-ui/src/panel/questions";
import { createStore } from "../../webview-ui/src/store/store";
import { commandAction } from "../panel/scenes";
import { Script } from "../panel/script";
import { events, opened } from "./outline";

describe("panel: the question in front", () => {
  const { now } = performance;
  afterEach(() => {
    performance.now = now;
  });

  it("is new before it is drawn, a moment after, and no longer once it can have been noticed", () => {
    const at = (ms: number) => {
      performance.now = () => ms;
    };
    at(1_000);
    const frames: (() => void)[] = [];
    const store = createStore(frame => frames.push(frame));
    store.dispatch(opened());
    const questions = new QuestionDrafts(store, undefined);
    const script = new Script()
      .user("run the tests")
      .request("r")
      .answer("r", "", [["call_1", "Bash", {}]]);
    store.dispatch(events(script.approval("approval_1", commandAction)));
    assert.equal(questions.approvalId, "approval_1");
    assert.equal(questions.isNew, true, "the store has it, nobody can see it");
    for (const frame of frames) frame();
    at(1_250);
    assert.equal(questions.isNew, true);
    at(1_300);
    assert.equal(questions.isNew, false);
  });
});
