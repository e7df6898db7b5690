import assert from "node:assert/strict";
import type { Json } from "../../../src/shared/messages";
import { assertAnswer, type ExpectedAnswer, Harness, numbered } from "./harness";

const TREE = {
  "src/core/a.ts": "x".repeat(1500),
  "src/b.ts": "b",
  "node_modules/x/index.js": "x",
  "README.md": "read me",
  "debug.log": "log",
};

async function check(
  input: Json,
  expected: ExpectedAnswer,
  roots: Record<string, Record<string, string>> = { app: TREE },
) {
  const harness = new Harness(roots, { ignore: ["node_modules"] });
  const answer = await harness.call("LS", input);
  assertAnswer(answer, expected);
  return answer;
}

describe("LS", () => {
  it("lists folders first, with sizes, and says what it hid", async () => {
    const { data } = await check(
      {},
      {
        text: [
          "./",
          "  src/",
          "  README.md  7 B",
          "  debug.log  3 B",
          "(1 folder, 2 files)",
          "(1 hidden by ignore rules: node_modules/)",
        ].join("\n"),
        digest: "LS . 1 folder, 2 files",
      },
    );
    assert.deepEqual(data.first, ["src/", "README.md", "debug.log"]);
  });

  it("goes deeper and leaves out what it is told to", async () => {
    const lines = ["./", "  src/", "    core/", "      a.ts  1.5 KB", "    b.ts  1 B", "  README.md  7 B"];
    await check(
      { depth: 3, ignore: ["*.log"] },
      { text: [...lines, "(2 folders, 3 files)", "(2 hidden by ignore rules: node_modules/, debug.log)"].join("\n") },
    );
    await check(
      { path: "src", ignore: ["core/**"] },
      { text: "src/\n  b.ts  1 B\n(0 folders, 1 file)\n(1 hidden by ignore rules: core/)" },
    );
  });

  it("lists every root where none is named", async () => {
    await check(
      {},
      { text: "app:./\n  a  1 B\nlib:./\n  b  1 B\n(0 folders, 2 files)" },
      { app: { a: "1" }, lib: { b: "2" } },
    );
    await check({ path: "lib:" }, { text: /^lib:\.\/\n {2}b/ }, { app: { a: "1" }, lib: { b: "2" } });
  });

  it("shows 500 entries and counts the rest", async () => {
    const many = Object.fromEntries(
      numbered(600)
        .split("\n")
        .slice(0, -1)
        .map(name => [name, "x"]),
    );
    const { text, data } = await check({}, { text: /… 100 more entries not shown/ }, { app: many });
    assert.equal(text.split("\n").length, 503);
    assert.equal(data.files, 600);
  });

  it("says what is wrong", async () => {
    await check(
      { path: "src/b.ts" },
      { status: "INVALID_INPUT", text: /^src\/b\.ts is a file \(1 B\), not a folder\. Use Read/ },
    );
    await check({ path: "scr" }, { status: "NOT_FOUND", text: /^scr does not exist\. Nearest: src\.$/ });
    await check({ ignore: ["[z-a]"] }, { status: "INVALID_INPUT", text: /ignore has a glob that cannot be read/ });
  });

  it("says that a folder is empty", async () => {
    const harness = new Harness();
    harness.files.mkdir("empty");
    assert.equal((await harness.call("LS", { path: "empty" })).text, "empty/\n(empty)");
  });
});
