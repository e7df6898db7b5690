import assert from "node:assert/strict";
import type { Problem } from "../../../src/core/ground/ports";
import type { Json } from "../../../src/shared/messages";
import { problem } from "../../fakes/diagnostics";
import { pluck } from "../../fakes/pluck";
import { Harness } from "./harness";

/** A workspace where these problems are listed; a checker that finds just them. */
async function world(lists: Record<string, readonly Problem[]>, roots = ["app"]): Promise<Harness> {
  const trees = Object.fromEntries(roots.map(name => [name, { "clean.ts": "x\n" } as Record<string, string>]));
  for (const path of Object.keys(lists)) {
    const [root = "app", below = path] = roots.length > 1 ? path.split(":") : ["app", path];
    const tree = trees[root];
    if (tree && !path.startsWith("/")) tree[below] = "x\n";
  }
  const harness = new Harness(trees, { checker: (_, path) => lists[path] });
  for (const path of Object.keys(lists)) await harness.diagnostics.check(path);
  return harness;
}

async function check(
  lists: Record<string, readonly Problem[]>,
  input: Json,
  expected: { text: string; digest?: string; data?: Record<string, Json> },
  roots?: string[],
) {
  const answer = await (await world(lists, roots)).call("Diagnostics", input);
  assert.equal(answer.status, "ok", answer.text);
  assert.equal(answer.text, expected.text);
  if (expected.digest) assert.equal(answer.digest, expected.digest);
  if (expected.data) assert.deepEqual({ ...answer.data, ...expected.data }, answer.data);
}

const error = (line: number, message: string, more: Partial<Problem> = {}) => problem(line, message, more);
const warning = (line: number, message: string) => problem(line, message, { severity: "warning" });

describe("Diagnostics", () => {
  const lists = {
    "b.ts": [warning(3, "w3"), error(9, "e9", { source: "ts", code: "2304", column: 5 }), error(2, "e2\n  more")],
    "a.ts": [warning(1, "w1"), problem(1, "i1", { severity: "info" })],
    "src/c.ts": [problem(1, "h", { severity: "hint" })],
  };

  it("lists the workspace: files with errors first, in each the errors first", () =>
    check(
      lists,
      {},
      {
        text: [
          "b.ts:2:1 error e2 more",
          "b.ts:9:5 error e9 (ts 2304)",
          "b.ts:3:1 warning w3",
          "a.ts:1:1 warning w1",
          "(2 errors, 2 warnings in 2 files)",
        ].join("\n"),
        digest: "Diagnostics 2 errors, 2 warnings in 2 files",
        data: { path: ".", errors: 2, warnings: 2, total: 4, files: 2 },
      },
    ));

  it("by the least severity that is asked for", async () => {
    await check(
      lists,
      { severity: "error" },
      { text: "b.ts:2:1 error e2 more\nb.ts:9:5 error e9 (ts 2304)\n(2 errors in 1 file)" },
    );
    const { text } = await (await world(lists)).call("Diagnostics", { severity: "hint" });
    assert.match(text, /^a\.ts:1:1 info i1$/m);
    assert.match(text, /\(2 errors, 2 warnings, 1 info, 1 hint in 3 files\)$/);
  });

  it("of a folder, of one file, of the cells of a notebook", async () => {
    await check(
      { ...lists, "src/d.ts": [error(1, "e")] },
      { file_path: "src" },
      {
        text: "src/d.ts:1:1 error e\n(1 error in 1 file)",
        digest: "Diagnostics src 1 error in 1 file",
      },
    );
    await check(
      lists,
      { file_path: "a.ts" },
      {
        text: "a.ts:1:1 warning w1\n(1 warning in 1 file)",
        digest: "Diagnostics a.ts 1 warning in 1 file",
      },
    );
    await check(
      { "n.ipynb": [error(2, "e", { cell: 3 })] },
      {},
      {
        text: "n.ipynb cell 3, 2:1 error e\n(1 error in 1 file)",
      },
    );
  });

  it("of a file that nobody had open: a checker is asked to look", async () => {
    const harness = await world({});
    harness.diagnostics.checker = () => [error(1, "found")];
    const answer = await harness.call("Diagnostics", { file_path: "clean.ts" });
    assert.equal(answer.text, "clean.ts:1:1 error found\n(1 error in 1 file)");
    assert.deepEqual(harness.diagnostics.waits, [2_000]);
  });

  it("says what it means that nothing is listed", async () => {
    await check(
      { "clean.ts": [] },
      { file_path: "clean.ts" },
      {
        text: "No errors or warnings are listed for clean.ts.",
        digest: "Diagnostics clean.ts no problems",
      },
    );
    await check(
      {},
      { file_path: "clean.ts", severity: "error" },
      {
        text: "No errors are listed for clean.ts. No checker has reported on the file, so that may only mean that none looks at it.",
      },
    );
    await check(
      {},
      { severity: "info" },
      {
        text: "No errors, warnings or infos are listed for the workspace. Files that no checker has looked at have none listed; most look at open files only. Name a file to have it looked at.",
        digest: "Diagnostics no problems",
      },
    );
  });

  it("names files of several roots, and of none that lie outside", async () => {
    await check(
      { "app:a.ts": [error(1, "a")], "lib:b.ts": [error(1, "b")], "/etc/outside.ts": [error(1, "o")] },
      {},
      { text: "app:a.ts:1:1 error a\nlib:b.ts:1:1 error b\n(2 errors in 2 files)" },
      ["app", "lib"],
    );
  });

  it("leaves out protected files below a folder, and says so", async () => {
    const secret = { ".env": [error(1, "KEY=x")], "a.ts": [error(1, "a")] };
    await check(
      secret,
      {},
      {
        text: "a.ts:1:1 error a\n(1 error in 1 file)\n1 protected file left out (.env): name the file as file_path to ask for it.",
        data: { protected: 1 },
      },
    );
    await check(secret, { file_path: ".env" }, { text: ".env:1:1 error KEY=x\n(1 error in 1 file)" });
    const { targets } = await (await world(secret)).prepare("Diagnostics", { file_path: ".env" });
    assert.deepEqual(pluck(targets, "path"), [".env"], "which is asked about");
  });

  it("is bounded: 100 lines, long messages cut, the rest counted", async () => {
    const many = Array.from({ length: 140 }, (_, at) => error(at + 1, "e"));
    const harness = await world({ "b.ts": many, "a.ts": [warning(1, "w")] });
    const { text, data } = await harness.call("Diagnostics", {});
    const lines = text.split("\n");
    assert.equal(lines.length, 102);
    assert.equal(lines[100], '… 40 errors, 1 warning more: name a file or folder as file_path, or severity "error".');
    assert.equal(data.truncated, true);
    assert.equal(data.listed, 100);
    const wide = await world({ "b.ts": Array.from({ length: 90 }, (_, at) => error(at + 1, "x".repeat(1_000))) });
    assert.ok((await wide.call("Diagnostics", {})).text.length < 12_300);
  });

  it("refuses what is not there", async () => {
    const answer = await (await world({})).call("Diagnostics", { file_path: "claen.ts" });
    assert.equal(answer.status, "NOT_FOUND");
    assert.match(answer.text, /Nearest: clean\.ts/);
  });

  it("is not there where nobody knows of problems", async () => {
    await assert.rejects(new Harness().call("Diagnostics", {}), /no tool Diagnostics/);
  });
});
