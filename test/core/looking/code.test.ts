import assert from "node:assert/strict";
import { CodeError } from "../../../src/core/ground/ports";
import type { Json } from "../../../src/shared/messages";
import { Harness, numbered } from "./harness";

const tree = {
  "load.ts": "export function loadAll() {\n  return 1;\n}\n",
  "use.ts": 'import { loadAll } from "./load";\n\nexport function begin() {\n  return loadAll();\n}\n',
  "notes.md": "loadAll is called by begin\n",
};

const world = (files: Record<string, string> = tree, roots: Record<string, Record<string, string>> = { app: files }) =>
  new Harness(roots, { code: true });

async function answers(input: Json, text: string, harness = world()): Promise<void> {
  const answer = await harness.call("Code", input);
  assert.deepEqual([answer.status, answer.text], ["ok", text]);
}

async function refuses(input: Json, code: string, words: RegExp, harness = world()): Promise<void> {
  const answer = await harness.call("Code", input);
  assert.equal(answer.status, code, answer.text);
  assert.match(answer.text, words);
}

describe("Code", () => {
  it("shows a definition with its body, from a file and a line", () =>
    answers(
      { action: "definition", symbol: "loadAll", file_path: "use.ts", line: 4 },
      "load.ts\n1:export function loadAll() {\n2-  return 1;\n3-}\n(1 hit in 1 file)",
    ));

  it("takes a symbol's name alone", () =>
    answers(
      { action: "references", symbol: "loadAll" },
      'load.ts\n1:export function loadAll() {\n\nuse.ts\n1:import { loadAll } from "./load";\n4:  return loadAll();\n(3 hits in 2 files)',
    ));

  it("names callers", () =>
    answers({ action: "callers", symbol: "loadAll" }, "use.ts\n4:  return loadAll();  [begin]\n(1 hit in 1 file)"));

  it("tells a type", () =>
    answers(
      { action: "hover", symbol: "loadAll", file_path: "load.ts" },
      "load.ts:1\n```typescript\nfunction loadAll\n```",
    ));

  it("lists the symbols of a file, and of the workspace", async () => {
    await answers({ action: "symbols", file_path: "load.ts" }, "load.ts\n1-3 function loadAll");
    await answers({ action: "symbols", symbol: "load" }, "load.ts\n1:export function loadAll() {\n(1 hit in 1 file)");
  });

  it("says of a file that declares nothing that nobody tells of symbols", () =>
    answers(
      { action: "symbols", file_path: "notes.md" },
      "No language extension of the editor tells of symbols in notes.md: it declares none, or nobody knows its language. Read it, or use Grep.",
    ));

  it("lists fixes, and those that only the editor can apply as such", async () => {
    const harness = world({ "a.ts": "const teh = 1;\n" });
    harness.code.fixes = [{ title: "Install types", kind: "quickfix" }];
    await answers(
      { action: "fixes", file_path: "a.ts", line: 1 },
      "Fixes for a.ts:1; apply one with Refactor fix and its title:\n- Change spelling to 'the' (preferred)\n- Install types (only in the editor: it runs a command of its extension)",
      harness,
    );
    await answers(
      { action: "fixes", file_path: "a.ts", line: 9 },
      "No language extension offers a fix for a.ts:9. Most look for problems only in files that are open in a tab.",
      world({ "a.ts": "x\n" }),
    );
  });

  it("says that nobody knows the language", () =>
    answers(
      { action: "references", symbol: "begin", file_path: "notes.md" },
      "No references of begin in notes.md found, or no language extension of the editor knows its language: use Grep then.",
    ));

  it("opens a file for extensions that are still asleep", async () => {
    const harness = world();
    harness.code.cold = true;
    const answer = await harness.call("Code", { action: "symbols", symbol: "begin" });
    assert.match(answer.text, /use\.ts\n3:export function begin/);
    assert.deepEqual(harness.code.opened, ["use.ts"]);
  });

  it("says which places there are where a name has several", async () => {
    const twice = world({ "a.ts": "const same = 1;\n", "b.ts": "const same = 2;\n" });
    await refuses({ action: "references", symbol: "same" }, "AMBIGUOUS", /a\.ts:1, b\.ts:1/, twice);
    await refuses(
      { action: "hover", symbol: "loadAll", file_path: "use.ts", line: 2 },
      "NOT_FOUND",
      /not stand on line 2 .* lines 1, 4/,
    );
    await refuses(
      { action: "hover", symbol: "none", file_path: "use.ts" },
      "NOT_FOUND",
      /none does not stand in use\.ts/,
    );
    await refuses({ action: "hover", symbol: "none" }, "NOT_FOUND", /lists a symbol none/);
  });

  it("refuses what makes no sense", async () => {
    await refuses({ action: "references" }, "INVALID_INPUT", /Name the symbol/);
    await refuses({ action: "symbols" }, "INVALID_INPUT", /needs file_path, or symbol/);
    await refuses({ action: "fixes" }, "INVALID_INPUT", /needs file_path/);
    await refuses(
      { action: "hover", symbol: "a", file_path: "nb.ipynb" },
      "INVALID_INPUT",
      /nb\.ipynb is a notebook: use Read and Grep there\.$/,
      world({ "nb.ipynb": "{}" }),
    );
    await refuses({ action: "hover", symbol: "a", file_path: "gone.ts" }, "NOT_FOUND", /does not exist/);
    await refuses({ action: "hover", symbol: "(.*", file_path: "use.ts" }, "NOT_FOUND", /does not stand/);
  });

  it("counts lines that it showed as read, so that an Edit needs no Read", async () => {
    const harness = world();
    await harness.call("Code", { action: "references", symbol: "loadAll" });
    const edit = { file_path: "use.ts", old_string: "return loadAll();", new_string: "return loadAll() + 1;" };
    const edited = await harness.call("Edit", edit);
    assert.equal(edited.status, "ok", edited.text);
    const write = await harness.call("Write", { file_path: "load.ts", content: "nothing\n" });
    assert.equal(write.status, "NOT_READ", write.text);
  });

  it("keeps many places within bounds, with a handle to all of them", async () => {
    const many = world({ "a.ts": `const many = 0;\n${numbered(300, line => `many + ${line};`)}` });
    const answer = await many.call("Code", { action: "references", symbol: "many" });
    assert.ok(answer.text.length < 1_500, answer.text);
    assert.match(answer.text, /Complete output: Recall/);
    const raw = many.blobs.blobs.get(answer.performed?.raw?.sha256 ?? "");
    assert.equal(new TextDecoder().decode(raw).trim().split("\n").length, 301);
  });

  it("leaves protected files out, and shows nothing of files outside", async () => {
    const harness = world({ ...tree, ".vscode/x.ts": "loadAll();\n" });
    harness.files.put("/usr/lib/lib.ts", "loadAll secret;\n");
    const answer = await harness.call("Code", { action: "references", symbol: "loadAll", file_path: "load.ts" });
    assert.match(answer.text, /1 protected file left out \(\.vscode\/x\.ts\)/);
    assert.match(answer.text, /\/usr\/lib\/lib\.ts\n1:\(outside the workspace: Read shows it\)/);
    assert.doesNotMatch(answer.text, /secret/);
  });

  it("names files with their root where there are several", async () => {
    const roots = world({}, { app: { "a.ts": "const one = 1;\n" }, lib: { "b.ts": "one;\n" } });
    await answers(
      { action: "references", symbol: "one", file_path: "app:a.ts" },
      "app:a.ts\n1:const one = 1;\n\nlib:b.ts\n1:one;\n(2 hits in 2 files)",
      roots,
    );
  });

  it("gives up on an extension that does not answer, and on Stop at once", async () => {
    const late = world();
    late.code.before = () => new Promise(() => undefined);
    const asked = late.call("Code", { action: "hover", symbol: "loadAll", file_path: "load.ts", line: 1 });
    await late.clock.asleep();
    await late.clock.advance(60_000);
    const answer = await asked;
    assert.equal(answer.status, "TIMEOUT");
    assert.match(answer.text, /did not answer within 20 s/);
    const stopped = late.call("Code", { action: "hover", symbol: "loadAll", file_path: "load.ts", line: 1 });
    await late.clock.asleep();
    late.stop.abort(new Error("stopped"));
    await assert.rejects(stopped, /stopped/);
    assert.equal(late.clock.waiting, 0);
  });

  it("passes on what an extension says where it fails", async () => {
    const harness = world();
    harness.code.before = () => {
      throw new CodeError("The server crashed.");
    };
    await refuses(
      { action: "references", symbol: "loadAll", file_path: "load.ts" },
      "NOT_FOUND",
      /says: The server crashed\./,
      harness,
    );
  });

  it("is not there where there is no editor", () => {
    assert.equal(new Harness({}).tools.has("Code"), false);
  });
});
