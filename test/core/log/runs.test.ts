import assert from "node:assert/strict";
import { runLines } from "../../../src/core/log/runs";
import { Recorded } from "./recorded";

const when = /\d{4}-\d\d-\d\dT\d\d:\d\dZ/;

describe("the list of turns", () => {
  it("has a line for each turn, live or archived, and names an archive that is missing", async () => {
    const recorded = await Recorded.start();
    await recorded.round("first  words\nand more", ["one", "two"], "Answer to it");
    await recorded.round("second");
    await recorded.compact([1]);
    await recorded.round("third");
    const { lines, missing } = await runLines(recorded.history);
    assert.deepEqual(
      lines.map(line => line.replace(when, "then")),
      [
        'turn 3 · then · done · "third" · no calls · answered "Done."',
        'turn 2 · then · done · "second" · no calls · answered "Done."',
        'turn 1 · then · done · "first words and more" · 2 calls: Bash run 1.0; Bash run 1.1 · answered "Answer to it"',
      ],
    );
    assert.deepEqual(missing, []);
    recorded.remove("archive/0001.jsonl");
    await recorded.reopen();
    const rest = await runLines(recorded.history);
    assert.deepEqual([rest.lines.length, rest.missing], [2, ["archive/0001.jsonl"]]);
  });
});
