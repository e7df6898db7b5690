/** An answer that reaches the most tokens it may have in the middle of a call, through a whole turn. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OfflineAnswer } from "../../scripts/offline-model/server.mjs";
import { endWorlds, newest, proven, records, say, sent, world } from "./world";

const cut = (input: string, name = "Write") => ({ calls: [{ name, input }], finishReason: "length" });
const half = (text: string) => cut(`{"file_path":"long.ts","content":"${text}`);

describe("over HTTP: a call that was cut off", () => {
  afterEach(endWorlds);

  it("is told to the model, with what to do instead, and nothing of it is done", async () => {
    const at = await world();
    await say(
      at,
      "Write a long file.",
      half("one"),
      { calls: [{ name: "Write", input: { file_path: "long.ts", content: "one\n" } }] },
      { text: "Done." },
    );
    assert.match(sent(at), /Write was cut off: .*most tokens .*in parts/);
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.ok(existsSync(join(at.workspace, "long.ts")));
    await proven(at);
  });

  it("ends the turn after the third in a row, with a way to the setting", async () => {
    const at = await world();
    await say(at, "Write a long file.", half("one"), half("two"), half("three"), { text: "Never asked for." });
    const { reason, error } = newest(at, "turnEnd");
    assert.deepEqual([reason, error?.code], ["limit", "cut-calls"]);
    assert.match(error?.message ?? "", /^3 answers in a row .* of Write/);
    assert.deepEqual(error?.actions, ["continue", "set-longest"]);
    assert.equal(at.script.asked.length, 3);
    assert.ok(!existsSync(join(at.workspace, "long.ts")));
    await say(at, "Go on.", { text: "In parts, then." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
  });

  it("counts those in a row only", async () => {
    const at = await world({ files: { "a.ts": "a\n" } });
    const reads = { calls: [{ name: "Read", input: { file_path: "a.ts" } }] };
    await say(at, "Write.", half("1"), half("2"), reads, half("3"), half("4"), { text: "Done." });
    assert.equal(newest(at, "turnEnd").reason, "done");
  });

  const others: readonly [string, OfflineAnswer][] = [
    ["before its input", cut("")],
    ["in the name of a field", cut('{"file_pa')],
    ["in an escape", half("one\\\\")],
    ["behind a whole call", { ...half("x"), calls: [{ name: "LS", input: {} }, ...half("x").calls] }],
    ["by a server that says tool_calls", { ...half("x"), finishReason: "tool_calls" }],
    ["by a server that says stop", { ...half("x"), finishReason: "stop" }],
    ["in a number", cut('{"file_path":"a.ts","offset":1', "Read")],
  ];
  for (const [what, answer] of others) {
    it(`is one: ${what}`, async () => {
      const at = await world({ files: { "a.ts": "a\n" } });
      await say(at, "Go.", answer, { text: "Done." });
      assert.match(sent(at), /was cut off|ends in the middle: .*in parts/);
      assert.equal(newest(at, "turnEnd").reason, "done");
    });
  }

  it("is one in the text protocol too", async () => {
    const at = await world({ settings: { "model.protocol": "react" } });
    const text = 'Action: Write[{"file_path": "long.ts", "content": "one';
    await say(at, "Write.", { text, finishReason: "length" }, { text: "Action: Finish[Done.]" });
    assert.match(sent(at), /Write was cut off/);
    assert.equal(newest(at, "turnEnd").reason, "done");
  });

  it("none is where only its JSON is broken", async () => {
    const at = await world({ files: { "a.ts": "a\n" } });
    const answer = { calls: [{ name: "Read", input: '{"file_path": a.ts}' }] };
    await say(at, "Read.", answer, { text: "Done." });
    assert.match(sent(at), /not valid JSON/);
    assert.doesNotMatch(sent(at), /was cut off/);
    assert.equal(records(at, "message").length, 3);
  });
});
