import assert from "node:assert/strict";
import { TextRing } from "../../../src/core/commands/textRing";

describe("TextRing", () => {
  it("keeps the newest, counts the rest, and joins what belongs together", () => {
    const ring = new TextRing(10);
    ring.push("stdout", "abc");
    ring.push("stdout", "def");
    ring.push("stderr", "");
    ring.push("stderr", "XY");
    assert.deepEqual(ring.pieces, [
      { stream: "stdout", text: "abcdef" },
      { stream: "stderr", text: "XY" },
    ]);
    ring.push("stdout", "ghijk");
    assert.deepEqual([ring.text, ring.dropped], ["defXYghijk", 3]);
    ring.push("stderr", "0123456789ABC");
    assert.deepEqual([ring.text, ring.dropped], ["3456789ABC", 16]);
  });

  it("holds no more than it may, whatever comes", () => {
    const ring = new TextRing(1000);
    let all = "";
    for (let count = 0; count < 500; count += 1) {
      const text = `${count} `.repeat(count % 7);
      all += text;
      ring.push(count % 3 ? "stdout" : "stderr", text);
      assert.equal(ring.text, all.slice(-1000));
      assert.equal(ring.dropped, Math.max(0, all.length - 1000));
    }
  });
});
