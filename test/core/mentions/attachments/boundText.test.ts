import assert from "node:assert/strict";
import { estimateTokens } from "../../../../src/core/ground/text/estimate";
import { boundText } from "../../../../src/core/mentions/attachments/attachmentTexts";

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`);

describe("a bounded text", () => {
  it("is whole where it fits", () => {
    assert.equal(boundText("one\ntwo", { tokens: 100, head: 0.5 }, ""), undefined);
  });

  it("has its beginning, its end, and how much is left out", () => {
    const cut = boundText(lines(1, 1000).join("\n"), { tokens: 100, head: 0.5 }, ", all of it elsewhere") ?? "";
    const kept = cut.split("\n");
    const at = kept.findIndex(line => line.startsWith("[…"));
    const [head, tail] = [kept.slice(0, at), kept.slice(at + 1)];
    assert.equal(kept[at], `[… ${1000 - head.length - tail.length} lines left out, all of it elsewhere]`);
    assert.deepEqual(head, lines(1, head.length));
    assert.deepEqual(tail, lines(1001 - tail.length, 1000));
    assert.ok(head.length > 5 && tail.length > 5);
    assert.ok(estimateTokens([...head, ...tail].join("\n")) <= 100);
  });

  it("cuts lines that are too long, not between the halves of a character", () => {
    const cut = boundText(`a\n${"😀".repeat(2000)}\nb`, { tokens: 100_000, head: 1 }, "") ?? "";
    assert.match(cut, /^a\n(?:😀){1000}… \[2,000 more characters\]\nb$/u);
  });
});
