/** What every `CodeIntelligence` has to do, for a few files of TypeScript. */
import assert from "node:assert/strict";
import { CodeError, type CodeIntelligence, type CodeLocation, type Files } from "../../src/core/ground/ports";

export interface CodeWorld {
  files: Files;
  code: CodeIntelligence;
  /** Unsaved text of a file in the editor. */
  type(path: string, text: string): Promise<void>;
  /** Whoever knows languages has answered: an empty answer is one from here on, and not waited for long. */
  awake?(): void;
  dispose(): Promise<void>;
}

const never = new AbortController().signal;

const tree = {
  "load.ts": "export function loadAll() {\n  return 1;\n}\n",
  "use.ts": 'import { loadAll } from "./load";\n\nexport function begin() {\n  return loadAll();\n}\n',
  "words.none": "loadAll\n",
  "quiet.ts": "// nothing is declared here\n",
};

/** @param make a workspace of one root with these files, none of them open */
export function codeContract(name: string, make: (tree: Record<string, string>) => Promise<CodeWorld>): void {
  describe(`code: ${name}`, () => {
    let world: CodeWorld;
    before(async () => {
      world = await make(tree);
    });
    after(() => world.dispose());

    const ref = (path: string) => world.files.resolve(path);
    const declared = { line: 1, column: 17 };
    const called = { line: 4, column: 12 };
    const shown = (found: readonly CodeLocation[]) =>
      found
        .map(({ ref, range: { start }, name }) => `${ref.path}:${start.line}:${start.column}${name ? ` ${name}` : ""}`)
        .sort();

    it("finds where a symbol is declared, with all of it", async () => {
      const found = await world.code.locate("definition", await ref("use.ts"), called, never);
      assert.deepEqual(shown(found), ["load.ts:1:17"]);
      assert.deepEqual(
        found.map(({ whole }) => whole?.end.line),
        [3],
      );
    });

    it("finds what refers to it, in files that nobody opened", async () => {
      const found = await world.code.locate("references", await ref("load.ts"), declared, never);
      assert.deepEqual(shown(found), ["load.ts:1:17", "use.ts:1:10", "use.ts:4:10"]);
    });

    it("names those that call it", async () => {
      const found = await world.code.locate("callers", await ref("load.ts"), declared, never);
      assert.deepEqual(
        shown(found).filter(place => place.endsWith(" begin")),
        ["use.ts:4:10 begin"],
      );
    });

    it("tells its type", async () => {
      const texts = await world.code.hover(await ref("use.ts"), called, never);
      assert.match(texts.join("\n"), /loadAll/);
    });

    it("lists the symbols of a file and of the workspace", async () => {
      const outline = await world.code.outline(await ref("load.ts"), never);
      const [first] = outline ?? [];
      assert.deepEqual([first?.name, first?.kind, first?.whole.end.line], ["loadAll", "function", 3]);
      assert.deepEqual(first?.range.start, declared);
      const found = await world.code.symbols("loadAll", never);
      assert.ok(found.some(({ ref, name }) => ref.path === "load.ts" && name?.startsWith("loadAll")));
    });

    it("tells of a file that declares nothing what it tells of a language that nobody knows", async () => {
      world.awake?.();
      assert.equal(await world.code.outline(await ref("quiet.ts"), never), undefined);
    });

    it("says that nobody knows a language, and finds nothing there", async () => {
      const file = await ref("words.none");
      assert.equal(await world.code.outline(file, never), undefined);
      assert.deepEqual(await world.code.locate("references", file, { line: 1, column: 1 }, never), []);
      assert.deepEqual(
        (await world.code.rename(file, { line: 1, column: 1 }, "other", never).catch(() => ({ files: [] }))).files,
        [],
      );
    });

    it("says what a rename would change, with the text that it is for, and changes nothing", async () => {
      const { files, more } = await world.code.rename(await ref("load.ts"), declared, "loadEach", never);
      assert.equal(more, undefined);
      const edits = files.map(({ ref, edits }) => `${ref.path} ${edits.length} ${edits[0]?.text}`).sort();
      assert.deepEqual(edits, ["load.ts 1 loadEach", "use.ts 2 loadEach"]);
      assert.equal(files.find(({ ref }) => ref.path === "load.ts")?.text, tree["load.ts"]);
      const now = await world.files.read(await ref("load.ts"), 1_000_000);
      assert.equal(now.kind === "text" && now.text, tree["load.ts"]);
    });

    it("passes on why something cannot be renamed", async () => {
      const asked = world.code.rename(await ref("load.ts"), { line: 2, column: 4 }, "other", never);
      await assert.rejects(asked, error => error instanceof CodeError && error.message.length > 5);
    });

    it("knows unsaved text", async () => {
      await world.type("use.ts", `// first\n${tree["use.ts"]}`);
      const found = await world.code.locate("references", await ref("load.ts"), declared, never);
      assert.deepEqual(shown(found), ["load.ts:1:17", "use.ts:2:10", "use.ts:5:10"]);
    });
  });
}
