import assert from "node:assert/strict";
import { rangeProblem } from "../../../src/core/log/applyCompaction";

const summary = (id: string, fromId: string, toId: string, count: number) => ({
  ...{ id, text: id, sha256: id, turns: { from: 1, to: 1 }, startTs: 0, cutoffTs: 1 },
  sourceRange: { fromId, toId, count },
});
const first = summary("s1", "m1", "m3", 3);
const second = summary("s2", "m4", "m5", 2);

describe("rangeProblem", () => {
  const check = (
    title: string,
    removed: string[],
    summaries: ReturnType<typeof summary>[],
    before: ReturnType<typeof summary>[],
    isRight: boolean,
  ) => it(title, () => assert.equal(rangeProblem({ removed, summaries }, before) === undefined, isRight));

  check("what went", ["m1", "m2", "m3"], [first], [], true);
  check("what went, and rules that moved", ["m1", "m2", "m3", "rules"], [first], [], true);
  check("a second one beside the first", ["m4", "m5"], [first, second], [first], true);
  check(
    "old ones put together",
    ["m6"],
    [summary("h", "m1", "m5", 5), summary("s3", "m6", "m6", 1)],
    [first, second],
    true,
  );
  check("too few", ["m1", "m2", "m3"], [summary("s", "m1", "m3", 2)], [], false);
  check("one that stays", ["m1", "m2"], [summary("s", "m1", "m9", 2)], [], false);
  check("the wrong way round", ["m1", "m2"], [summary("s", "m2", "m1", 2)], [], false);
  check("none at all", ["m1"], [summary("s", "", "", 0)], [], false);
  check(
    "an old one that says otherwise",
    ["m4", "m5"],
    [{ ...first, sourceRange: { ...first.sourceRange, count: 2 } }, second],
    [first],
    false,
  );
  check(
    "old ones with a gap",
    ["m6"],
    [summary("h", "m1", "m5", 3), summary("s3", "m6", "m6", 1)],
    [first, second],
    false,
  );
});
