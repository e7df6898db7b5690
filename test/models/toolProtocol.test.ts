import assert from "node:assert/strict";
import type { ModelConnection } from "../../src/core/ground/ports";
import { ToolProtocol } from "../../src/models/react/protocol";

const connection = { name: "gemma", address: "http://localhost:11434/v1" } as ModelConnection;
const usual = { takesStop: true, takesTools: true };

const chosen = async (setting: "auto" | "tools" | "react", more = {}) =>
  new ToolProtocol().choose(connection, { ...usual, setting, ...more });

describe("models: how tools travel", () => {
  it("as the setting says", async () => {
    assert.deepEqual([(await chosen("tools")).protocol, (await chosen("tools")).withoutTools], [undefined, undefined]);
    const react = await chosen("react");
    assert.deepEqual([react.protocol, react.withoutTools, react.warning], ["react", undefined, undefined]);
  });

  it("as tools, and as text once the server refused them: for other connections of that model, too", async () => {
    const protocol = new ToolProtocol();
    const first = await protocol.choose(connection, { ...usual, setting: "auto" });
    assert.equal(first.protocol, undefined);
    const textual = first.withoutTools?.();
    assert.deepEqual([textual?.protocol, textual?.withoutTools], ["react", undefined]);
    assert.match(textual?.warning ?? "", /gemma at localhost:11434 takes no tools/);
    const again = (setting: "auto" | "tools", name = "gemma") =>
      protocol.choose({ ...connection, name }, { ...usual, setting });
    assert.equal((await again("auto")).protocol, "react");
    assert.equal((await again("auto", "other")).protocol, undefined);
    assert.equal((await again("tools")).protocol, undefined);
  });

  it("as text where the model is known to take none", async () => {
    assert.equal((await chosen("auto", { takesTools: false })).protocol, "react");
    assert.equal((await chosen("tools", { takesTools: false })).protocol, undefined);
  });
});
