import assert from "node:assert/strict";
import { callsOnDisk } from "../fakes/onDisk";

/** What is there, and where Grep and Glob find `needle` in it. */
const ROWS: [string, Record<string, string>, string[]][] = [
  [
    "a folder elsewhere in the workspace that is ignored there",
    { ".gitignore": "/real\n", "real/a.ts": "needle\n", "src/link": "link:../real" },
    ["src/link/a.ts"],
  ],
  [
    "a folder that is searched in its own place too",
    { "packages/x/a.ts": "needle\n", "apps/x": "link:../packages/x" },
    ["packages/x/a.ts"],
  ],
  ["a file that is searched in its own place too", { "a.ts": "needle\n", "b.ts": "link:a.ts" }, ["a.ts"]],
  [
    "a file with two links, ignored itself",
    { ".gitignore": "/real\n", "real/a.ts": "needle\n", "x.ts": "link:real/a.ts", "y.ts": "link:real/a.ts" },
    ["x.ts|y.ts"],
  ],
  ["a loop to the folder itself", { "src/a.ts": "needle\n", "src/again": "link:." }, ["src/a.ts"]],
  ["a loop to the folder above", { "src/a.ts": "needle\n", "src/up": "link:.." }, ["src/a.ts"]],
  ["a loop of two links", { "a.ts": "needle\n", "x/y": "link:../z", "z/w": "link:../x" }, ["a.ts"]],
  ["a link to nothing", { "a.ts": "needle\n", "b.ts": "link:gone.ts" }, ["a.ts"]],
  ["a folder outside", { "a.ts": "needle\n", "outside/b.ts": "needle\n", out: "link:../outside" }, ["a.ts"]],
  [
    "a folder outside, deeper",
    { "a.ts": "needle\n", "outside/b.ts": "needle\n", "x/y/out": "link:../../../outside" },
    ["a.ts"],
  ],
  ["a file outside", { "a.ts": "needle\n", "outside/b.ts": "needle\n", "b.ts": "link:../outside/b.ts" }, ["a.ts"]],
  ["a protected file under another name", { "a.ts": "needle\n", ".env": "needle=1\n", "b.txt": "link:.env" }, ["a.ts"]],
];

const paths = (text = "") =>
  text
    .split("\n")
    .filter(line => /^[\w./]+\.(?:ts|txt)$/.test(line))
    .sort();

describe("links in a search", () => {
  for (const [what, files, found] of ROWS)
    it(`are followed where a person may look, and each file is told once: ${what}`, async () => {
      const { texts } = await callsOnDisk(files, [
        ["Grep", { pattern: "needle", output_mode: "files_with_matches" }],
        ["Grep", { pattern: "needle", output_mode: "count" }],
        ["Grep", { pattern: "needle" }],
        ["Glob", { pattern: "**/*.ts" }],
      ]);
      const wanted = new RegExp(
        `^${found
          .join(",")
          .replaceAll(".", "\\.")
          .replace(/^(.*)$/, "(?:$1)")}$`,
      );
      assert.match(paths(texts[0]).join(), wanted);
      assert.equal(/\((\d+) hits? in/.exec(texts[1] ?? "")?.[1], String(found.length), texts[1]);
      assert.equal(/\((\d+) hits? in/.exec(texts[2] ?? "")?.[1], String(found.length), texts[2]);
      assert.match(paths(texts[3]).join(), wanted);
    });

  it("are listed by LS where they lead to another folder of the workspace", async () => {
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
    assert.match(text, /link\/ {2}\(link to real\)\n {4}sub\/\n {6}a\.ts/);
    assert.match(text, /up\/ {2}\(link to \., not listed\)/);
    assert.match(text, /out\/ {2}\(link to .*outside, not listed\)/);
    assert.match(text, /again\/ {2}\(link to src\/b, not listed\)/);
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
