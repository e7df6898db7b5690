/** A patch of all that differs makes a clone what the workspace is, and leaves the repository as it was; compared with Git itself. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gitPatch } from "../../src/node/shell/gitState";
import { git } from "../fakes/git";
import { putFile, temporaryFolder } from "../fakes/temporary";

type Change = (at: string, run: (...args: string[]) => string) => void;

describe("a patch of a workspace", function () {
  this.timeout(60_000);
  let folder: string;
  let top: string;
  const put = (path: string, content: string | Uint8Array, at = top) => putFile(join(at, path), content);
  /** every file of `.git` with its content; Git touches the times of objects that it meets again */
  const gitFolder = () =>
    globSync("**", { cwd: join(top, ".git") })
      .filter(path => statSync(join(top, ".git", path)).isFile())
      .map(path => {
        const at = join(top, ".git", path);
        return `${path} ${createHash("sha1").update(readFileSync(at)).digest("hex")}`;
      })
      .sort();

  beforeEach(() => {
    folder = temporaryFolder("patch");
    top = join(folder, "ws");
    mkdirSync(top);
    git(top, "init", "-q");
    put("a.txt", "one\ntwo\nthree\nfour\nfive\n");
    put("crlf.txt", "one\r\ntwo\r\n");
    put("run.sh", "echo\n");
    put("old name.txt", Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n"));
    put("picture.bin", Buffer.from([0, 1, 2, 255, 254]));
    put("latin.txt", Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]));
    put(".gitignore", "ignored/\n");
    git(top, "add", "-A");
    git(top, "commit", "-qm", "first");
  });

  const changes: [name: string, change: Change][] = [
    [
      "lines, CRLF, bytes that are no text, another encoding",
      at => {
        put("a.txt", "one\nTWO\nthree\nfour\nfive", at);
        put("crlf.txt", "one\r\nTWO\r\n", at);
        put("picture.bin", Buffer.from([9, 0, 200]), at);
        put("latin.txt", Buffer.from([0x63, 0xe9, 10]), at);
      },
    ],
    [
      "renames, modes, links, deletions, names with spaces, tabs and letters",
      at => {
        renameSync(join(at, "old name.txt"), join(at, "new name.txt"));
        chmodSync(join(at, "run.sh"), 0o755);
        symlinkSync("a.txt", join(at, "link"));
        rmSync(join(at, "latin.txt"));
        put("tab\there.txt", "x\n", at);
        put("sub/中 文.txt", "x\n", at);
      },
    ],
    [
      "what is staged, what was staged and changed again, what was committed meanwhile",
      (at, run) => {
        put("staged.txt", "1\n", at);
        run("add", "-A");
        put("staged.txt", "2\n", at);
        put("b.txt", "b\n", at);
        run("add", "b.txt");
        run("commit", "-qm", "by the agent");
      },
    ],
    ["a change in the second in which the index was written", at => put("run.sh", "ECHO\n", at)],
    [
      "settings that would change the format",
      (at, run) => {
        for (const [key, value] of [
          ["diff.noprefix", "true"],
          ["diff.mnemonicPrefix", "true"],
          ["color.ui", "always"],
          ["diff.external", "false"],
          ["core.quotePath", "false"],
        ])
          run("config", key as string, value as string);
        put("ö.txt", "x\n", at);
        put("a.txt", "changed\n", at);
      },
    ],
  ];
  for (const [name, change] of changes)
    it(`holds ${name}`, async () => {
      const base = git(top, "rev-parse", "HEAD").trim();
      change(top, (...args) => git(top, ...args));
      put("out/result.json", "{}");
      put("ignored/x", "x");
      const before = gitFolder();
      const patch = await gitPatch(top, join(top, "out"), base);
      assert.ok("bytes" in patch, JSON.stringify(patch));
      assert.deepEqual(gitFolder(), before, "the repository is as it was");
      const clone = join(folder, "clone");
      git(folder, "clone", "-q", top, clone);
      git(clone, "checkout", "-q", base);
      writeFileSync(join(folder, "p"), patch.bytes);
      git(clone, "apply", "--binary", join(folder, "p"));
      git(clone, "add", "-A");
      rmSync(join(top, "out"), { recursive: true });
      git(top, "add", "-A");
      assert.equal(git(clone, "write-tree"), git(top, "write-tree"));
      const named = git(clone, "diff", "--cached", "--name-only", "-M", "-z", base).split("\0").filter(Boolean);
      assert.deepEqual(patch.files.map(({ path }) => path).sort(), named.sort());
    });

  it("is there before the first commit, and is a sentence without a repository", async () => {
    rmSync(join(top, ".git"), { recursive: true });
    assert.match(JSON.stringify(await gitPatch(top, folder)), /no Git repository/);
    git(top, "init", "-q");
    const patch = await gitPatch(top, join(top, "out"));
    assert.ok("bytes" in patch && patch.commit === undefined, JSON.stringify(patch));
    assert.equal(patch.files.length, 7);
    git(top, "add", "-A");
    git(top, "commit", "-qm", "by the agent");
    const later = await gitPatch(top, join(top, "out"), null);
    assert.ok("bytes" in later && later.bytes.equals(patch.bytes), "what it committed itself is in it");
    const empty = join(folder, "empty");
    mkdirSync(empty);
    git(empty, "init", "-q");
    writeFileSync(join(folder, "p"), patch.bytes);
    git(empty, "apply", "--binary", join(folder, "p"));
    assert.equal(readFileSync(join(empty, "crlf.txt"), "utf8"), "one\r\ntwo\r\n");
  });

  it("starts nothing that the repository names", async () => {
    const marker = join(folder, "ran");
    put(".gitattributes", "* filter=evil diff=evil\n");
    for (const key of [
      "filter.evil.clean",
      "filter.evil.process",
      "diff.evil.command",
      "diff.evil.textconv",
      "core.fsmonitor",
    ])
      git(top, "config", key, `touch ${marker}; cat`);
    put("a.txt", "changed\n");
    const patch = await gitPatch(top, folder);
    assert.ok("bytes" in patch, JSON.stringify(patch));
    assert.match(patch.bytes.toString("latin1"), /\n\+changed\n/);
    assert.ok(!existsSync(marker));
  });
});
