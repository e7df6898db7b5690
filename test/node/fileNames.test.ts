/** Names on disk that are written in another way than they are called: forms of Unicode, marks, what a glob would read. */
import assert from "node:assert/strict";
import { callsOnDisk as results } from "../fakes/onDisk";

const nfd = (text: string) => text.normalize("NFD");

/** On disk, and as it is called. */
const FORMS: [string, string, string][] = [
  ["composed, of a name in parts", nfd("café.txt"), "café.txt"],
  ["with folders each in another form", `${nfd("Übung")}/é/${nfd("ñ")}.txt`, `Übung/${nfd("é")}/ñ.txt`],
];

describe("a name in another form of Unicode", () => {
  for (const [what, stored, called] of FORMS)
    it(`is the file that is there: called ${what}`, async () => {
      const { texts, there, first } = await results({ [stored]: "one two\n" }, [
        ["Read", { file_path: called }],
        ["Edit", { file_path: called, old_string: "one", new_string: "1" }],
        ["Write", { file_path: called, content: "whole\n" }],
        ["Grep", { path: called, pattern: "whole" }],
        ["Grep", { glob: called, pattern: "whole" }],
        ["Glob", { pattern: called }],
      ]);
      assert.match(texts[0] ?? "", /1\tone two/);
      assert.match(texts[1] ?? "", /^Edited/);
      assert.match(texts[2] ?? "", /saved/);
      assert.match(texts[3] ?? "", /1:whole/);
      assert.match(texts[4] ?? "", /1:whole/);
      assert.ok((texts[5] ?? "").includes(stored), texts[5]);
      assert.equal(first.toString(), "whole\n");
      assert.deepEqual(there.at(-1), stored);
      assert.equal(there.length, stored.split("/").length);
    });

  it("is its own file where both are there", async () => {
    const [one, other] = ["é.txt", nfd("é.txt")];
    const { texts } = await results({ [one]: "composed\n", [other]: "in parts\n" }, [
      ["Read", { file_path: one }],
      ["Read", { file_path: other }],
    ]);
    assert.match(texts[0] ?? "", /composed/);
    assert.match(texts[1] ?? "", /in parts/);
  });
});

describe("a name with a character that nobody sees", () => {
  it("is read where the mark is written", async () => {
    const { texts } = await results({ "a\u202fb.txt": "x\n" }, [["Read", { file_path: "a⟦U+202F⟧b.txt" }]]);
    assert.match(texts[0] ?? "", /1\tx/);
  });
});

const ROUTES = {
  "app/[locale]/(auth)/page.tsx": "needle\n",
  "app/l/(auth)/page.tsx": "needle\n",
  "app/[...slug]/page.tsx": "needle\n",
  "app/s/page.tsx": "needle\n",
  "app/[[...opt]]/page.tsx": "needle\n",
  "app/[post-id]/route.ts": "needle\n",
  "app/@modal/(.)photo/page.tsx": "needle\n",
  "routes/$id.tsx": "needle\n",
  "routes/+page.svelte": "needle\n",
  "routes/{a}/x.ts": "needle\n",
  "routes/!(x)/y.ts": "needle\n",
  "routes/[id].ts": "needle\n",
};

/** A pattern, and all that it means. */
const GLOBS: [string, string[]][] = [
  ["app/[locale]/(auth)/page.tsx", ["app/[locale]/(auth)/page.tsx"]],
  ["app/[...slug]/page.tsx", ["app/[...slug]/page.tsx"]],
  ["app/[[...opt]]/*.tsx", ["app/[[...opt]]/page.tsx"]],
  ["routes/{a}/*.ts", ["routes/{a}/x.ts"]],
  ["routes/!(x)/*.ts", ["routes/!(x)/y.ts"]],
  ["**/[id].ts", ["routes/[id].ts"]],
  ["!app/[locale]/**", Object.keys(ROUTES).filter(path => !path.startsWith("app/[locale]/"))],
  ["app/[ls]/**/*.tsx", ["app/l/(auth)/page.tsx", "app/s/page.tsx"]],
];

describe("a pattern that is a path on disk", () => {
  for (const [pattern, meant] of GLOBS)
    it(`means that path: ${pattern}`, async () => {
      const { texts } = await results(ROUTES, [
        ["Glob", { pattern }],
        ["Grep", { pattern: "needle", glob: pattern, output_mode: "files_with_matches" }],
      ]);
      const lines = (text = "") =>
        text
          .split("\n")
          .filter(line => /^(app|routes)\//.test(line))
          .sort();
      const wanted = meant.toSorted();
      assert.deepEqual([lines(texts[0]), lines(texts[1])], [wanted, wanted]);
    });

  it("is one for the tools that take a path", async () => {
    for (const path of Object.keys(ROUTES)) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      const { texts } = await results({ [path]: "needle\n" }, [
        ["Read", { file_path: path }],
        ["LS", { path: folder }],
        ["Grep", { pattern: "needle", path: folder }],
      ]);
      for (const text of texts) assert.match(text, /needle|page|route|\.ts/, path);
    }
  });
});
