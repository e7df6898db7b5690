import assert from "node:assert/strict";
import type { FileRef } from "../../../src/core/ground/ports";
import type { Json } from "../../../src/shared/messages";
import { findsBad } from "../../fakes/diagnostics";
import { pluck } from "../../fakes/pluck";
import { Harness } from "./harness";

const tree = {
  "load.ts": "export function loadAll() {\n  return 1;\n}\n",
  "use.ts": 'import { loadAll } from "./load";\r\n\r\nloadAll();\r\n',
  "none.md": "loadAll\n",
};

const world = (files: Record<string, string> = tree) => new Harness({ app: files }, { code: true, checker: findsBad });
const toEach = { action: "rename", symbol: "loadAll", file_path: "load.ts", new_name: "loadEach" };

async function refuses(input: Json, code: string, words: RegExp, harness = world()): Promise<void> {
  const texts = harness.files.all().map(({ ref }) => harness.files.textOf(ref));
  const answer = await harness.call("Refactor", input);
  assert.equal(answer.status, code, answer.text);
  assert.match(answer.text, words);
  assert.deepEqual(
    harness.files.all().map(({ ref }) => harness.files.textOf(ref)),
    texts,
  );
}

/** What an extension also changes. */
const more = (ref: FileRef, text: string, edits: [number, number, number, string][]) => ({
  files: [
    {
      ...{ ref, text },
      edits: edits.map(([line, from, to, text]) => ({
        range: { start: { line, column: from }, end: { line, column: to } },
        text,
      })),
    },
  ],
});

