import assert from "node:assert/strict";
import { takeSnapshot } from "../../../src/core/log/applyCompaction";
import { runLines, turnSoFar } from "../../../src/core/log/runs";
import { childRecord } from "../../fakes/children";
import { messageRecord } from "../../fakes/records";
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

describe("what a turn took", () => {
  it("has what its children took, each once, through a compaction in its middle and a restart", async () => {
    const recorded = await Recorded.start();
    await recorded.round("before");
    const usage = { input: 100, output: 10, cost: 0.1 };
    const ended = (turn: number) => childRecord({ childId: `ses_${turn}`, phase: "ended", usage, turn });
    const say = (id: string) => messageRecord(id === "u" ? "user" : "assistant", id, { id, turn: 2, usage, step: 1 });
    await recorded.history.appendAll([messageRecord("user", "go", { id: "u", turn: 2 }), say("a"), ended(2), ended(1)]);
    const took = () => turnSoFar(recorded.history.records, 2).usage;
    assert.deepEqual([took().input, took().cost], [200, 0.2]);
    const { history } = recorded;
    const gone = { removed: ["a"], folded: [], summaries: [], tokens: { before: 9, after: 1 }, durationMs: 1 };
    const more = {
      ...gone,
      kind: "compaction" as const,
      reason: "manual" as const,
      rounds: { summarised: 1, kept: 1, pinned: 0 },
    };
    await history.commitCompaction(more, () => takeSnapshot(history.conversation, [], turnSoFar(history.records, 2)));
    const { conversation } = history;
    await recorded.reopen();
    assert.deepEqual(recorded.history.conversation, conversation);
    assert.deepEqual([took().input, conversation.spent.input, conversation.children.size], [200, 300, 2]);
    await recorded.history.append(ended(2));
    assert.equal(took().input, 300);
  });
});
