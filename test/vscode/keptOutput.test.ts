/** What is kept of a terminal's command. */
import assert from "node:assert/strict";
import { KeptOutput } from "../../src/vscode/attachments/keptOutput";

async function* printed(pieces: readonly string[], failure?: Error) {
  yield* pieces;
  if (failure) throw failure;
}

describe("the output of a terminal's command", () => {
  const check = (title: string, output: AsyncIterable<string>, expected: KeptOutput["text"]) =>
    it(title, async () => {
      const kept = new KeptOutput(output);
      await kept.done;
      assert.deepEqual(kept.text, expected);
    });
  check("is one text where all of it is kept", printed(["one\n", "two\n"]), {
    ...{ head: "one\ntwo\n", dropped: 0, tail: "" },
  });
  check(
    "is its beginning and its end where it is long",
    printed(["a".repeat(16_384), "b".repeat(10), "c".repeat(65_536)]),
    {
      ...{ head: "a".repeat(16_384), dropped: 10, tail: "c".repeat(65_536) },
    },
  );
  check("is what came until it could not be read any further", printed(["one\n"], new Error("the terminal is gone")), {
    ...{ head: "one\n", dropped: 0, tail: "" },
  });
});
