/** What stood in files that were clean in Git, whatever Git stores of them, and whatever became of the repository. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BaselineWorkspace } from "../../fakes/baselineWorkspace";

describe("what a command found, from Git", () => {
  let workspace: BaselineWorkspace;
  beforeEach(() => {
    workspace = new BaselineWorkspace();
  });
  afterEach(() => workspace.end());

  for (const [what, attributes, text] of [
    ["other line ends", "*.txt text eol=crlf", "one\r\ntwo\r\n"],
    ["another encoding", "*.txt text working-tree-encoding=UTF-16LE-BOM", "\ufeffone\ntwo\n"],
    ["an expanded keyword", "*.txt ident", "$Id: 1$\n"],
    ["a keyword, which somebody took along from another version,", "*.txt ident", `$Id: ${"0".repeat(40)} $\n`],
    ["nothing else, where somebody wrote another kind of line end", "*.txt text eol=crlf", "one\ntwo\n"],
  ] as const)
    it(`has what stood in many folders and under odd names, where Git stores ${what}`, async () => {
      const bytes = Buffer.from(text, what === "another encoding" ? "utf16le" : "utf8");
      workspace.write(".gitattributes", `${attributes}\n`);
      const names = [
        " blank.txt",
        "new\nline.txt",
        "empty.txt",
        ...Array.from({ length: 210 }, (_, at) => `d${at}/f.txt`),
      ];
      for (const name of names) workspace.write(name, name === "empty.txt" ? "" : bytes);
      workspace.git();
      // Git writes the keyword itself.
      if (what === "an expanded keyword") workspace.run("rm -rf d* *.txt ' blank.txt' && git checkout -q .");
      const held = names.map(name => readFileSync(join(workspace.folder, name), "latin1"));
      const lookAgain = await workspace.baseline.before();
      for (const name of names) workspace.write(name, "x");
      const { changes } = await lookAgain();
      const states = new Map(changes.map(({ path, before }) => [path.slice(workspace.folder.length + 1), before]));
      const told = names.map(name => {
        const state = states.get(name);
        return state?.type === "file" ? workspace.kept.get(state.sha256)?.toString("latin1") : state;
      });
      assert.deepEqual(told, held);
    });

  it("has what stood there, where filters store other bytes of the same length, or where it is", async () => {
    workspace.write(".gitattributes", "*.txt filter=hide\n*.bin filter=lfs\n");
    const sha256 = createHash("sha256").update("large\n").digest("hex");
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize 6\n`;
    const held = { "a.txt": "word 7\n", "large.bin": "large\n", "pointer.bin": pointer };
    for (const [name, text] of Object.entries(held)) workspace.write(name, text);
    workspace.write("../pointer", pointer);
    workspace.git();
    workspace.run(
      "git config filter.hide.clean 'sed s/7/0/' && git config filter.lfs.clean 'cat ../pointer #' && git add --renormalize . && git commit -qm 2 && sleep 0.1 && touch * && git add .",
    );
    workspace.write(`.git/lfs/objects/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`, "large\n");
    const told = await workspace.around("for f in *.bin *.txt; do echo x > $f; done");
    assert.deepEqual(Object.fromEntries([...told].map(([path, { before }]) => [path, before])), held);
  });

  it("has most of it, where much changed and Git cannot read an object or the folder is gone", async () => {
    const size = (at: number) => 9 * 1024 * 1024 - at;
    for (let at = 0; at < 8; at++) workspace.write(`${at}.bin`, Buffer.alloc(size(at)));
    workspace.write("large.bin", Buffer.alloc(11 * 1024 * 1024));
    workspace.git();
    workspace.run("f=$(git rev-parse :7.bin | sed s,^..,.git/objects/\\&/,); chmod 600 $f; truncate -s 999 $f");
    const told = await workspace.around("rm *.bin");
    const wrong = "unkept: Git did not give it byte for byte";
    for (let at = 0; at < 7; at++) assert.equal(told.get(`${at}.bin`)?.before.length, size(at));
    assert.equal(told.get("7.bin")?.before, wrong);
    assert.equal(told.get("large.bin")?.before, "unkept: it has more than 10 MB");
    workspace.write("clean.txt", "c\n");
    workspace.run("git add clean.txt && git commit -qm 2 && sleep 0.1");
    workspace.write("new.txt", "n\n");
    const gone = await workspace.around('rm -rf "$PWD"');
    assert.deepEqual([gone.get("clean.txt")?.before, gone.get("new.txt")?.before], [wrong, "n\n"]);
  });

  it("runs no program that the repository's settings name", async () => {
    workspace.write("a.txt", "one\n");
    workspace.git();
    const mark = join(workspace.base, "ran");
    workspace.write("b.txt", "b\r\n");
    workspace.run("git add b.txt && git commit -qm b");
    const traps = [
      "filter.evil.clean",
      "filter.evil.smudge",
      "filter.evil.process",
      "core.fsmonitor",
      "diff.evil.textconv",
    ];
    for (const key of [...traps, "core.pager", "core.hooksPath"]) workspace.run(`git config ${key} 'touch ${mark}'`);
    workspace.run("git config filter.evil.required true");
    workspace.write(".git/info/attributes", "*.txt filter=evil diff=evil\n");
    // What Git has of it has another length than what stands there: it is asked for what a checkout would write.
    const told = await workspace.around(
      "for f in a.txt b.txt 'n ew.txt'; do echo two > \"$f\"; done; echo '*.txt eol=crlf text filter=evil' > .gitattributes",
    );
    assert.deepEqual([told.get("a.txt")?.before, existsSync(mark)], ["one\n", false]);
  });

  for (const { what, command, also, gap } of [
    {
      ...{ what: "that was deleted", command: "rm -rf in", also: { "in/d.txt": "d\n" } },
      gap: [/^A command changed commits, branches or stashes of .*in: those stay, only files go back/],
    },
    { what: "that Git cannot read any more", command: "echo [broken > in/.git/config", also: {}, gap: [] },
  ])
    it(`is known of all files, also of those of a repository ${what}`, async () => {
      workspace.write("a.txt", "a\n");
      workspace.git();
      workspace.write("b.txt", "b\n");
      workspace.run("git init -q in && echo d > in/d.txt");
      const lookAgain = await workspace.baseline.before();
      workspace.run(`echo x > a.txt && rm b.txt && ${command}`);
      const found = await lookAgain();
      const told = [...workspace.told(found)].map(([path, { before }]) => [path, before]);
      assert.deepEqual(Object.fromEntries(told), { "a.txt": "a\n", "b.txt": "b\n", ...also });
      assert.equal(found.gaps.length, gap.length, found.gaps.join("\n"));
      for (const [at, words] of gap.entries()) assert.match(found.gaps[at] ?? "", words);
      // The next command is looked at as any other.
      assert.deepEqual([...(await workspace.around("echo y > a.txt")).keys()], ["a.txt"]);
    });

  it("is looked for elsewhere once the workspace is no repository any more", async () => {
    workspace.write("a.txt", "a\n");
    workspace.git();
    await workspace.around("rm -rf .git");
    assert.equal((await workspace.around("echo x > a.txt")).get("a.txt")?.before, "a\n");
  });
});
