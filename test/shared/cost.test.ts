/** What requests cost, and what should have been cached. */
import assert from "node:assert/strict";
import { addUsage, costAndCache, formatCost, withCost } from "../../src/shared/cost";

const prices = { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 5, dearer: [] };

describe("what a request costs", () => {
  it("counts fresh input, what was cached, what was put into the cache and output at their own prices", () => {
    const usage = { input: 1_000_000, output: 100_000, cachedInput: 600_000, cacheWrite: 300_000 };
    const { cost, prices: used } = withCost(usage, prices);
    assert.equal(cost?.toFixed(6), (0.4 + 0.12 + 1.5 + 2).toFixed(6));
    assert.deepEqual(used, { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 5 });
  });

  it("takes the price of input where a cache has none of its own, and the dearer one for all of a long request", () => {
    const plain = withCost({ input: 1_000, output: 0, cachedInput: 500 }, { input: 2, output: 3, dearer: [] });
    assert.equal(plain.cost, 0.002);
    const tiered = { input: 1, output: 1, dearer: [{ above: 200_000, input: 2, output: 3 }] };
    assert.equal(withCost({ input: 200_000, output: 0 }, tiered).cost, 0.2);
    assert.equal(withCost({ input: 200_001, output: 1_000_000 }, tiered).cost?.toFixed(4), "3.4000");
  });

  it("is not known without prices, nor where nothing was counted; a free model costs nothing", () => {
    assert.deepEqual(withCost({ input: 5, output: 5 }, undefined), { input: 5, output: 5 });
    assert.deepEqual(withCost({ input: 0, output: 0 }, prices), { input: 0, output: 0 });
    const free = withCost({ input: 5, output: 5 }, { input: 0, output: 0, dearer: [] });
    assert.deepEqual(free, { input: 5, output: 5, cost: 0 });
  });

  it("adds up, and says where a part of it is not known", () => {
    const none = { input: 0, output: 0 };
    const known = { input: 10, output: 1, cost: 0.5, cachedInput: 4 };
    assert.deepEqual(addUsage(addUsage(none, known), known), { input: 20, output: 2, cost: 1, cachedInput: 8 });
    const mixed = addUsage(addUsage(none, { input: 3, output: 1 }), known);
    assert.deepEqual(mixed, { input: 13, output: 2, cost: 0.5, cachedInput: 4, costIsPartial: true });
    assert.equal(addUsage(mixed, known).costIsPartial, true);
    assert.equal("cost" in addUsage(none, { input: 3, output: 1 }), false);
  });

  it("is said in a few characters", () => {
    assert.deepEqual([0.1234, 0.0042, 0.0001, 12.5].map(formatCost), ["$0.12", "$0.004", "<$0.001", "$12.50"]);
    assert.equal(costAndCache({ input: 50_000, output: 1, cachedInput: 41_000, cost: 0.12 }), "$0.12 · 41k cached");
    assert.equal(costAndCache({ input: 9, output: 1, cost: 2, costIsPartial: true }), "at least $2.00");
    assert.equal(costAndCache({ input: 9, output: 1, cost: 0, cachedInput: 0 }), "");
  });
});
