/** Unsaved text in the engine's stream, and the search as a whole: as if the text had been saved. */
import assert from "node:assert/strict";
import type { GrepLine } from "../../src/core/ground/ports";
import { comparePaths, Overlay } from "../../src/vscode/search/unsavedSearch";

const lineOf = (spec: string): GrepLine => {
  const [path = "", text = ""] = spec.split(" ");
  return { path, line: 1, kind: "match", text };
};

/** `disk` and `unsaved` are "path text"; what comes out in the same words, at most `limit` lines. */
function overlaid(
  { disk = [] as string[], unsaved = [] as string[], empty = [] as string[] },
  limit = Number.POSITIVE_INFINITY,
): string[] {
  const out: string[] = [];
  const found = unsaved.map(lineOf);
  const overlay = new Overlay(new Set([...found.map(({ path }) => path), ...empty]), found, line => {
    out.push(`${line.path} ${line.text}`);
    return out.length < limit;
  });
  for (const line of disk.map(lineOf)) if (!overlay.take(line)) break;
  overlay.end();
  return out;
}

describe("the overlay of unsaved text", () => {
  const check = (name: string, given: Parameters<typeof overlaid>[0], expected: string[], limit?: number) =>
    it(name, () => assert.deepEqual(overlaid(given, limit), expected));

  check("nothing at all", {}, []);
  check("nothing unsaved has hits", { disk: ["a 1", "b 1"] }, ["a 1", "b 1"]);
  check("hits on disk of an unsaved file do not count", { disk: ["a 1", "b 1", "b 2", "c 1"], empty: ["b"] }, [
    "a 1",
    "c 1",
  ]);
  check(
    "unsaved lines stand in the place of those on disk",
    { disk: ["a 1", "b 1", "b 2", "c 1"], unsaved: ["b new", "b newer"] },
    ["a 1", "b new", "b newer", "c 1"],
  );
  check(
    "files of which only the unsaved text has hits stand by path: first, between, last",
    { disk: ["b 1", "d 1"], unsaved: ["e u", "a u", "c u"] },
    ["a u", "b 1", "c u", "d 1", "e u"],
  );
  check("only unsaved text has hits", { unsaved: ["b u", "a u"] }, ["a u", "b u"]);
  check(
    "an engine that does not sort keeps its order, and nothing comes twice or gets lost",
    { disk: ["d 1", "a 1", "c 1", "b 1"], unsaved: ["c u", "a u", "e u"] },
    ["a u", "c u", "d 1", "b 1", "e u"],
  );
  check("ends before an unsaved file", { disk: ["a 1", "b 1"], unsaved: ["c u"] }, ["a 1"], 1);
  check("ends in an unsaved file", { disk: ["a 1", "c 1"], unsaved: ["b u", "b v"] }, ["a 1", "b u"], 2);
  check("ends after the engine is done", { disk: ["a 1"], unsaved: ["b u", "c u"] }, ["a 1", "b u"], 2);

  it("paths are compared folder by folder, by code points", () => {
    const sorted = ["A.ts", "a/b.ts", "a b.ts", "a-b.ts", "a.b/x.ts", "a.ts", "z.ts", "é.ts", "ﬀ.ts", "𝒳.ts"];
    assert.deepEqual(sorted.toReversed().sort(comparePaths), sorted);
    assert.equal(comparePaths("a/b", "a/b"), 0);
  });
});
