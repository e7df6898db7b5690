/**
 * Search of unsaved text on the real engine: what it gives is what ripgrep gives in a copy of the workspace where the text
 * was saved, line by line and in the same order.
 */
import assert from "node:assert/strict";
import { access, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { GrepLine, GrepQuery } from "../../src/core/ground/ports";
import { newScratchFolder } from "../../src/node/disk";
import { NodeFiles } from "../../src/node/files";
import { packagedRipgrep, RipgrepSearch } from "../../src/node/ripgrep";
import { VSCodeSearch } from "../../src/vscode/search/unsavedSearch";
import { cases } from "../fakes/soak";
import { temporaryFolder } from "../fakes/temporary";

type Tree = Record<string, string>;
type Query = Partial<Omit<GrepQuery, "ref">> & { path?: string };

const EXCLUDES = ["app/gen", "**/*.bak"];
const IGNORED = "out/\n*.log\n!keep.log\n";

async function put(folder: string, tree: Tree): Promise<void> {
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Runs with a workspace that holds `disk` and of which the editor has `unsaved`, beside a copy where that was saved. */
async function inWorlds(disk: Tree, unsaved: Tree, roots: string[], run: (worlds: Worlds) => Promise<void>) {
  const home = temporaryFolder("overlay");
  try {
    const [edited, saved, scratch] = ["edited", "saved", "scratch"].map(name => join(home, name)) as [
      string,
      string,
      string,
    ];
    await put(edited, { ".gitignore": IGNORED, ...disk });
    await put(saved, { ".gitignore": IGNORED, ...disk, ...unsaved });
    // a scratch folder below an ignore file that hides everything
    await put(scratch, { ".gitignore": "*\n" });
    await run(worldsIn({ edited, saved, scratch }, unsaved, roots));
    assert.deepEqual(await readdir(scratch), [".gitignore"], "nothing is left behind");
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

interface Worlds {
  overlay: World;
  plain: World;
}
type World = (query: Query, limit?: number, signal?: AbortSignal) => Promise<string[]>;

function worldsIn(folders: Record<"edited" | "saved" | "scratch", string>, unsaved: Tree, roots: string[]): Worlds {
  const [edited, saved] = [folders.edited, folders.saved].map(
    folder => new NodeFiles(roots.map(root => join(folder, root))),
  ) as [NodeFiles, NodeFiles];
  const ripgrep = (files: NodeFiles) =>
    new RipgrepSearch({
      ripgrepPath: packagedRipgrep,
      roots: () => files.roots,
      excludes: () => EXCLUDES,
    });
  let searches = 0;
  const overlay = new VSCodeSearch({
    disk: ripgrep(edited),
    engine: new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => [], everything: true }),
    files: {
      unsavedTexts: () =>
        Promise.all(
          Object.entries(unsaved).map(async ([path, text]) => ({
            text,
            ref: await edited.resolve(join(folders.edited, path)),
          })),
        ),
    },
    newScratch: () => newScratchFolder(join(folders.scratch, `s${++searches}`)),
    ownFolders: [],
  });
  return { overlay: searching(edited, overlay), plain: searching(saved, ripgrep(saved)) };
}

function searching(files: NodeFiles, search: Pick<VSCodeSearch, "grep">): World {
  return async ({ path = ".", ...rest }, limit = Number.POSITIVE_INFINITY, signal = new AbortController().signal) => {
    const query: GrepQuery = {
      ...{ pattern: "needle", mode: "content", before: 0, after: 0, ignoreCase: false, multiline: false },
      ...rest,
      ref: await files.resolve(path),
    };
    const lines: GrepLine[] = [];
    await search.grep(query, line => lines.push(line) < limit, signal);
    return lines.map(line => `${line.path}|${line.line}|${line.kind}|${line.count ?? ""}|${line.text}`);
  };
}

const PATHS = [
  ..."app/a.ts|app/a/b.ts|app/a b.js|app/a.b/deep/c.ts|app/gen/d.ts|app/é.ts|app/z.bak|app/.hidden.ts".split("|"),
  ..."lib/a.ts|lib/app/gen/e.ts|lib/out/f.ts|lib/noise.log|lib/keep.log|lib/readme.md|lib/𝒳.py".split("|"),
];
const TEXT_LINES = ["needle", "Needle again", "begin", "end", "größe needle", "", "   x needle y", "nothing here"];

const text = fc
  .tuple(
    fc.array(fc.constantFrom(...TEXT_LINES), { minLength: 1, maxLength: 8 }),
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "END"),
  )
  .map(([lines, end, last]) => lines.map(line => line + end).join("") + last);
const tree = (minLength: number, maxLength: number) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...PATHS), text), { minLength, maxLength, selector: ([path]) => path });
/** Mostly nothing. */
const seldom = <T>(...values: [T, ...T[]]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 3 });
const often = { weight: 2, arbitrary: fc.constant("needle") };
const other = fc.constantFrom("^needle$", "e$", "gr.+e", "begin.*end", "^$", "x|END", "not to be found");
const query = fc
  .record({
    pattern: fc.oneof(often, { weight: 1, arbitrary: other }),
    mode: fc.constantFrom("content" as const, "content" as const, "files_with_matches" as const, "count" as const),
    glob: seldom("*.ts", "**/a*", "app/**/*.{ts,js}", "!**/*.ts", "a/*.ts"),
    type: seldom("ts", "py"),
    before: seldom(1, 2),
    after: seldom(1, 2),
    ignoreCase: seldom(true),
    multiline: seldom(true),
  })
  .map(given => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Query);
