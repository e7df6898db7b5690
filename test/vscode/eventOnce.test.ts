/** Events of the editor are waited for, and then nobody listens any more. */
import assert from "node:assert/strict";
import { eventOnce } from "../../src/vscode/platform/async";

/** An event that tells who listens. */
function eventOf() {
  const listeners = new Set<(value: string) => unknown>();
  return {
    listeners,
    fire: (value: string) => listeners.forEach(listener => void listener(value)),
    event(listener: (value: string) => unknown) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

describe("an event of the editor that is waited for", () => {
  const isReady = (state: string) => state === "ready";

  it("is the first that it should be", async () => {
    const { event, fire, listeners } = eventOf();
    const waiting = eventOnce(event, isReady, new AbortController().signal);
    fire("starting");
    assert.equal(listeners.size, 1);
    fire("ready");
    assert.equal(await waiting, "ready");
    assert.equal(listeners.size, 0);
  });

  it("is not waited for any longer than somebody wants it", async () => {
    const { event, listeners } = eventOf();
    const controller = new AbortController();
    const waiting = eventOnce(event, isReady, controller.signal);
    controller.abort(new Error("stopped"));
    await assert.rejects(waiting, /stopped/);
    await assert.rejects(eventOnce(event, isReady, controller.signal), /stopped/);
    assert.equal(listeners.size, 0);
  });
});
