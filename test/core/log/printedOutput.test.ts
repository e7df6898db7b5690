/** What a command printed, as the panel shows it. */
import assert from "node:assert/strict";
import { printedOutput } from "../../../src/core/log/handles";
import type { RecordOf } from "../../../src/shared/records";

const shown = "Exit code 3 after 1 s.\none\ntwo\n(401 lines.)\nThe working directory is now /a.";

function printed(output: string | undefined, ended?: RecordOf<"result">["ended"]) {
  const bytes = output === undefined ? undefined : new TextEncoder().encode(output);
  const raw = { sha256: "3fa9c1d2e4b5".padEnd(64, "0"), bytes: bytes?.length ?? 0, inline: output === undefined };
  const files = { getBlob: async () => bytes, getSnapshot: async () => undefined };
  const record = { kind: "result", forms: { shown }, raw, ended } as unknown as RecordOf<"result">;
  return printedOutput({ files }, record);
}

describe("what a command printed", () => {
  it("a short one is all of it, without what the model was told around it", async () => {
    assert.deepEqual(await printed(undefined, { printed: { first: 1, count: 2 } }), { first: "one\ntwo", last: "" });
    assert.deepEqual(await printed(undefined, { printed: { first: 1, count: 0 } }), { first: "", last: "" });
    assert.deepEqual(await printed("a\rb\n"), { first: "a\rb\n", last: "" });
  });

  it("of an older log it is what the model got", async () => {
    assert.deepEqual(await printed(undefined), { first: shown, last: "" });
  });

  it("of 60,000 lines it is the beginning and the end, with what lies between counted", async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at + 1}: ünïcödé`);
    const { first, last, hidden, handle } = await printed(`${lines.join("\n")}\n`);
    assert.deepEqual(first.split("\n").slice(0, 2), lines.slice(0, 2));
    assert.ok(last.endsWith(`${lines.at(-1)}\n`));
    const known = first.split("\n").length - 1 + last.split("\n").length - 1;
    assert.equal(known + (hidden?.lines ?? 0), 60_000);
    assert.ok(known < 700 && known > 200);
    assert.equal(handle, "obs:3fa9c1d2e4b5");
    assert.ok(last.startsWith("line "), "it begins with a whole line");
  });

  it("one line of 5 MB is cut between characters", async () => {
    const { first, last, hidden } = await printed("é".repeat(2_500_000));
    assert.ok(/^é+$/.test(first) && /^é+$/.test(last));
    assert.equal(hidden?.lines, 0);
    assert.equal(2 * (first.length + last.length) + (hidden?.bytes ?? 0), 5_000_000);
    assert.ok(first.length + last.length < 40_000);
  });
});
