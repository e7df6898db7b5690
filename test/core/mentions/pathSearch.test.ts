/** The quick ways of the search against slow and simple ones. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Aligner } from "../../../src/core/mentions/paths/align";
import { Mark } from "../../../src/core/mentions/paths/fold";
import { points } from "../../../src/core/mentions/paths/points";
import { type Query, queryOf } from "../../../src/core/mentions/paths/query";
import { Searcher } from "../../../src/core/mentions/paths/searcher";
import { nameBonus, plainCost } from "../../../src/core/mentions/paths/shape";
import { PathStore } from "../../../src/core/mentions/paths/store";
import { cases } from "../../fakes/cases";
import { manyPaths } from "../../fixtures/mentions/many";

const letter = fc.constantFrom(..."abcABC1._-é中");
const segment = fc.string({ unit: letter, minLength: 1, maxLength: 6 }).filter(text => /[^.]/.test(text));
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map(parts => parts.join("/"));
const typed = fc.string({ unit: fc.constantFrom(..."abcAB1./é中"), minLength: 0, maxLength: 5 });

function storeOf(paths: readonly string[]): PathStore {
  const store = new PathStore(false);
  for (const one of paths) store.addFile(1, one);
  return store;
}

/** Tries all ways to find the characters of the query. */
function bestOf(store: PathStore, query: Query, id: number): number | undefined {
  const start = store.records.start(id);
  const length = store.records.size(id);
  const value = (row: number, at: number, before: number): number => {
    const mark = store.marks.data[start + at] ?? 0;
    const bonus = points.mark[mark & Mark.kinds] ?? 0;
    const own =
      (at >= store.records.name(id) ? points.inName : 0) +
      (query.upper[row] === 1 && (mark & Mark.upper) !== 0 ? points.sameCase : 0);
    if (row === 0) return own + bonus + (bonus >> 1);
    if (at === before + 1) return own + Math.max(bonus, points.follows);
    return own + bonus - points.gap - points.gapCharacter * (at - before - 2);
  };
  const from = (row: number, before: number): number => {
    if (row === query.length) return 0;
    let best = Number.NEGATIVE_INFINITY;
    for (let at = before + 1; at < length; at++) {
      if (store.units.data[start + at] !== query.units[row]) continue;
      best = Math.max(best, value(row, at, before) + from(row + 1, at));
    }
    return best;
  };
  const best = from(0, -1);
  return best === Number.NEGATIVE_INFINITY ? undefined : best;
}

describe("search of paths", () => {
  it("finds the best way to match", () => {
    fc.assert(
      fc.property(
        path,
        typed.filter(text => text.length > 0),
        (one, text) => {
          const store = storeOf([one]);
          const query = queryOf(text);
          if (!query || query.length === 0) return;
          const aligner = new Aligner(store);
          for (let id = 0; id < store.count; id++) {
            const score = aligner.score(query, id);
            assert.equal(score, bestOf(store, query, id));
            const positions = aligner.positions(query, id);
            assert.equal(positions.length, score === undefined ? 0 : query.length);
            const start = store.records.start(id);
            positions.forEach((at, row) => {
              assert.equal(store.units.data[start + at], query.units[row]);
              assert.ok(row === 0 || at > (positions[row - 1] ?? 0));
            });
          }
        },
      ),
      { numRuns: cases(2000) },
    );
  });

  function sameAsAll(store: PathStore, text: string, limit: number, folder: number) {
    const query = queryOf(text);
    if (!query) return;
    const near = { root: folder < 0 ? 0 : 1, folder, open: [0], recent: store.count > 1 ? [1] : [] };
    const quick = new Searcher(store).search(text, limit, near);
    const all = new Searcher(store).search(text, store.count, near);
    const aligner = new Aligner(store);
    const count = Array.from({ length: store.count }, (_, id) => id).filter(
      id => query.length === 0 || aligner.score(query, id) !== undefined,
    ).length;
    assert.equal(all.length, count, "all that match are found");
    assert.deepEqual(quick, all.slice(0, limit));
    for (const { id, score } of all) {
      const own = query.length === 0 ? 0 : (aligner.score(query, id) ?? 0);
      const rest = score - own - nameBonus(store, id, query) + plainCost(store, id, query);
      assert.ok(rest >= 0 && rest <= points.open + points.recent + points.near[0], "only what is near is added");
    }
  }

  it("finds the same by bounds as by looking at all", () => {
    const inputs = fc.tuple(fc.array(path, { minLength: 1, maxLength: 40 }), typed, fc.integer({ min: 1, max: 5 }));
    fc.assert(
      fc.property(inputs, fc.integer({ min: -1, max: 3 }), ([paths, text, limit], near) => {
        const store = storeOf(paths);
        sameAsAll(store, text, limit, near < store.count && near >= 0 && store.kind(near) === "folder" ? near : -1);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("and in a large repository", () => {
    const store = storeOf(manyPaths(3000));
    for (const text of ["s", "se", "ts", "pi", "src/co/pa", "usrv", "index.ts", "readme", "zqx", "OrderService", ""]) {
      sameAsAll(store, text, 20, 0);
    }
  });
});
