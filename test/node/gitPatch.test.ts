/** A patch of all that differs makes a clone what the workspace is, and leaves the repository as it was; compared with Git itself. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitPatch } from "../../src/node/shell/gitState";
import { putFile } from "../fakes/temporary";

type Change = (at: string, git: (...args: string[]) => string) => void;

describe("a patch of a workspace", function () {
  this.timeout(60_000);
  let folder: string;
  let top: string;
  const gitIn =
    (cwd: string) =>
    (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@x.org", ...args], {
        cwd,
        encoding: "utf8",
        stdio: "pipe",
      });
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
    folder = realpathSync(mkdtempSync(join(tmpdir(), "strata-patch-test-")));
    top = join(folder, "ws");
    mkdirSync(top);
    gitIn(top)("init", "-q");
    put("a.txt", "one\ntwo\nthree\nfour\nfive\n");
    put("crlf.txt", "one\r\ntwo\r\n");
    put("run.sh", "echo\n");
    put("old name.txt", Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n"));
    put("picture.bin", Buffer.from([0, 1, 2, 255, 254]));
    put("latin.txt", Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]));
    put(".gitignore", "ignored/\n");
    gitIn(top)("add", "-A");
    gitIn(top)("commit", "-qm", "first");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
      (at, git) => {
        put("staged.txt", "1\n", at);
        git("add", "-A");
        put("staged.txt", "2\n", at);
        put("b.txt", "b\n", at);
        git("add", "b.txt");
        git("commit", "-qm", "by the agent");
      },
    ],
    ["a change in the second in which the index was written", at => put("run.sh", "ECHO\n", at)],
    [
      "settings that would change the format",
      (at, git) => {
        for (const [key, value] of [
          ["diff.noprefix", "true"],
          ["diff.mnemonicPrefix", "true"],
          ["color.ui", "always"],
          ["diff.external", "false"],
          ["core.quotePath", "false"],
        ])
          git("config", key as string, value as string);
        put("ö.txt", "x\n", at);
        put("a.txt", "changed\n", at);
      },
    ],
  ];
  for (const [name, change] of changes)
    it(`holds ${name}`, async () => {
      const base = gitIn(top)("rev-parse", "HEAD").trim();
      change(top, gitIn(top));
      put("out/result.json", "{}");
      put("ignored/x", "x");
      const before = gitFolder();
      const patch = await gitPatch(top, join(top, "out"), base);
      assert.ok("bytes" in patch, JSON.stringify(patch));
      assert.deepEqual(gitFolder(), before, "the repository is as it was");
      const clone = join(folder, "clone");
      gitIn(folder)("clone", "-q", top, clone);
      gitIn(clone)("checkout", "-q", base);
      writeFileSync(join(folder, "p"), patch.bytes);
      gitIn(clone)("apply", "--binary", join(folder, "p"));
      gitIn(clone)("add", "-A");
      rmSync(join(top, "out"), { recursive: true });
      gitIn(top)("add", "-A");
      assert.equal(gitIn(clone)("write-tree"), gitIn(top)("write-tree"));
      const named = gitIn(clone)("diff", "--cached", "--name-only", "-M", "-z", base).split("\0").filter(Boolean);
      assert.deepEqual(patch.files.map(({ path }) => path).sort(), named.sort());
    });

  it("is there before the first commit, and is a sentence without a repository", async () => {
    rmSync(join(top, ".git"), { recursive: true });
    assert.match(JSON.stringify(await gitPatch(top, folder)), /no Git repository/);
    gitIn(top)("init", "-q");
    const patch = await gitPatch(top, join(top, "out"));
    assert.ok("bytes" in patch && patch.commit === undefined, JSON.stringify(patch));
    assert.equal(patch.files.length, 7);
    gitIn(top)("add", "-A");
    gitIn(top)("commit", "-qm", "by the agent");
    const later = await gitPatch(top, join(top, "out"), null);
    assert.ok("bytes" in later && later.bytes.equals(patch.bytes), "what it committed itself is in it");
    const empty = join(folder, "empty");
    mkdirSync(empty);
    gitIn(empty)("init", "-q");
    writeFileSync(join(folder, "p"), patch.bytes);
    gitIn(empty)("apply", "--binary", join(folder, "p"));
    assert.equal(readFileSync(join(empty, "crlf.txt"), "utf8"), "one\r\ntwo\r\n");
  });

  it("starts nothing that the repository names", async () => {
    const git = gitIn(top);
    const marker = join(folder, "ran");
    put(".gitattributes", "* filter=evil diff=evil\n");
    for (const key of [
      "filter.evil.clean",
      "filter.evil.process",
      "diff.evil.command",
      "diff.evil.textconv",
      "core.fsmonitor",
    ])
      git("config", key, `touch ${marker}; cat`);
    put("a.txt", "changed\n");
    const patch = await gitPatch(top, folder);
    assert.ok("bytes" in patch, JSON.stringify(patch));
    assert.match(patch.bytes.toString("latin1"), /\n\+changed\n/);
    assert.ok(!existsSync(marker));
  });
});
