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
    const [text = ""] = (await callsOnDisk(files, [["LS", { path: "src", depth: 3 }]])).texts;
    assert.match(text, /link\/ {2}\(link to real\)\n/);
    assert.match(text, /up\/ {2}\(link to \.\)\n/);
    assert.doesNotMatch(text, /sub\//);
  });
});
