/** What a call's long input becomes once its turn has settled, and how that is known again. */
import assert from "node:assert/strict";
import { leftOutMark, settledInput } from "../../../src/core/tool/resultForms";

const long = "x".repeat(5_000);
const place = () => "see a.ts";

describe("a settled input", () => {
  it("has the beginning of long texts, wherever they stand, and says where the rest is", () => {
    const short = `${"x".repeat(2_001)}\n[… 2,999 more characters, left out here: see a.ts]`;
    assert.deepEqual(settledInput({ file_path: "a.ts", content: long }, place), { file_path: "a.ts", content: short });
    assert.deepEqual(settledInput({ edits: [{ old_string: "a", new_string: long }], all: true, at: null }, place), {
      edits: [{ old_string: "a", new_string: short }],
      all: true,
      at: null,
    });
  });

  it("is none where nothing is long", () => {
    for (const input of [{ command: "x".repeat(1_200) }, "short", null]) {
      assert.equal(settledInput(input, place), undefined);
    }
    assert.ok(String(settledInput("字".repeat(1_000), place)).length < 800, "counted in tokens");
  });

  it("has 40 lines of what has more, and all where a note would be as long", () => {
    const lines = Array.from({ length: 60 }, (_, at) => `const line${at} = "${"y".repeat(20)}";`);
    assert.equal(String(settledInput(lines.join("\n"), place)).split("\n").length, 41);
    assert.equal(settledInput("x".repeat(2_100), place), undefined);
  });

  it("cuts no sign in two", () => {
    const text = `${"x".repeat(2_000)}😀${long}`;
    assert.match(String(settledInput(text, place)), /^x{2000}\n\[… 5,002 more characters/);
  });

  it("is known by its mark", () => {
    assert.equal(leftOutMark(`a ${String(settledInput(long, place))}`), "[… 2,999 more characters, left out here: ");
    assert.equal(leftOutMark("[… 12 more lines, left out]"), undefined);
  });
});
