/** Which lines of a diff are whose: made by hand, and by Git itself of whatever names files can have. */
import assert from "node:assert/strict";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDiff } from "../../../../src/core/mentions/attachments/gitChanges";
import { git as gitIn } from "../../../fakes/git";
import { temporaryFolder } from "../../../fakes/temporary";

const paths = (diff: string) => parseDiff(diff).map(file => file.paths);

describe("the files of a diff", () => {
  it("are none of an empty one", () => {
    assert.deepEqual(parseDiff(""), []);
  });

  it("have their names, lines and counts", () => {
    const one = "diff --git a/x.ts b/x.ts\nindex 1..2 100644\n--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n-a\n+b\n+c\n d";
    const two = "diff --git a/y b/y\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+z";
    assert.deepEqual(parseDiff(`${one}\n${two}\n`), [
      { paths: ["x.ts"], text: one, added: 2, removed: 1 },
      { paths: ["y"], text: two, added: 1, removed: 0 },
    ]);
  });

  it("are not made up by what stands in a file", () => {
    const inside =
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n-diff --git a/.env b/.env\n--- a/.env\n+++ b/ok";
    assert.deepEqual(paths(inside), [["x"]]);
  });

  it("have both names where they were renamed", () => {
    const renamed = "diff --git a/.env b/notes.txt\nsimilarity index 90%\nrename from .env\nrename to notes.txt";
    assert.deepEqual(paths(renamed), [[".env", "notes.txt"]]);
  });

  it("are found without their lines: binary, mode alone", () => {
    assert.deepEqual(paths("diff --git a/a b.png b/a b.png\nBinary files a/a b.png and b/a b.png differ"), [
      ["a b.png"],
    ]);
    assert.deepEqual(paths("diff --git a/run b/run\nold mode 100644\nnew mode 100755"), [["run"]]);
    for (const quoted of ['--git "a/\\t" "b/\\t"', '--cc "a\\tb"', '--git a/x "b/\\t"\nrename from x\nrename to "\\t"'])
      assert.deepEqual(paths(`diff ${quoted}\nold mode 100644`), [[]], "quoted, and none is said");
    assert.deepEqual(paths("diff --git a/one b/two\nBinary files differ"), [[]], "two names, and none is said");
  });

  it("have no lines of what stands between them: submodules, a summary", () => {
    const one = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n\n\\ No newline at end of file";
    const [file, ...others] = parseDiff(`${one}\nSubmodule lib 1..2:\n  > a commit\n`);
    assert.deepEqual([file?.paths, others], [["x"], []]);
    assert.ok(!file?.text.includes("Submodule"));
  });

  it("are found in merges", () => {
    const merge =
      "diff --cc a b.txt\nindex 1,2..0\n--- a/a b.txt\n+++ b/a b.txt\n@@@ -1,1 -1,1 +1,5 @@@\n++<<<<<<< HEAD\n +a";
    assert.deepEqual(paths(merge), [["a b.txt"]]);
    assert.deepEqual(parseDiff("* Unmerged path a b.txt\n"), []);
  });

  it("are those that Git says, whatever they are called", () => {
    const folder = temporaryFolder("diff");
    const git = (...args: string[]) => gitIn(folder, "-c", "core.quotePath=false", ...args);
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    const names = [
      "plain",
      "with space",
      "中文/文件",
      "é",
      "a/b/c",
      "😀",
      " x ",
      "end ",
      "x b/y",
      "a/x",
      "b/b",
      "c/.d",
      "dev/null",
    ];
    // Git quotes these: they are kept back.
    const quoted = ['q"uote', "tab\there", "line\nbreak", "back\\slash", "\\303"];
    const all = [...names, ...quoted];
    const text = (name: string) => `${name}\n${"the same line\n".repeat(20)}`;
    git("init", "-q", "-b", "main");
    for (const name of all) put(name, text(name));
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    for (const name of all) put(name, `${text(name)}- one more\n+++ b/.env\n`);
    const settings = [[], ["--no-renames"]];
    for (const given of settings)
      assert.deepEqual(
        paths(git("diff", ...given))
          .flat()
          .sort(),
        names.toSorted(),
      );
    for (const name of all) put(name, text(name));
    for (const name of all) renameSync(join(folder, name), join(folder, `${name}.new`));
    git("add", "-A");
    const renamed = paths(git("diff", "--cached", "-M")).flatMap(pair => (pair.length > 0 ? [pair.toSorted()] : []));
    assert.deepEqual(renamed.flat().sort(), names.flatMap(name => [name, `${name}.new`]).sort());
    assert.ok(renamed.every(([from = "", to]) => to === `${from}.new`));
  });
});
