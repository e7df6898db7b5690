import assert from "node:assert/strict";
import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GrepLine, type GrepQuery, SearchError } from "../../src/core/ground/ports";
import { NodeFiles } from "../../src/node/files";
import { packagedRipgrep, RipgrepSearch, vscodeRipgrep } from "../../src/node/ripgrep";
import { PLAIN, type SearchWorld, searchContract } from "../contract/search";
import { pluck } from "../fakes/pluck";
import { putFile, temporaryFolder } from "../fakes/temporary";

async function tree(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  let seconds = 1_700_000_000;
  for (const [path, content] of Object.entries(files)) {
    putFile(join(folder, path), content);
    await utimes(join(folder, path), seconds, seconds++);
  }
}

async function nodeWorld(
  files: Record<string, string | Uint8Array>,
  ignore: readonly string[],
  { excludes = [] as string[], below = "" } = {},
): Promise<SearchWorld & { root: string }> {
  const folder = temporaryFolder("search");
  await tree(folder, files);
  if (ignore.length > 0) await writeFile(join(folder, ".gitignore"), `${ignore.join("\n")}\n`);
  const nodeFiles = new NodeFiles([join(folder, below)]);
  return {
    files: nodeFiles,
    root: folder,
    search: new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => nodeFiles.roots, excludes: () => excludes }),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

searchContract("RipgrepSearch", nodeWorld);

