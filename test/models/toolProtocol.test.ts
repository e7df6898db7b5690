import assert from "node:assert/strict";
import type { ModelConnection } from "../../src/core/ground/ports";
import { ToolProtocol } from "../../src/models/react/protocol";
import { FakeClock } from "../fakes/clock";

const connection = { name: "gemma", address: "http://localhost:11434/v1" } as ModelConnection;
const usual = { takesStop: true, takesTools: true };
const DAY = 86_400_000;
const clock = new FakeClock();

function store(at?: number) {
  const known: Record<string, number> = at === undefined ? {} : { "http://localhost:11434/v1 gemma": at };
  return {
    known,
    read: async () => known,
    add: async (model: string, when: number) => {
      known[model] = when;
    },
  };
}

const chosen = async (setting: "auto" | "tools" | "react", memory = store(), more = {}) =>
  new ToolProtocol(clock, memory).choose(connection, { ...usual, setting, ...more });

describe("models: how tools travel", () => {
  it("as the setting says", async () => {
    assert.deepEqual([(await chosen("tools")).protocol, (await chosen("tools")).withoutTools], [undefined, undefined]);
    const react = await chosen("react");
    assert.deepEqual([react.protocol, react.withoutTools, react.warning], ["react", undefined, undefined]);
  });

  it("as tools, and as text once the server refused them: for other connections of that model, and later processes", async () => {
    const memory = store();
    const protocol = new ToolProtocol(clock, memory);
    const first = await protocol.choose(connection, { ...usual, setting: "auto" });
    assert.equal(first.protocol, undefined);
    const textual = first.withoutTools?.();
    assert.deepEqual([textual?.protocol, textual?.withoutTools], ["react", undefined]);
    assert.match(textual?.warning ?? "", /"gemma" at http:\/\/localhost:11434\/v1 takes no tools/);
    assert.equal((await protocol.choose(connection, { ...usual, setting: "auto" })).protocol, "react");
    assert.equal(
      (await protocol.choose({ ...connection, name: "other" }, { ...usual, setting: "auto" })).protocol,
      undefined,
    );
    assert.equal((await chosen("auto", memory)).protocol, "react");
    assert.equal((await chosen("tools", memory)).protocol, undefined);
  });

  it("the server is asked again after a week", async () => {
    assert.equal((await chosen("auto", store(clock.now() - 6 * DAY))).protocol, "react");
    assert.equal((await chosen("auto", store(clock.now() - 8 * DAY))).protocol, undefined);
  });

  it("as text where the model is known to take none", async () => {
    assert.equal((await chosen("auto", store(), { takesTools: false })).protocol, "react");
    assert.equal((await chosen("tools", store(), { takesTools: false })).protocol, undefined);
  });

  it("a memory that cannot be written is no error", async () => {
    const memory = { ...store(), add: () => Promise.reject(new Error("read-only")) };
    assert.equal((await chosen("auto", memory)).withoutTools?.().protocol, "react");
  });
});
