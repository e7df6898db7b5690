import assert from "node:assert/strict";
import { hasContext, ranks } from "../../fixtures/mentions/rank";

describe("ranking of paths", () => {
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
