import assert from "node:assert/strict";
import { queries } from "../../fixtures/mentions/queries";
import { entriesOf, hasContext, ranks } from "../../fixtures/mentions/rank";
import { repository } from "../../fixtures/mentions/repository";

describe("ranking of paths", () => {
  it("is tried with queries for what is there", () => {
    const entries = new Set(entriesOf(repository()));
    const all = queries();
    const named = all.flatMap(({ path, current, open, recent }) => [
      path,
      ...(current ? [current] : []),
      ...open,
      ...recent,
    ]);
    assert.deepEqual(
      named.filter(path => !entries.has(path)),
      [],
    );
  });

  it("puts what is meant first in at least 92 of 100, and more often than fzf", () => {
    const all = ranks();
    const first = (list: typeof all, by: "ours" | "fzf") => list.filter(ranked => ranked[by] === 0).length;
    const missed = all.filter(({ ours }) => ours !== 0).map(({ query, path, ours }) => `${query} > ${path}: ${ours}`);
    assert.ok(first(all, "ours") >= 0.92 * all.length, missed.join("\n"));
    assert.ok(first(all, "ours") > first(all, "fzf"));
    const alone = all.filter(one => !hasContext(one));
    assert.ok(first(alone, "ours") > first(alone, "fzf"), "where nothing is near either");
    assert.ok(all.filter(({ ours }) => ours >= 0 && ours < 10).length >= 0.95 * all.length, "and nearly always shown");
  });
});
