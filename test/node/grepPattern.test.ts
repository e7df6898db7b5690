/** Patterns on real files, beside ripgrep itself. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { enginePattern, packagedRipgrep } from "../../src/node/ripgrep";
import { callsOnDisk } from "../fakes/onDisk";
import { temporaryFolder } from "../fakes/temporary";

const LINES = "function a() {\n  one();\n}\n\nclass B {\n  two = [1, 2];\n}\nend\n";

/** Patterns that name line ends. */
const SPANNING = [
  "\\{\\n  one",
  "\\}\\n\\nclass",
  "B \\{\\x0a",
  "B \\{\n  two",
  ";$\\n^\\}",
  "(?s)class.*\\nend",
  "[\\n]class",
  "one\\(\\);[\\r\\n]+\\}",
  "e\\(\\);[[:space:]\\n]+\\}",
];
/** Patterns that do not. */
const PLAIN = [
  "[^[:space:]\\n]+",
  "w[[:alpha:]\\n] =",
  "one\\(\\);$",
  "\\\\n",
  "[^\\n]+two",
  "^$",
  "\\{$",
  "\\Btwo\\b|end",
];

describe("patterns", () => {
  const folder = temporaryFolder("pattern");

  for (const pattern of [...SPANNING, ...PLAIN])
    it(`find in CRLF what ripgrep finds in LF: ${JSON.stringify(pattern)}`, async () => {
      writeFileSync(join(folder, "a.txt"), LINES);
      const rg = (await packagedRipgrep()) ?? "rg";
      const args = ["--no-config", "-n", ...(SPANNING.includes(pattern) ? ["-U"] : []), "-e", pattern, "a.txt"];
      const lines = spawnSync(rg, args, { cwd: folder, encoding: "utf8" }).stdout.match(/^\d+/gm) ?? [];
      const { texts } = await callsOnDisk({ "lf.txt": LINES, "crlf.txt": LINES.replaceAll("\n", "\r\n") }, [
        ["Grep", { pattern, path: "lf.txt" }],
        ["Grep", { pattern, path: "crlf.txt" }],
      ]);
      for (const text of texts) assert.deepEqual(text.match(/^\d+(?=:)/gm) ?? [], lines, text);
      if (pattern !== "\\\\n") assert.ok(lines.length > 0);
    });

  for (const [pattern, made] of [
    ["a\\.*b", "a\\.*b"],
    ['[.]*x[^"]+', '[.]*x[^"]+'],
    ["[]a.*]", "[]a.*]"],
    ["[a[b.*]c.*]", "[a[b.*]c.*]"],
    ["\\\\n", "\\\\n"],
    ["\\[\\n", "\\[(?:\\r?\\n)"],
    ["[\\n]", "[\\n]"],
    ["[^\\r\\n]x", "[^\\r\\n]x"],
    ["a\\r$|b", "a\\r(?:\\n|\\z)|b"],
    ["(?x) a \n b", "(?x) a \n b"],
    ["\\", "\\"],
    ["[", "["],
  ] as const)
    it(`become what they say: ${JSON.stringify(pattern)}`, () =>
      assert.equal(enginePattern({ pattern, multiline: false }).pattern, made));
});

describe("a carriage return in a pattern", () => {
  for (const [pattern, found] of [
    ["\\r", ["1", "2", "3"]],
    ["\\r$", ["1", "2", "3"]],
    ["(?:one|two)(?:\\r$)", ["1", "2"]],
    ["two\\r\\n", ["2"]],
    ["o[\\r]", ["2"]],
  ] as const)
    it(`finds the lines that end with one: ${pattern}`, async () => {
      const { texts } = await callsOnDisk({ "crlf.txt": "one\r\ntwo\r\nend\r\n", "lf.txt": "one\ntwo\nend\n" }, [
        ["Grep", { pattern }],
      ]);
      assert.deepEqual(texts[0]?.match(/^\d+(?=:)/gm), found, texts[0]);
      assert.doesNotMatch(texts[0] ?? "", /^lf/m);
    });
});

describe("a hit in a long line", () => {
  const filler = (length: number) => "abcdefgh,".repeat(Math.ceil(length / 9)).slice(0, length);
  for (const [what, text, shown] of [
    ["at its end", `${filler(5_000)}NEEDLE=1;tail`, /^1:… [a-h,]{100,}NEEDLE=1;tail$/m],
    [
      "in the middle of megabytes",
      `${filler(3_000_000)}NEEDLE=2;${filler(2_000_000)}`,
      /^1:… [a-h,]{100,}NEEDLE=2;[a-h,]{100,} …$/m,
    ],
    [
      "twice, far apart",
      `${filler(3_000)}NEEDLE=5;${filler(20_000)}NEEDLE=6;${filler(3_000)}`,
      /^1:… [a-h,]+NEEDLE=5;[a-h,]+ … [a-h,]+NEEDLE=6;[a-h,]+ …$/m,
    ],
    [
      "a hundred times",
      `${`${filler(500)}NEEDLE;`.repeat(100)}`,
      /^1:.*NEEDLE.* … .*NEEDLE.* … .*NEEDLE.*\[9\d more hits in this line\]$/m,
    ],
    [
      "between other scripts",
      `${"日本語".repeat(2_000)}NEEDLE=7${"한글".repeat(2_000)}`,
      /^1:… [日本語]{50,}NEEDLE=7[한글]{50,} …$/mu,
    ],
    ["with CRLF", `${filler(9_000)}NEEDLE=9\r\nshort NEEDLE\r`, /NEEDLE=9 ?…?$[^\r]*^2:short NEEDLE$/m],
  ] as const)
    it(`shows what stands around it: ${what}`, async () => {
      const { texts } = await callsOnDisk({ "a.js": `${text}\n` }, [
        ["Grep", { pattern: "NEEDLE" }],
        ["Grep", { pattern: "NEEDLE", output_mode: "count" }],
      ]);
      assert.match(texts[0] ?? "", shown);
      assert.ok((texts[0] ?? "").length < 1_500, String(texts[0]?.length));
      assert.match(texts[1] ?? "", /a\.js:\d/);
    });

  it("is shown where many lines are, and keeps secrets whole", async () => {
    const long = Array.from({ length: 150 }, (_, i) => `${filler(900)}NEEDLE${i};`).join("\n");
    const { texts } = await callsOnDisk({ "a.js": long }, [["Grep", { pattern: "NEEDLE" }]]);
    assert.match(texts[0] ?? "", /NEEDLE0;.*\n.*NEEDLE1;/);
  });

  it("of nothing wide is the line's beginning", async () => {
    const { texts } = await callsOnDisk({ "a.js": `${filler(9_000)}\n` }, [["Grep", { pattern: "^" }]]);
    assert.match(texts[0] ?? "", /^1:abcdefgh,/m);
  });
});
