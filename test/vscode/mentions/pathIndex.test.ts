import assert from "node:assert/strict";
import { type Nearness, PathIndex } from "../../../src/vscode/mentions/pathIndex";
import { Random } from "../../fakes/random";
import { cases } from "../../fakes/soak";

const nothing: Nearness = { open: [], recent: [] };

function indexOf(...paths: string[]) {
  const index = new PathIndex("app");
  index.add(paths);
  return index;
}

const filesOf = (index: PathIndex) => index.search("", nothing, 100).filter(({ kind }) => kind === "file").length;

const shown = (matches: readonly { kind: string; path: string }[]) =>
  matches.map(match => (match.kind === "folder" ? `${match.path}/` : match.path));

/** The first results are these. */
function check(paths: string[], query: string, ...expected: string[]) {
  const found = shown(indexOf(...paths).search(query, nothing, 100));
  assert.deepEqual(found.slice(0, expected.length), expected, query);
}

const at = (path: string, root = "app") => ({ root, path });

/** What anybody would write who had all the time: the letters of the query stand in the path, in their order. */
const hasLetters = (path: string, query: string) => new RegExp([...query].join(".*"), "i").test(path);

describe("index of paths", () => {
  it("finds no path without the letters of the query in their order, and all that have them, in whatever parts they come", () => {
    const random = new Random(11);
    const name = () => Array.from({ length: random.int(1, 5) }, () => random.pick([..."abcAB_-."])).join("");
    for (let round = 0; round < cases(1_000); round++) {
      const files = new Set(Array.from({ length: random.int(1, 60) }, () => `x${name()}/y${name()}z`));
      const [begun, added] = [[...files].filter(() => random.chance(0.5)), [...files]];
      const index = indexOf(...begun);
      index.add(added);
      const query = Array.from({ length: random.int(1, 4) }, () => random.pick([..."abcAB"])).join("");
      const found = index.search(query, nothing, 200).filter(({ kind }) => kind === "file");
      const expected = [...files].filter(path => hasLetters(path, query));
      assert.deepEqual(found.map(({ path }) => path).sort(), expected.sort(), query);
      for (const { path, positions } of found)
        assert.equal(
          positions
            .map(at => path[at])
            .join("")
            .toLowerCase(),
          query.toLowerCase(),
          path,
        );
    }
  });

  it("prefers names to folders, beginnings to middles, short to long", () => {
    check(["src/parse.ts", "src/parseHeaders.ts"], "parse", "src/parse.ts", "src/parseHeaders.ts");
    check(["auth/index.ts", "lib/auth.ts"], "auth", "lib/auth.ts");
    check(["src/reparse.ts", "src/parse.ts"], "parse", "src/parse.ts", "src/reparse.ts");
    check(["src/a/b/c/d/user.ts", "src/user.ts"], "user", "src/user.ts");
    check(["src/x.test.ts", "src/x.ts"], "x", "src/x.ts");
    check(["Makefile", "make/file.ts"], "makefile", "Makefile");
  });

  it("finds initials, humps and separators", () => {
    check(["src/spine.ts", "src/pathIndex.ts", "src/apis.ts"], "pain", "src/pathIndex.ts");
    check(["src/xhrRequestBody.ts", "src/HTTPRequestBody.ts", "src/chirped.ts"], "hrb", "src/HTTPRequestBody.ts");
    check(["docs/getting-started.md", "docs/gist.md"], "getst", "docs/getting-started.md");
    check(["a/user_service.py", "a/users.py"], "usse", "a/user_service.py");
  });

  it("finds by folders, endings and capitals", () => {
    check(["src/core/parse.ts", "src/cli/pack.ts"], "src/co/pa", "src/core/parse.ts");
    check(["src/core/deep/parse.ts"], "core/parse", "src/core/deep/parse.ts");
    check(["a/button.tsx", "a/button.css"], "button.css", "a/button.css");
    check(["a/readme.md", "b/README.md"], "README", "b/README.md");
    check(["a/readme.md", "b/README.md"], "readme", "a/readme.md");
    check([".env", "src/environment.ts"], ".env", ".env");
    check(["src\\a.ts", "src/core/a.ts"], "src\\core\\a", "src/core/a.ts");
    check(["src/core/a.ts"], "./src/core", "src/core/");
  });

  it("finds folders, with what is in them after `/`", () => {
    check(["src/core/parse.ts"], "src/", "src/", "src/core/", "src/core/parse.ts");
    check(["src/core/parse.ts", "src/core.ts"], "core/", "src/core/");
    check(["src/spinner/Spinner.tsx"], "spinner", "src/spinner/Spinner.tsx", "src/spinner/");
  });

  it("finds names with blanks, accents, other scripts, however they are composed", () => {
    check(["docs/my notes.md", "docs/mynah.md"], "my no", "docs/my notes.md");
    check(["docs/my-notes.md", "docs/mynah.md"], "my no", "docs/my-notes.md");
    check(["说明/安装指南.md", "说明/指南.md"], "安装", "说明/安装指南.md");
    check(["cafe\u0301/re\u0301sume\u0301.md"], "résumé", "cafe\u0301/re\u0301sume\u0301.md");
    check(["résumé.md"], "resume", "résumé.md");
    check(["\u1112\u1161\u11ab\u1100\u1173\u11af.md"], "한글", "\u1112\u1161\u11ab\u1100\u1173\u11af.md");
    check(["🎉/🎈.md"], "🎈", "🎉/🎈.md");
    check(["İstanbul.md"], "istan", "İstanbul.md");
  });

  it("says where it matched, in the path as it is", () => {
    const positions = (path: string, query: string) => indexOf(path).search(query, nothing, 1)[0]?.positions;
    assert.deepEqual(positions("src/parse.ts", "pts"), [4, 10, 11]);
    assert.deepEqual(positions("re\u0301sume\u0301.md", "resue"), [0, 1, 3, 4, 6]);
    assert.deepEqual(positions("src/a.ts", ""), []);
    const folder = indexOf("src/a.ts").search("src/", nothing, 1)[0];
    assert.deepEqual([folder?.path, folder?.kind, folder?.positions], ["src", "folder", [0, 1, 2]]);
  });

  it("finds nothing where nothing has those letters in that order", () => {
    for (const query of ["zz", "../src", "..", "st.a", "a".repeat(5000), "src/a.ts/"]) {
      assert.deepEqual(indexOf("src/a.ts").search(query, nothing, 10), [], query);
    }
    assert.deepEqual(indexOf("src/a.ts").search("a", nothing, 0), []);
  });

  it("prefers what is open, recent, near", () => {
    const index = indexOf("a/types.ts", "b/types.ts", "c/d/types.ts", "c/api.ts");
    const first = (near: Partial<Nearness>) => index.search("types", { ...nothing, ...near }, 1)[0]?.path;
    assert.equal(first({}), "a/types.ts");
    assert.equal(first({ current: at("b/x.ts") }), "b/types.ts");
    assert.equal(first({ current: at("c/d/e/f.ts") }), "c/d/types.ts");
    assert.equal(first({ open: [at("c/d/types.ts")] }), "c/d/types.ts");
    assert.equal(first({ recent: [at("gone.ts"), at("b/types.ts")] }), "b/types.ts");
    assert.equal(first({ recent: [at("b/types.ts"), at("c/d/types.ts")] }), "b/types.ts");
    assert.equal(first({ open: [at("b/types.ts", "elsewhere")] }), "a/types.ts");
  });

  it("begins with what is open, then recent, then near", () => {
    const index = indexOf("a.ts", "b/b.ts", "b/c.ts", "d/d.ts", "e/e.ts");
    const near = { current: at("b/b.ts"), open: [at("d/d.ts")], recent: [at("e/e.ts")] };
    assert.deepEqual(shown(index.search("", near, 4)), ["d/d.ts", "e/e.ts", "b/b.ts", "b/c.ts"]);
  });
});