const searches = fc.array(
  fc.tuple(query, fc.constantFrom(1, 3, 1_000, 1_000), fc.constantFrom("all", "all", "folder", "file")),
  { minLength: 2, maxLength: 5 },
);

describe("search of unsaved text", () => {
  it("gives what ripgrep gives where the text was saved: any files, any search, any limit", async () => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(tree(4, 14), tree(1, 6), searches, fc.boolean(), async (disk, unsaved, asks, twoRoots) => {
        const roots = twoRoots ? ["app", "lib"] : ["."];
        const folders = twoRoots ? ["app:.", "lib:."] : ["."];
        const deeper = twoRoots ? ["app:a.b", "lib:app"] : ["app", "lib"];
        const files = unsaved.map(([path]) => (twoRoots ? path.replace("/", ":") : path));
        const both = Object.fromEntries([["app/a.b/x.ts", ""], ["lib/app/x.ts", ""], ...disk]);
        await inWorlds(both, Object.fromEntries(unsaved), roots, async ({ overlay, plain }) => {
          for (const [asked, limit, where] of asks) {
            for (const path of { all: folders, folder: deeper, file: files.slice(0, 1) }[where]) {
              const expected = await plain({ ...asked, path }, limit);
              hits += expected.length;
              const found = await overlay({ ...asked, path }, limit);
              if (limit < 1_000) assert.equal(found.length, expected.length);
              else assert.deepEqual(found.sort(), expected.sort());
            }
          }
        });
      }),
      { numRuns: cases(30) },
    );
    // Of a tenth of the cases none may find much.
    if (cases(30) === 30) assert.ok(hits > 30, `${hits} hits`);
  });

  it("an engine that searches files side by side gives the same lines, those of a file together", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `d${at % 7}/f${at}.ts`);
    const disk = Object.fromEntries(names.map(name => [name, "needle\nb\nneedle\n"]));
    const unsaved = { "d1/f1.ts": "a\nneedle u\n", "d2/f2.ts": "nothing\n", "d0/new.ts": "needle new\n" };
    const sideBySide = async ({ overlay, plain }: Worlds) => {
      const lines = await overlay({});
      assert.deepEqual(lines.toSorted(), (await plain({})).sort());
      const paths = lines.map(line => line.split("|")[0]);
      assert.equal(paths.filter((path, at) => path !== paths[at - 1]).length, 60, "58 on disk, two unsaved");
    };
    await inWorlds(disk, unsaved, ["."], sideBySide);
  });

  it("finds in a file that is gone from the disk, and in its folder", async () => {
    await inWorlds(
      { "a.ts": "x\n" },
      { "gone/b.ts": "needle\n", "out/c.ts": "needle\n" },
      ["."],
      async ({ overlay }) => {
        assert.deepEqual(await overlay({}), ["gone/b.ts|1|match||needle"]);
        assert.deepEqual(await overlay({ path: "gone/b.ts" }), ["gone/b.ts|1|match||needle"]);
        assert.deepEqual(await overlay({ path: "out/c.ts" }), ["out/c.ts|1|match||needle"]);
      },
    );
  });

  it("leaves the unsaved text of protected files to those who ask for the file", async () => {
    await inWorlds({ ".env": "A=1\n" }, { ".env": "needle\n" }, ["."], async ({ overlay }) => {
      assert.deepEqual(await overlay({}), []);
      assert.deepEqual(await overlay({ path: ".env" }), [".env|1|match||needle"]);
    });
  });

  it("clears up when it is stopped, and when the pattern is refused", async () => {
    await inWorlds({ "a.ts": "needle\n" }, { "b.ts": "needle\n" }, ["."], async ({ overlay }) => {
      const stop = new AbortController();
      stop.abort(new Error("stopped"));
      await assert.rejects(overlay({}, 10, stop.signal), /stopped/);
      await assert.rejects(overlay({ pattern: "(" }), /unclosed group/);
    });
  });

  it("writes the text where nobody else can read it, and only for as long as it searches", async () => {
    const folder = temporaryFolder("scratch");
    try {
      const scratch = await newScratchFolder(join(folder, "one"));
      await scratch.write("deep/er/a.ts", "text");
      await access(join(folder, "one/deep/er/a.ts"));
      await scratch.remove();
      assert.deepEqual(await readdir(folder), []);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
