import assert from "node:assert/strict";
import type { Json } from "../../../src/shared/messages";
import { assertAnswer, type ExpectedAnswer, Harness, numbered } from "./harness";

async function check(roots: Record<string, Record<string, string>>, input: Json, expected: ExpectedAnswer) {
  const harness = new Harness(roots, { ignore: ["node_modules"] });
  const answer = await harness.call("Glob", input);
  assertAnswer(answer, expected);
  return { ...answer, harness };
}

describe("Glob", () => {
  const app = { "src/a.ts": "1", "src/b.tsx": "2", "c.ts": "3", "node_modules/d.ts": "4" };

  it("lists matches, newest first, without ignored files", async () => {
    const { digest } = await check({ app }, { pattern: "**/*.{ts,tsx}" }, { text: "c.ts\nsrc/b.tsx\nsrc/a.ts" });
    assert.equal(digest, "Glob **/*.{ts,tsx} 3 files");
    await check({ app }, { pattern: "!**/*.ts" }, { text: "src/b.tsx" });
    await check({ app }, { pattern: "*.ts", path: "src" }, { text: "src/a.ts" });
    await check({ app: { "a.ts": "1" }, lib: { "b.ts": "2" } }, { pattern: "*.ts" }, { text: "lib:b.ts\napp:a.ts" });
  });

  it("shows the 100 newest of many, and keeps the list", async () => {
    const many = Object.fromEntries(
      numbered(150, line => `f${line}.ts`)
        .split("\n")
        .slice(0, -1)
        .map(name => [name, "x"]),
    );
    const { text, harness, performed } = await check({ app: many }, { pattern: "*.ts" }, { text: /^f150\.ts\n/ });
    assert.match(
      text,
      /\nf51\.ts\n… the 100 newest of 150 files\. Narrow .*\nComplete list: Recall \{"handle":"obs:[0-9a-f]{12}"\}$/,
    );
    const list = harness.blobs.text(performed?.raw?.sha256 ?? "");
    assert.equal(list?.trim().split("\n").length, 150);
    assert.equal(harness.blobs.open, 0);
  });

  it("says what is wrong", async () => {
    await check(
      { app },
      { pattern: "*.py" },
      { text: /^No file that is not ignored matches \*\.py in the workspace\. Patterns start at that folder/ },
    );
    await check({ app }, { pattern: "*.ts", path: "scr" }, { status: "NOT_FOUND", text: /Nearest: src\./ });
    await check(
      { app },
      { pattern: "*", path: "c.ts" },
      { status: "INVALID_INPUT", text: /^c\.ts is a file\. Glob searches a folder/ },
    );
  });
});
