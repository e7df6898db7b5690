/** Folders that are on no disk keep the contracts that those on a disk keep. */
import assert from "node:assert/strict";
import {
  type FileError,
  type FileRef,
  type GrepLine,
  type RuleFile,
  SearchError,
} from "../../../src/core/ground/ports";
import { protectedBecause } from "../../../src/core/permissions/protectedPaths";
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

searchContract(
  "VirtualSearch",
  async (tree, ignore) => {
    const world = await virtualWorld(["app"]);
    await world.put(".gitignore", ignore.join("\n"));
    for (const [path, text] of Object.entries(tree)) await world.put(path, text);
    return world;
  },
  { knowsTypes: false },
);

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
    await assert.rejects(grep("(", "app:."), /patterns are JavaScript's regular expressions there/);
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

  const routedRules = (trusted: () => boolean, ruledOut: (ref: FileRef) => string | undefined = () => undefined) => {
    const disk = { read: async () => [], nested: async () => [], imported: new Set<string>() };
    const guard = { protectedBecause: (ref: FileRef) => protectedBecause(ref, []), ruledOut };
    return new RoutedRules({ disk, roots: () => world.files.roots, trusted, ...guard });
  };

  it("has rules: of the root, and of folders around a file", async () => {
    await world.put("AGENTS.md", "Be brief.");
    await world.put("code_law.MD", "Be lawful.");
    await world.put("src/AGENTS.md", `${"é".repeat(20_000)}`);
    await world.put("src/deep/AGENTS.md", "Be brief.");
    let trusted = true;
    const rules = routedRules(() => trusted);
    const shown = (found: RuleFile[]) => found.map(({ path, text, cutBytes }) => [path, text.slice(0, 10), cutBytes]);
    const roots = [
      ["app:code_law.MD", "Be lawful.", 0],
      ["app:AGENTS.md", "Be brief.", 0],
    ];
    assert.deepEqual(shown(await rules.read()), roots);
    const nested = ["app:src/AGENTS.md", "éééééééééé", 40_000 - 32 * 1024];
    assert.deepEqual(
      shown(await rules.nested(await world.files.resolve("src/deep/a.ts"))),
      [nested],
      "the same text once",
    );
    assert.deepEqual(shown(await rules.read(["app:src/AGENTS.md", "lib:src/AGENTS.md"])), [...roots, nested]);
    await world.put("AGENTS.md", "Be long.");
    assert.deepEqual(shown(await rules.read())[1], ["app:AGENTS.md", "Be long.", 0]);
    trusted = false;
    assert.deepEqual(await rules.read(), []);
  });

  it("has rules with what they import from their folder", async () => {
    await world.put("CLAUDE.md", "@docs/a.md `@docs/code.md` @docs/gone.md @../lib/x.md @.env @denied.md");
    await world.put("docs/a.md", "A. @b.md @../CLAUDE.md");
    await world.put("docs/b.md", "B.");
    await world.put(".env", "KEY=1");
    await world.put("denied.md", "no");
    const rules = routedRules(
      () => true,
      ({ relative }) => (relative === "denied.md" ? "It is denied." : undefined),
    );
    const found = await rules.read();
    assert.deepEqual(
      found.map(({ path, importedBy }) => [path, importedBy]),
      [
        ["app:CLAUDE.md", undefined],
        ["app:docs/a.md", "app:CLAUDE.md"],
        ["app:docs/b.md", "app:docs/a.md"],
      ],
    );
    assert.deepEqual(
      found[0]?.unread?.map(({ path, problem }) => `${path}: ${problem}`),
      [
        "app:docs/gone.md: It is not there.",
        "../lib/x.md: It lies outside of the folder.",
        "app:.env: It is a protected file.",
        "app:denied.md: It is denied.",
      ],
    );
    assert.ok(rules.imported.has((await world.files.resolve("docs/gone.md")).absolute));
  });

  it("that cannot be reached any more says so", async () => {
    const ref = await world.files.resolve("a.ts");
    const gone = { ...ref, uri: ref.uri.replace(world.scheme, "nosuchscheme") };
    await assert.rejects(world.files.stat(gone), /can't be reached now/);
  });
});