describe("what an index of paths has", () => {
  it("takes what comes", () => {
    const index = indexOf("src/a.ts", "src/core/b.ts", "src/core/c.ts", "d.ts");
    assert.equal(filesOf(index), 4);
    index.add(["src/core/b.ts", "src/e/f.ts"]);
    assert.equal(filesOf(index), 5);
    assert.deepEqual(shown(index.search("f", nothing, 1)), ["src/e/f.ts"]);
  });

  it("counts as near only what is of its root", () => {
    const index = indexOf("b/a.ts", "a.ts");
    assert.deepEqual(
      index.search("a.ts", nothing, 5).map(({ root, path }) => [root, path]),
      [
        ["app", "a.ts"],
        ["app", "b/a.ts"],
      ],
    );
    const first = (root: string) => index.search("a.ts", { ...nothing, current: at("b/c.ts", root) }, 1)[0]?.path;
    assert.deepEqual([first("app"), first("lib")], ["b/a.ts", "a.ts"]);
    const open = { ...nothing, open: [at("b/a.ts", "lib")] };
    assert.equal(index.search("a.ts", open, 1)[0]?.path, "a.ts");
  });

  it("compares names as the file system does", () => {
    const index = indexOf("re\u0301sume\u0301.md", "Src/A.ts", "src/a.ts");
    assert.equal(filesOf(index), 3);
    const first = (of: PathIndex, open: string) => of.search("", { ...nothing, open: [at(open)] }, 1)[0]?.path;
    assert.equal(first(index, "résumé.md"), "re\u0301sume\u0301.md");
    assert.notEqual(first(index, "SRC/a.ts"), "src/a.ts");
    const careless = new PathIndex("app", { ignoreCase: true });
    careless.add(["Src/A.ts", "src/a.ts", "Résumé.md"]);
    assert.equal(filesOf(careless), 2);
    assert.deepEqual(
      ["SRC/a.ts", "RE\u0301SUME\u0301.md"].map(open => first(careless, open)),
      ["Src/A.ts", "Résumé.md"],
    );
  });

  it("leaves out what cannot be mentioned", () => {
    const index = indexOf("a\nb.ts", "", "x".repeat(5000), `${"y".repeat(300)}.ts`, 'quo"te.ts', "a\\b.ts");
    assert.equal(filesOf(index), 3);
    assert.deepEqual(shown(index.search("quote", nothing, 5)), ['quo"te.ts']);
    assert.equal(index.search("y".repeat(290), nothing, 5)[0]?.positions.length, 290);
  });
});
