/** What a call's long input becomes once its turn has settled, and how that is known again. */
import assert from "node:assert/strict";
import { leftOutMark, settledInput } from "../../../src/core/toolkit/settledInput";

const long = "x".repeat(5_000);
const place = () => "see a.ts";

describe("a settled input", () => {
  it("has the beginning of long texts, wherever they stand, and says where the rest is", () => {
    const short = `${"x".repeat(300)}\n[… 4,700 more characters, left out here: see a.ts]`;
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
    assert.ok(settledInput({ command: "字".repeat(401) }, place), "counted in tokens");
  });

  it("cuts no sign in two", () => {
    const text = `${"x".repeat(299)}😀${long}`;
    assert.match(String(settledInput(text, place)), /^x{299}\n\[… 5,002 more characters/);
  });

  it("is known by its mark", () => {
    assert.equal(leftOutMark(`a ${String(settledInput(long, place))}`), "[… 4,700 more characters, left out here: ");
    assert.equal(leftOutMark("[… 12 more lines, left out]"), undefined);
  });
});
