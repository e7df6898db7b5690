import assert from "node:assert/strict";
import { diffArrays } from "diff";
import { commonRuns, type LineRun } from "../../../src/core/edits/commonRuns";
import { linesWithEnds, matchingLines } from "../../../src/core/edits/matchingLines";
import { cases } from "../../fakes/cases";
import { Random } from "../../fakes/random";

const length = (runs: readonly LineRun[]) => runs.reduce((sum, run) => sum + run.length, 0);
const some = (random: Random, count: number, different: number) =>
  Int32Array.from({ length: count }, () => random.int(1, different));

/** What the runs say is so: ascending, none touches the next in both, and the same content. */
function isSo(runs: readonly LineRun[], from: ArrayLike<unknown>, to: ArrayLike<unknown>): void {
  let end = { from: 0, to: 0 };
  for (const [index, run] of runs.entries()) {
    assert.ok(run.length > 0 && run.from >= end.from && run.to >= end.to);
    assert.ok(index === 0 || run.from > end.from || run.to > end.to);
    for (let at = 0; at < run.length; at += 1) assert.equal(from[run.from + at], to[run.to + at]);
    end = { from: run.from + run.length, to: run.to + run.length };
  }
}

describe("what two lists have in common", () => {
  it("is as much as another implementation finds", () => {
    for (let seed = 0; seed < cases(5_000); seed += 1) {
      const random = new Random(seed);
      const different = random.int(1, 6);
      const [from, to] = [some(random, random.int(0, 16), different), some(random, random.int(0, 16), different)];
      const runs = commonRuns(from, to);
      assert.ok(runs);
      isSo(runs, from, to);
      const reference = diffArrays([...from], [...to]).filter(({ added, removed }) => !added && !removed);
      assert.equal(
        length(runs),
        reference.reduce((sum, { count }) => sum + count, 0),
        `seed ${seed}`,
      );
    }
  });

  it("is not looked for beyond the steps that it may take", () => {
    const [from, to] = [some(new Random(1), 200, 9), some(new Random(2), 200, 9)];
    assert.ok(commonRuns(from, to));
    assert.equal(commonRuns(from, to, 100), undefined);
  });

  it("takes neither time nor memory where much was added at one place", () => {
    const from = some(new Random(1), 20_000, 2);
    assert.ok(commonRuns(Int32Array.from([7, ...from]), Int32Array.from([8, ...from, ...from, ...from])));
  });
});

describe("lines that stand in another text", () => {
  it("are found however many other lines changed", () => {
    const [from, to] = ["old", "new"].map(word =>
      linesWithEnds(Array.from({ length: 50_000 }, (_, at) => (at % 2 ? `same ${at}\n` : `${word} ${at}\n`)).join("")),
    ) as [string[], string[]];
    const runs = matchingLines(from, to);
    isSo(runs, from, to);
    assert.equal(length(runs), 25_000);
  });

  it("are those at the ends where the rest differs in too much", () => {
    const [from, to] = [1, 2].map(seed => {
      const random = new Random(seed);
      return ["head\n", ...Array.from({ length: 20_000 }, () => `${random.int(1, 1_000)}\n`), "tail\n"];
    }) as [string[], string[]];
    assert.deepEqual(matchingLines(from, to), [
      { from: 0, to: 0, length: 1 },
      { from: 20_001, to: 20_001, length: 1 },
    ]);
  });
});
