/** One answer, collected from its parts, where they are too much. Over HTTP: modelStep.test.ts. */
import assert from "node:assert/strict";
import { Answer } from "../../../../src/core/context/requests/answer";

describe("an answer", () => {
  it("has a call without its input where that is longer than any tool takes", () => {
    const answer = new Answer([{ name: "Read" }], () => undefined, { maxAnswerLength: Number.POSITIVE_INFINITY });
    for (const characters of [3_999_900, 4_000_000])
      answer.add({
        ...{ type: "tool-call", toolCallId: `c${characters}`, toolName: "Read" },
        input: JSON.stringify({ file_path: "x".repeat(characters) }),
      });
    const [fits, tooLong] = answer.parts().filter(part => part.type === "dynamic-tool");
    assert.deepEqual([fits?.errorText, Object.keys(fits?.input ?? {})], [undefined, ["file_path"]]);
    assert.deepEqual([tooLong?.errorText, tooLong?.input], ["its input is too long or nested too deeply.", {}]);
  });
});
