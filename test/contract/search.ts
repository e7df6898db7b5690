/** What every `Search` has to do. */

import assert from "node:assert/strict";
import { type Files, type GrepLine, type GrepQuery, type Search, SearchError } from "../../src/core/ground/ports";
import { pluck } from "../fakes/pluck";

export interface SearchWorld {
  files: Files;
  search: Search;
  dispose(): Promise<void>;
}

/** What the world of a search holds: path in the first root → text. Later ones are newer. */
export const SEARCH_TREE: Record<string, string> = {
  "a.ts": "import x\nconst needle = 1\nlast line\n",
  "b.js": "// Needle in b\n",
  "src/c.ts": "one\ntwo needle\nthree\nneedle again\n",
  "src/deep/d.test.ts": "needle in a test\n",
  "src/win.txt": "needle with crlf\r\nnext\r\n",
  "docs/read me.md": "a needle: here-and:there\n",
  "docs/umlaut ä.md": "nädle\n",
  ".config/hidden.ts": "needle hidden\n",
  "plain.txt": "nothing\n",
  "multi.txt": "begin\nmiddle\nend\n",
};

export const PLAIN = {
  pattern: "x",
  mode: "content" as const,
  before: 0,
  after: 0,
  ignoreCase: false,
  multiline: false,
};

/**
 * @param make a workspace of one root with SEARCH_TREE; `ignore` are names, hidden as by .gitignore, of which the
 * world may put files in place
 */