describe("Refactor", () => {
  it("renames in all files, keeps line ends, and says where", async () => {
    const harness = world();
    const answer = await harness.call("Refactor", toEach);
    assert.equal(answer.status, "ok", answer.text);
    assert.equal(
      answer.text,
      "Renamed loadAll to loadEach in 2 files, +3 −3, saved.\nload.ts: line 1\nuse.ts: line 1, line 3",
    );
    assert.equal(harness.files.onDisk("load.ts"), tree["load.ts"].replaceAll("loadAll", "loadEach"));
    assert.equal(harness.files.onDisk("use.ts"), tree["use.ts"].replaceAll("loadAll", "loadEach"));
    assert.equal(harness.files.onDisk("none.md"), "loadAll\n");
    assert.deepEqual(
      answer.performed?.changes?.map(({ path, added }) => `${path} ${added}`),
      ["load.ts 1", "use.ts 2"],
    );
  });

  it("shows each file's diff, binds all of them, and changes nothing before", async () => {
    const harness = world();
    const prepared = await harness.prepare("Refactor", toEach);
    assert.equal(prepared.title, "Rename loadAll to loadEach in 2 files");
    assert.deepEqual(pluck(prepared.targets, "path"), ["load.ts", "use.ts"]);
    assert.ok(prepared.detail.type === "edit" && prepared.detail.changes.every(({ diff }) => diff.includes("+")));
    assert.equal(harness.files.onDisk("load.ts"), tree["load.ts"]);
    harness.files.put("use.ts", `${tree["use.ts"]}loadAll();\r\n`);
    const again = await harness.prepare("Refactor", toEach);
    assert.notEqual(again.binding, prepared.binding);
  });

  it("is made anew where a file moved before it was made", async () => {
    const harness = world();
    harness.between = () => harness.files.put("load.ts", `// new\n${tree["load.ts"]}`);
    assert.equal((await harness.call("Refactor", toEach)).status, "ok");
    assert.equal(harness.files.onDisk("load.ts"), `// new\n${tree["load.ts"].replace("loadAll", "loadEach")}`);
  });

  it("takes unsaved text as it stands, and leaves it unsaved", async () => {
    const harness = world();
    harness.files.edit("load.ts", "function loadAll() {}\n");
    const answer = await harness.call("Refactor", toEach);
    assert.match(answer.text, /load\.ts: line 1, not saved/);
    assert.equal(harness.files.inEditor("load.ts"), "function loadEach() {}\n");
    assert.equal(harness.files.onDisk("load.ts"), tree["load.ts"]);
  });

  it("leaves what the model has read as it knows it: a file that it never read needs a Read", async () => {
    const harness = world();
    await harness.call("Read", { file_path: "load.ts" });
    await harness.call("Refactor", toEach);
    const edit = (file_path: string) =>
      harness.call("Edit", { file_path, old_string: "loadEach()", new_string: "loadEach(1)" });
    assert.equal((await edit("load.ts")).status, "ok");
    assert.equal((await edit("use.ts")).status, "NOT_READ");
  });

  it("can be changed by the person where it is one file", async () => {
    const harness = world({ "a.ts": "const one = 1;\n" });
    const prepared = await harness.prepare("Refactor", { ...toEach, symbol: "one", file_path: "a.ts" });
    const revised = prepared.revise?.("const mine = 1;\n");
    assert.equal(revised?.proposal?.proposed, "const loadEach = 1;\n");
    const outcome = await revised?.perform({ ...harness.context });
    assert.ok(typeof outcome === "object" && /user changed your proposal/.test(outcome.result.text));
    assert.equal(harness.files.onDisk("a.ts"), "const mine = 1;\n");
    assert.equal(prepared.revise?.("const one = 1;\n"), undefined);
  });

  it("applies a fix by its title, or by a part of it that is one's alone", async () => {
    const harness = world({ "a.ts": "const teh = 1;\n" });
    const answer = await harness.call("Refactor", {
      action: "fix",
      file_path: "a.ts",
      line: 1,
      title: "change spelling",
    });
    assert.equal(answer.status, "ok", answer.text);
    assert.equal(harness.files.onDisk("a.ts"), "const the = 1;\n");
  });

  it("organizes imports", async () => {
    const harness = world({ "a.ts": "unused\nused\n" });
    const answer = await harness.call("Refactor", { action: "organize_imports", file_path: "a.ts" });
    assert.equal(answer.status, "ok", answer.text);
    assert.equal(harness.files.onDisk("a.ts"), "\nused\n");
  });

  it("does not run an extension's command, and names the fixes there are", async () => {
    const harness = world({ "a.ts": "const teh = 1;\n" });
    harness.code.fixes = [{ title: "Install types", kind: "quickfix" }];
    const asked = { action: "fix", file_path: "a.ts" };
    await refuses({ ...asked, title: "Install types" }, "INVALID_INPUT", /only the user can apply it/, harness);
    await refuses(
      { ...asked, title: "none" },
      "NOT_FOUND",
      /There are: "Change spelling to 'the'", "Install types"/,
      harness,
    );
    await refuses({ ...asked, title: "t" }, "AMBIGUOUS", /Several fixes/, harness);
  });

  it("refuses what makes no sense, and what nobody can rename", async () => {
    await refuses({ action: "rename", symbol: "loadAll" }, "INVALID_INPUT", /needs symbol and new_name/);
    await refuses({ action: "fix", file_path: "a.ts" }, "INVALID_INPUT", /needs file_path, and title/);
    await refuses({ action: "organize_imports" }, "INVALID_INPUT", /needs file_path/);
    await refuses({ ...toEach, symbol: "function" }, "NOT_FOUND", /says: You cannot rename this element/);
    await refuses(
      { ...toEach, file_path: "none.md" },
      "NOT_FOUND",
      /can rename loadAll in none\.md\. Find its places with Grep/,
    );
    await refuses({ ...toEach, new_name: "loadAll" }, "INVALID_INPUT", /stands there already/);
  });

  it("refuses edits outside the workspace, of notebooks and binaries, and more than edits", async () => {
    const files = { ...tree, "b.bin": "a\0b", "n.ipynb": "{}" };
    const harness = world(files);
    const refOf = (path: string) => harness.files.resolve(path);
    const with_ = async (path: string) => {
      harness.code.more = more(await refOf(path), "x", [[1, 1, 2, "y"]]);
    };
    harness.files.put("/etc/hosts.ts", "x");
    await with_("/etc/hosts.ts");
    await refuses(toEach, "OUTSIDE_WORKSPACE", /outside the workspace/, harness);
    await with_("n.ipynb");
    await refuses(toEach, "INVALID_INPUT", /notebook/, harness);
    await with_("b.bin");
    await refuses(toEach, "BINARY", /binary file/, harness);
    harness.code.more = { files: [], more: "it also creates, renames or deletes files" };
    await refuses(toEach, "INVALID_INPUT", /creates, renames or deletes files, which cannot be shown/, harness);
  });

  it("refuses edits that overlap, that lie beyond the text, and those of another text", async () => {
    const harness = world();
    const ref = await harness.files.resolve("none.md");
    harness.code.more = more(ref, "loadAll\n", [
      [1, 1, 4, "a"],
      [1, 3, 5, "b"],
    ]);
    await refuses(toEach, "INVALID_INPUT", /edits of none\.md overlap/, harness);
    for (const place of [
      [3, 1, 2],
      [1, 1, 99],
      [1, 0, 2],
      [1, 5, 3],
    ] as const) {
      harness.code.more = more(ref, "loadAll\n", [[...place, "a"]]);
      await refuses(toEach, "INVALID_INPUT", /does not have|overlap/, harness);
    }
    harness.code.more = more(ref, "another\n", [[1, 1, 4, "a"]]);
    await refuses(toEach, "STALE", /none\.md changed while the extension looked at it/, harness);
  });

  it("takes the same edit twice as one, and two inserts at a place in their order", async () => {
    const harness = world();
    const ref = await harness.files.resolve("none.md");
    harness.code.more = more(ref, "loadAll\n", [
      [1, 1, 1, "a"],
      [1, 1, 1, "b"],
      [1, 1, 1, "a"],
      [2, 1, 1, "end"],
    ]);
    assert.equal((await harness.call("Refactor", toEach)).status, "ok");
    assert.equal(harness.files.onDisk("none.md"), "abloadAll\nend");
  });

  it("says which files were not changed where one fails in the middle", async () => {
    const harness = world();
    harness.files.beforeApply = ref => {
      if (ref.path === "use.ts") harness.files.put("use.ts", "typed\n");
    };
    const answer = await harness.call("Refactor", toEach);
    assert.equal(answer.status, "partial", answer.text);
    assert.match(
      answer.text,
      /in 1 file, .*\nload\.ts: line 1\nuse\.ts was not changed: it changed at the same moment/s,
    );
    assert.deepEqual(
      answer.performed?.changes?.map(({ path }) => path),
      ["load.ts"],
    );
    assert.equal(harness.files.onDisk("use.ts"), "typed\n");
  });

  it("gives up on an extension that does not answer", async () => {
    const harness = world();
    const { rename } = harness.code;
    harness.code.rename = () => new Promise(() => undefined);
    const asked = harness.call("Refactor", { ...toEach, line: 1 });
    await harness.clock.asleep();
    await harness.clock.advance(60_000);
    assert.equal((await asked).status, "TIMEOUT");
    harness.code.rename = rename;
    assert.equal((await harness.call("Refactor", toEach)).status, "ok");
  });
});