describe("RipgrepSearch", () => {
  const signal = () => new AbortController().signal;
  const grep = async ({ files, search }: SearchWorld, query: Partial<GrepQuery> & { path?: string }) => {
    const lines: GrepLine[] = [];
    const { path = ".", ...rest } = query;
    const ref = await files.resolve(path);
    const plain = { ...PLAIN, ref };
    await search.grep({ ...plain, ...rest }, line => void lines.push(line), signal());
    return lines;
  };
  const withWorld = (
    title: string,
    files: Record<string, string | Uint8Array>,
    run: (world: SearchWorld & { root: string }) => Promise<void>,
    options: { excludes?: string[]; below?: string; ignore?: string[] } = {},
  ) =>
    it(title, async () => {
      const world = await nodeWorld(files, options.ignore ?? [], options);
      try {
        await run(world);
      } finally {
        await world.dispose();
      }
    });

  withWorld(
    "knows .gitignore of the folders above the workspace, nested ones, and their exceptions",
    {
      ".gitignore": "dist/\n*.log\n!keep.log\n/top.txt\napp/docs/**/draft.md\n#comment\n\\#odd\n",
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/info/exclude": "secret.txt\n",
      "app/.gitignore": "local.txt\n!important.log\n",
      "app/dist/a.txt": "x",
      "app/a.log": "x",
      "app/keep.log": "x",
      "app/important.log": "x",
      "app/local.txt": "x",
      "app/top.txt": "x",
      "app/docs/deep/draft.md": "x",
      "app/docs/read.md": "x",
      "app/#odd": "x",
      "app/secret.txt": "x",
      "app/empty/.keep": "",
      "app/file/dist": "x",
    },
    async world => {
      const found = (await grep(world, { mode: "files_with_matches", pattern: "^x$" })).map(line => line.path).sort();
      // what ripgrep thinks of the names is what `ignored` has to think of them
      const names = ["a.log", "dist", "docs", "empty", "file", "important.log", "keep.log", "local.txt", "#odd"];
      const rest = ["secret.txt", "top.txt", ".git"];
      const ignored = await world.search.ignored(await world.files.resolve("."), [...names, ...rest], signal());
      assert.deepEqual([...ignored].sort(), ["#odd", ".git", "a.log", "dist", "local.txt", "secret.txt"]);
      assert.deepEqual(found, ["docs/read.md", "file/dist", "important.log", "keep.log", "top.txt"]);
      const deep = await world.files.resolve("docs/deep");
      assert.deepEqual([...(await world.search.ignored(deep, ["draft.md", "b.md"], signal()))], ["draft.md"]);
      const file = await world.files.resolve("file");
      assert.deepEqual([...(await world.search.ignored(file, ["dist"], signal()))], []);
    },
    { below: "app" },
  );

  withWorld(
    "leaves out what the editor excludes, from the root on, in every folder that is searched",
    { "src/gen/a.ts": "x", "src/b.ts": "x", "gen/c.ts": "x", "old.bak": "x" },
    async world => {
      const paths = async (path: string) => (await grep(world, { path })).map(line => line.path).sort();
      assert.deepEqual(await paths("."), ["gen/c.ts", "src/b.ts"]);
      assert.deepEqual(await paths("src"), ["src/b.ts"]);
      const ignored = await world.search.ignored(await world.files.resolve("src"), ["gen", "b.ts"], signal());
      assert.deepEqual([...ignored], ["gen"]);
      const globbed = await world.search.glob(await world.files.resolve("src"), "**", signal());
      assert.deepEqual(pluck(globbed, "path"), ["src/b.ts"]);
    },
    { excludes: ["src/gen", "**/*.bak"] },
  );

  withWorld(
    "passes over binary files and their notices",
    {
      "a.txt": "x here\n",
      "bin.dat": Buffer.concat([
        Buffer.from("x before\n".repeat(20_000)),
        Buffer.from([0, 1, 2]),
        Buffer.from("x after\n"),
      ]),
      "z.txt": "x there\n",
    },
    async world => {
      const paths = new Set((await grep(world, {})).map(line => line.path));
      assert.ok(paths.has("a.txt") && paths.has("z.txt"));
      assert.ok(
        [...paths].every(path => ["a.txt", "z.txt", "bin.dat"].includes(path)),
        [...paths].join(),
      );
    },
  );

  withWorld(
    "gives no line of a binary file that is named",
    { "bin.dat": Buffer.from("x before\nx \0 in\nx behind\n") },
    async world => assert.deepEqual(await grep(world, { path: "bin.dat", pattern: "in|behind" }), []),
  );

  withWorld("of a line with a million hits gives the first", { "a.js": `${"ab".repeat(1_000_000)}\n` }, async world => {
    const [line, ...others] = await grep(world, { pattern: "a" });
    assert.ok(line?.text.startsWith("abab") && (line.hits?.length ?? 0) >= 10);
    assert.deepEqual([line?.path, line?.line, others], ["a.js", 1, []]);
  });

  withWorld(
    "of a line of megabytes gives the beginning",
    { "min.js": `x${"y".repeat(3_000_000)}\nx2\n` },
    async world => {
      const lines = await grep(world, {});
      assert.deepEqual(pluck(lines, "line"), [1, 2]);
      assert.ok(lines[0]!.text.length < 10_000 && lines[0]!.text.endsWith("…"));
      assert.equal(lines[1]!.text, "x2");
    },
  );

  withWorld(
    "reads UTF-16 by its mark, and shows what is not UTF-8",
    {
      "utf16.txt": Buffer.from("\uFEFFx größe\n", "utf16le"),
      "latin.txt": Buffer.from("x gr\xf6\xdfe\n", "latin1"),
    },
    async world => {
      assert.deepEqual((await grep(world, {})).map(line => line.text).sort(), ["x größe", "x gr\uFFFD\uFFFDe"]);
    },
  );

  withWorld("gives thousands of lines whole and in order", { "many.txt": "x line\n".repeat(50_000) }, async world => {
    const lines = await grep(world, {});
    assert.equal(lines.length, 50_000);
    assert.ok(lines.every((line, index) => line.line === index + 1 && line.text === "x line"));
  });

  withWorld(
    "takes part of a search that is stopped in the middle",
    { "many.txt": "x line\n".repeat(500_000) },
    async world => {
      const controller = new AbortController();
      const ref = await world.files.resolve(".");
      const plain = { ...PLAIN, ref };
      let lines = 0;
      const search = world.search.grep(
        plain,
        () => {
          if (++lines === 10) controller.abort(new Error("stopped"));
          return true;
        },
        controller.signal,
      );
      await assert.rejects(search, /stopped/);
    },
  );

  withWorld("an error of the caller ends the search and comes back", { "a.txt": "x" }, async world => {
    const ref = await world.files.resolve(".");
    const plain = { ...PLAIN, ref };
    const failing = () => {
      throw new Error("from the caller");
    };
    await assert.rejects(world.search.grep(plain, failing, signal()), /from the caller/);
  });

  withWorld("bad input is a SearchError in words", { "a.txt": "x" }, async world => {
    const check = (query: Parameters<typeof grep>[1], words: RegExp) =>
      assert.rejects(grep(world, query), error => error instanceof SearchError && words.test(error.message));
    await check({ pattern: "a(b" }, /unclosed group/);
    await check({ type: "nope" }, /unrecognized file type/);
    await check({ glob: "src/{a,b" }, /\{ is not closed/);
    await check({ glob: "[z-a]" }, /range/);
    await check({ glob: "" }, /empty/);
    await check({ pattern: "a\0b" }, /NUL/);
    await check({ path: "nowhere" }, /no nowhere/);
    await assert.rejects(world.search.glob(await world.files.resolve("a.txt"), "*", signal()), SearchError);
  });

  withWorld("without ripgrep says what is missing", { "a.txt": "x" }, async world => {
    const search = new RipgrepSearch({ ripgrepPath: async () => undefined, roots: () => world.files.roots });
    await assert.rejects(grep({ ...world, search }, {}), /needs ripgrep/);
    const wrong = new RipgrepSearch({ ripgrepPath: async () => "/no/such/rg", roots: () => world.files.roots });
    await assert.rejects(grep({ ...world, search: wrong }, {}), /could not be started/);
  });

  withWorld(
    "names files of several roots, and of none",
    { "one/a.txt": "x", "two/b.txt": "x", "three/c.txt": "x" },
    async world => {
      const files = new NodeFiles([join(world.root, "one"), join(world.root, "two")]);
      const search = new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots });
      const paths = async (path: string) => (await grep({ ...world, files, search }, { path })).map(line => line.path);
      assert.deepEqual(await paths("two:."), ["two:b.txt"]);
      assert.deepEqual(await paths("one:a.txt"), ["one:a.txt"]);
      assert.deepEqual(await paths(join(world.root, "three")), [join(world.root, "three", "c.txt")]);
    },
  );
});

describe("where ripgrep is", () => {
  it("the packaged one runs; an editor's is found by its known places", async () => {
    const packaged = await packagedRipgrep();
    assert.ok(packaged);
    const appRoot = temporaryFolder("app");
    assert.equal(await vscodeRipgrep(appRoot), undefined);
    const old = join(appRoot, "node_modules/@vscode/ripgrep/bin/rg");
    const current = join(appRoot, `node_modules/@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}/rg`);
    for (const place of [old, current]) {
      await mkdir(dirname(place), { recursive: true });
      await symlink(packaged, place);
      assert.equal(await vscodeRipgrep(appRoot), place);
    }
  });
});
