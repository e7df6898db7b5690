/** Folders that are on no disk keep the contracts that those on a disk keep. */
import assert from "node:assert/strict";
import { type FileError, type FileRef, type GrepLine, SearchError } from "../../../src/core/ground/ports";
import { RoutedRules } from "../../../src/vscode/files/rules";
import { filesContract } from "../../contract/files";
import { edit, readTextFile } from "../../contract/filesApply";
import { searchContract } from "../../contract/search";
import { soak } from "../../fakes/soak";
import { typeAtStart } from "../editorWorld";
import { virtualWorld } from "../virtualWorld";

filesContract("VSCodeFiles on a virtual file system", rootNames => virtualWorld(rootNames));
soak("places", () =>
  filesContract("VSCodeFiles on a disk and a virtual file system", rootNames => virtualWorld(rootNames, ["lib"])),
);

searchContract("VirtualSearch", async (tree, ignore) => {
  const world = await virtualWorld(["app"]);
  await world.put(".gitignore", ignore.join("\n"));
  for (const [path, text] of Object.entries(tree)) await world.put(path, text);
  return world;
});

describe("a virtual file system", () => {
  let world: Awaited<ReturnType<typeof virtualWorld>>;
  beforeEach(async () => {
    world = await virtualWorld(["app", "lib"], ["lib"]);
  });
  afterEach(() => world.dispose());

  it("is named by its scheme, and goes with folders on a disk in one workspace", async () => {
    const [app, lib] = world.files.roots;
    assert.deepEqual([app?.name, app?.path], ["app", `${world.scheme}:///app`]);
    assert.deepEqual([lib?.name, lib?.uri.startsWith("file:///")], ["lib", true]);
    assert.deepEqual(world.files.diskRoots, [lib]);
    const named = async (input: string) => {
      const { path, relative, inside } = await world.files.resolve(input);
      return [path, relative, inside];
    };
    assert.deepEqual(await named("src/a.ts"), ["app:src/a.ts", "src/a.ts", true]);
    assert.deepEqual(await named("lib:src/a.ts"), ["lib:src/a.ts", "src/a.ts", true]);
    assert.deepEqual(await named(`${world.scheme}:///app/.env`), ["app:.env", ".env", true]);
    assert.deepEqual(await named(`${world.scheme}:///other`), [
      `${world.scheme}:///other`,
      `${world.scheme}:///other`,
      false,
    ]);
    await assert.rejects(world.files.resolve("nowhere://a/b"), (error: FileError) => error.code === "NOT_FOUND");
  });

  it("is named by the innermost of folders within each other", async () => {
    const nested = await virtualWorld(["app", "app/sub"]);
    const paths = ["app:a.ts", "app/sub:a.ts"].map(path => nested.files.pathOf(nested.uri(path)));
    await nested.dispose();
    assert.deepEqual(paths, ["app:a.ts", "sub:a.ts"]);
  });

  it("has unsaved text too, and its edits are saved as anywhere", async () => {
    await world.put("a.ts", "one\n");
    const editor = await world.show("a.ts");
    const outcome = await edit(world, "a.ts", "one", "two");
    assert.deepEqual([outcome.kind === "applied" && outcome.saved, editor.document.getText()], [true, "two\n"]);
    assert.equal(Buffer.from((await world.bytes("a.ts")) ?? []).toString(), "two\n");
    await typeAtStart(editor, "typed ");
    const file = await readTextFile(world, "a.ts");
    assert.deepEqual([file.text, file.stamp.dirty], ["typed two\n", true]);
    assert.equal(world.files.pathOf(editor.document.uri), "app:a.ts");
  });

  const grep = async (pattern: string, path: string) => {
    const lines: GrepLine[] = [];
    const ref = await world.files.resolve(path);
    const query = { pattern, ref, mode: "content" as const, before: 0, after: 0, ignoreCase: false, multiline: false };
    await world.search.grep(query, line => lines.push(line) > 0, new AbortController().signal);
    return lines.map(line => `${line.path}:${line.line}:${line.text}`);
  };

  it("is searched as it stands in the editor, .gitignore of every folder counted", async () => {
    await world.put(".gitignore", "*.log\n");
    await world.put("sub/.gitignore", "!keep.log\n/out\n");
    for (const path of ["a.ts", "a.log", "sub/keep.log", "sub/out/b.ts", "sub/c.ts"]) await world.put(path, "needle\n");
    await typeAtStart(await world.show("a.ts"), "typed ");
    assert.deepEqual(await grep("needle$", "app:."), [
      "app:a.ts:1:typed needle",
      "app:sub/c.ts:1:needle",
      "app:sub/keep.log:1:needle",
    ]);
    assert.deepEqual(await grep("(?i)NEEDLE", "sub"), ["app:sub/c.ts:1:needle", "app:sub/keep.log:1:needle"]);
    const found = await world.search.glob(await world.files.resolve("app:."), "*.*", new AbortController().signal);
    const names = found.map(({ path }) => path.slice("app:".length)).sort();
    assert.deepEqual(names, [".gitignore", "a.ts", "sub/.gitignore", "sub/c.ts", "sub/keep.log"]);
    await world.put(".env", "needle=1\n");
    assert.equal((await grep("needle=1", "app:.")).length, 0, "the text of a protected file gets onto no disk");
    assert.deepEqual(await grep("needle=1", ".env"), ["app:.env:1:needle=1"]);
  });

  it("that is too large to be walked is refused, with what to do", async () => {
    for (let n = 0; n < 101; n += 1) await world.put(`many/${n}.txt`, "x");
    await assert.rejects(grep("x", "app:."), (error: SearchError) => {
      assert.ok(error instanceof SearchError);
      assert.match(
        error.message,
        /has more than 100 files and is on no disk of this machine: name a folder below it\./,
      );
      return true;
    });
  });

  it("has rules of its root, while it is trusted", async () => {
    await world.put("AGENTS.md", "Be brief.");
    await world.put("code_law.MD", "Be lawful.");
    await world.put("CLAUDE.md", "é".repeat(20_000));
    let trusted = true;
    const disk = { read: async () => [], nested: async () => [], imported: new Set<string>() };
    const ruledOut = ({ relative }: FileRef) => (relative === "CLAUDE.md" ? "It is denied." : undefined);
    const rules = new RoutedRules({ disk, roots: () => world.files.roots, trusted: () => trusted, ruledOut });
    const shown = async () => (await rules.read()).map(({ path, text, problem }) => [path, text, problem]);
    const law = ["app:code_law.MD", "Be lawful.", undefined];
    const denied = ["app:CLAUDE.md", "", "It is denied."];
    assert.deepEqual(await shown(), [law, ["app:AGENTS.md", "Be brief.", undefined], denied]);
    await world.put("AGENTS.md", "Be long.");
    assert.deepEqual(await shown(), [law, ["app:AGENTS.md", "Be long.", undefined], denied]);
    trusted = false;
    assert.deepEqual(await rules.read(), []);
  });

  it("that cannot be reached any more says so", async () => {
    const ref = await world.files.resolve("a.ts");
    const gone = { ...ref, uri: ref.uri.replace(world.scheme, "nosuchscheme") };
    await assert.rejects(world.files.stat(gone), /can't be reached now/);
  });
});
