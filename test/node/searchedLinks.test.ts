import assert from "node:assert/strict";
import { callsOnDisk } from "../fakes/onDisk";

describe("links in a search", () => {
  it("are not followed: a file is told under its own name", async () => {
    const files = {
      ".env": "needle=1\n",
      "x/a.ts": "needle\n",
      y: "link:x",
      "b.ts": "link:x/a.ts",
      "c.txt": "link:.env",
    };
    const { texts } = await callsOnDisk(files, [
      ["Grep", { pattern: "needle", output_mode: "files_with_matches" }],
      ["Glob", { pattern: "**/*.ts" }],
    ]);
    assert.match(texts[0] ?? "", /^x\/a\.ts\n\(1 file\)/);
    assert.match(texts[1] ?? "", /^x\/a\.ts/);
    assert.doesNotMatch(texts.join(), /y\/|b\.ts|c\.txt/);
  });

  it("are listed by LS with what they lead to", async () => {
    const files = {
      ".gitignore": "/real\n",
      "real/sub/a.ts": "x\n",
      "src/link": "link:../real",
      "src/up": "link:..",
      "src/out": "link:../../outside",
      "src/b/c.ts": "x\n",
      "src/again": "link:b",
    };
    const { texts } = await callsOnDisk(files, [["LS", { path: "src", depth: 3 }]]);
    const [text = ""] = texts;
    assert.match(text, /link\/ {2}\(link to real\)\n/);
    assert.match(text, /up\/ {2}\(link to \.\)\n/);
    assert.doesNotMatch(text, /sub\//);
  });
});

describe("Glob that finds little", () => {
  for (const [what, files, pattern, said] of [
    [
      "all of it ignored",
      { ".gitignore": "dist/\n", "dist/a.js": "x", "dist/b.js": "x", "c.ts": "x" },
      "**/*.js",
      /No file that is not ignored matches \*\*\/\*\.js in the workspace\. 2 ignored files match: dist\/a\.js, …/,
    ],
    [
      "one ignored",
      { ".gitignore": "*.log\n", "a.log": "x", "c.ts": "x" },
      "*.log",
      /1 ignored file matches: a\.log\./,
    ],
    [
      "some of it ignored",
      { ".gitignore": "dist/\n", "dist/a.js": "x", "b.js": "x" },
      "**/*.js",
      /^b\.js\n1 ignored file matches: dist\/a\.js\./,
    ],
    [
      "one in a folder that it names",
      { ".gitignore": "dist/\n", "dist/js/a.js": "x", "dist/b.js": "x", "js/a.js": "x" },
      "dist/js/*.js",
      /No file that is not ignored .* 1 ignored file matches: dist\/js\/a\.js\./,
    ],
    [
      "one in a folder that is not there",
      { ".gitignore": "dist/\n", "dist/js/a.js": "x" },
      "dist/ts/*.js",
      /^No file matches dist\/ts\/\*\.js in the workspace\./,
    ],
    [
      "one behind a link that leads outside",
      { "outside/x/a.js": "x", out: "link:../outside", "b.ts": "x" },
      "out/x/*.js",
      /^No file matches out\/x/,
    ],
    [
      "nothing at all",
      { ".gitignore": "dist/\n", "dist/a.js": "x" },
      "**/*.py",
      /^No file matches \*\*\/\*\.py in the workspace\. Patterns start/,
    ],
    [
      "more than are counted",
      { ".gitignore": "dist/\n", ...Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`dist/${i}.js`, ""])) },
      "**/*.js",
      /1,000 ignored files match/,
    ],
    [
      "ignored in a folder below",
      { "pkg/.gitignore": "gen\n", "pkg/gen/x.ts": "x" },
      "pkg/**/*.ts",
      /1 ignored file matches: pkg\/gen\/x\.ts/,
    ],
  ] as const)
    it(`says how many ignored files match: ${what}`, async () => {
      const { texts } = await callsOnDisk(files, [["Glob", { pattern }]]);
      assert.match(texts[0] ?? "", said);
    });
});