export function searchContract(
  name: string,
  make: (tree: Record<string, string>, ignore: readonly string[]) => Promise<SearchWorld>,
): void {
  describe(`search: ${name}`, () => {
    let world: SearchWorld;
    before(async () => {
      const tree = { ...SEARCH_TREE, "out/generated.ts": "needle ignored\n", "noise.log": "needle ignored\n" };
      world = await make(tree, ["out", "*.log"]);
    });
    after(() => world.dispose());

    const signal = () => new AbortController().signal;
    const grep = async (query: Partial<GrepQuery> & { path?: string }, limit = Number.POSITIVE_INFINITY) => {
      const { path = ".", ...rest } = query;
      const lines: GrepLine[] = [];
      const ref = await world.files.resolve(path);
      await world.search.grep(
        { ...PLAIN, pattern: "needle", ref, ...rest },
        line => lines.push(line) < limit,
        signal(),
      );
      return lines;
    };
    const shown = (lines: GrepLine[]) =>
      lines.map(line => `${line.path}${line.kind === "match" ? ":" : "-"}${line.line}:${line.text}`).sort();

    describe("grep", () => {
      const check = (title: string, query: Parameters<typeof grep>[0], expected: string[]) =>
        it(title, async () => assert.deepEqual(shown(await grep(query)), expected.toSorted()));

      check("finds lines, below hidden folders too, and nothing that is ignored", {}, [
        "a.ts:2:const needle = 1",
        "src/c.ts:2:two needle",
        "src/c.ts:4:needle again",
        "src/deep/d.test.ts:1:needle in a test",
        "src/win.txt:1:needle with crlf",
        "docs/read me.md:1:a needle: here-and:there",
        ".config/hidden.ts:1:needle hidden",
      ]);
      check("in a folder", { path: "src/deep" }, ["src/deep/d.test.ts:1:needle in a test"]);
      check("in a file", { path: "a.ts" }, ["a.ts:2:const needle = 1"]);
      check("by glob on names", { glob: "*.md" }, ["docs/read me.md:1:a needle: here-and:there"]);
      check("by glob with braces", { glob: "**/*.{md,js}", ignoreCase: true }, [
        "b.js:1:// Needle in b",
        "docs/read me.md:1:a needle: here-and:there",
      ]);
      check("by glob with a folder", { glob: "src/**/*.test.ts" }, ["src/deep/d.test.ts:1:needle in a test"]);
      check("by glob relative to the folder", { path: "src", glob: "deep/*.ts" }, [
        "src/deep/d.test.ts:1:needle in a test",
      ]);
      check("a glob does not bring back what is ignored", { glob: "*.log" }, []);
      check("by type", { type: "js", ignoreCase: true }, ["b.js:1:// Needle in b"]);
      check("with context", { path: "src/c.ts", pattern: "two", before: 1, after: 1 }, [
        "src/c.ts-1:one",
        "src/c.ts-3:three",
        "src/c.ts:2:two needle",
      ]);
      check("over lines", { pattern: "begin.*end", multiline: true }, [
        "multi.txt:1:begin",
        "multi.txt:2:middle",
        "multi.txt:3:end",
      ]);
      check("a pattern that begins with a dash", { pattern: "-and" }, ["docs/read me.md:1:a needle: here-and:there"]);
      check("the end of a line with CRLF", { pattern: "crlf$" }, ["src/win.txt:1:needle with crlf"]);
      check("other alphabets", { pattern: "nä" }, ["docs/umlaut ä.md:1:nädle"]);
      check("nothing", { pattern: "not to be found" }, []);

      it("files only", async () => {
        const lines = await grep({ mode: "files_with_matches", glob: "*.ts" });
        assert.deepEqual(lines.map(line => line.path).sort(), [
          ".config/hidden.ts",
          "a.ts",
          "src/c.ts",
          "src/deep/d.test.ts",
        ]);
        assert.ok(lines.every(line => line.line === 0));
      });

      it("counts", async () => {
        const lines = await grep({ mode: "count", path: "src" });
        assert.deepEqual(Object.fromEntries(lines.map(line => [line.path, line.count])), {
          "src/c.ts": 2,
          "src/deep/d.test.ts": 1,
          "src/win.txt": 1,
        });
      });

      it("ends when the caller has enough", async () => {
        assert.equal((await grep({}, 2)).length, 2);
      });

      it("bad patterns, types and globs are SearchErrors", async () => {
        for (const query of [{ pattern: "(" }, { type: "no-such-type" }]) {
          await assert.rejects(grep(query), error => error instanceof SearchError && error.message.length > 10);
        }
      });

      it("an aborted search rejects with the signal's reason", async () => {
        const controller = new AbortController();
        controller.abort(new Error("stopped"));
        const ref = await world.files.resolve(".");
        const query = { ...PLAIN, ref };
        await assert.rejects(
          world.search.grep(query, () => true, controller.signal),
          /stopped/,
        );
        await assert.rejects(world.search.glob(ref, "**", controller.signal), /stopped/);
        await assert.rejects(world.search.ignored(ref, ["a"], controller.signal), /stopped/);
      });
    });

    describe("glob", () => {
      const glob = async (pattern: string, path = ".") =>
        (await world.search.glob(await world.files.resolve(path), pattern, signal())).map(found => found.path);
      const check = (pattern: string, expected: string[], path = ".") =>
        it(`${pattern} in ${path}`, async () =>
          assert.deepEqual((await glob(pattern, path)).sort(), expected.toSorted()));

      check("*.md", ["docs/read me.md", "docs/umlaut ä.md"]);
      check("**/*.ts", ["a.ts", "src/c.ts", "src/deep/d.test.ts", ".config/hidden.ts"]);
      check("src/*.ts", ["src/c.ts"]);
      check("src/**", ["src/c.ts", "src/deep/d.test.ts", "src/win.txt"]);
      check("{src,docs}/*.{ts,md}", ["src/c.ts", "docs/read me.md", "docs/umlaut ä.md"]);
      check("**/[ab].?s", ["a.ts", "b.js"]);
      check("deep/*", ["src/deep/d.test.ts"], "src");
      check("!**/*.ts", ["src/win.txt"], "src");
      check("*.log", []);
      check("*.nothing", []);

      it("gives the newest first, with its time", async () => {
        const found = await world.search.glob(await world.files.resolve("."), "**/*", signal());
        assert.ok(found.length >= Object.keys(SEARCH_TREE).length);
        assert.ok(found.every(({ mtime }) => mtime > 0));
        assert.deepEqual(
          pluck(found, "mtime"),
          found.map(file => file.mtime).toSorted((a, b) => b - a),
        );
      });

      it("a bad pattern is a SearchError", async () => {
        await assert.rejects(glob("src/[a"), SearchError);
      });
    });

    it("says which names of a folder are ignored", async () => {
      const ref = await world.files.resolve(".");
      const ignored = await world.search.ignored(ref, ["a.ts", "src", "out", "noise.log", "not-there.log"], signal());
      assert.deepEqual([...ignored].sort(), ["noise.log", "not-there.log", "out"]);
      const folders = await world.search.ignored(ref, ["src/", "out/", "not-there.log/"], signal());
      assert.deepEqual([...folders].sort(), ["not-there.log/", "out/"]);
    });
  });
}
