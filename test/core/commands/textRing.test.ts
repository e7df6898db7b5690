import assert from "node:assert/strict";
import { TextRing } from "../../../src/core/commands/textRing";

describe("TextRing", () => {
  it("holds the newest and no more than it may, and counts the rest", () => {
    const ring = new TextRing(1000);
    let all = "";
    for (let count = 0; count < 500; count += 1) {
      const text = `${count} `.repeat(count % 7);
      all += text;
      ring.push(text);
      assert.equal(ring.text, all.slice(-1000));
      assert.equal(ring.dropped, Math.max(0, all.length - 1000));
    }
  });
});
