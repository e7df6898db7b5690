import assert from "node:assert/strict";
import { FirstSteps } from "../../src/vscode/panel/firstSteps";

function start() {
  const kept = new Map<string, unknown>();
  const told: string[] = [];
  const state = {
    get: <T>(name: string) => kept.get(name) as T | undefined,
    update: async (name: string, value: unknown) => void kept.set(name, value),
  };
  return { told, open: () => new FirstSteps(state, () => told.push("done")) };
}

describe("the first steps", () => {
  it("stay, reloads included, from a window without a model until one has answered", () => {
    const { told, open } = start();
    assert.equal(open().areOpen("none", true), true);
    assert.equal(open().areOpen("ready", true), true);
    open().done();
    assert.equal(open().areOpen("ready", true), false);
    open().done();
    assert.deepEqual(told, ["done"]);
  });

  it("do not begin in a workspace that is not trusted: the model that it sets is seen once it is", () => {
    const { open } = start();
    assert.equal(open().areOpen("none", false), true);
    assert.equal(open().areOpen("ready", true), false);
  });

  it("are not shown to whom a model was there from the start", () => {
    assert.equal(start().open().areOpen("ready", true), false);
  });
});
