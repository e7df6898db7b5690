/** What messages attach in a terminal: what Git says of the workspace, and a sentence for what only editors have. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";
import type { RepositoryChanges } from "../../src/core/ports";
import { NodeShell } from "../../src/node/shell/shell";
import { terminalAttachments } from "../../src/terminal/attachments";
import { ScriptedShell } from "../fakes/shell";
import { program, runArgs, withModel } from "./program";

const signal = new AbortController().signal;

describe("attachments in a terminal", () => {
  let folder: string;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  const changes = async (at = folder, trusted = true) =>
    terminalAttachments({ shell: new NodeShell(), folder: at, trusted: () => trusted }).changes(signal);
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "strata-git-")));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("are the changes of the whole repository, whatever settings it has, and nothing of it runs", async () => {
    git("init", "-q", "-b", "trunk");
    writeFileSync(join(folder, "中 文.txt"), "one\n");
    mkdirSync(join(folder, "sub"));
    git("add", "-A");
    writeFileSync(join(folder, "中 文.txt"), "two\n");
    writeFileSync(join(folder, "sub", "new\n.txt"), "");
    const ran = join(folder, "ran");
    git("config", "diff.external", `touch '${ran}'`);
    git("config", "core.fsmonitor", `touch '${ran}'`);
    git("config", "diff.noprefix", "true");
    git("config", "color.ui", "always");
    const [found, ...more] = (await changes(join(folder, "sub"))) as RepositoryChanges[];
    assert.ok(found && more.length === 0);
    assert.deepEqual([found.root, found.branch, found.untracked], [folder, "trunk", ["sub/new\n.txt"]]);
    assert.match(found.staged, /^diff --git a\/中 文\.txt b\/中 文\.txt\nnew file[\s\S]*\n\+one\n$/);
    assert.match(found.unstaged, /\n-one\n\+two\n$/);
    assert.equal(existsSync(ran), false);
  });

  it("are a sentence without a repository, without trust, without Git, and where it takes too long", async () => {
    assert.deepEqual(await changes(), { nothing: "The workspace is in no Git repository." });
    assert.deepEqual(await changes(folder, false), {
      nothing: "This workspace is not trusted, so Git is not run in it (--trust lets it run).",
    });
    const scripted = (script: ConstructorParameters<typeof ScriptedShell>[0][string]) =>
      terminalAttachments({ shell: new ScriptedShell({ "*": script }), folder, trusted: () => true }).changes(signal);
    assert.deepEqual(await scripted({ exitCode: 127 }), { nothing: "Git is not installed." });
    assert.deepEqual(await scripted({ ended: "timeout" }), { nothing: "Git did not answer in time." });
  });

  it("are read no further than is bearable, and a failure is one", async () => {
    const shell = new ScriptedShell({ "*": { output: [["stdout", "/ws\n"]] } });
    const read = () => terminalAttachments({ shell, folder, trusted: () => true }).changes(signal);
    await read();
    const diff = shell.runs.map(({ command }) => command).find(command => / diff .*b\/$/.test(command)) ?? "";
    shell.add(diff, { output: [["stdout", "x".repeat(5_000_000)]] });
    const [found] = (await read()) as RepositoryChanges[];
    assert.deepEqual([found?.unstaged.length, found?.cut], [4_000_000, true]);
    shell.add(diff, { output: [["stderr", "fatal: bad index"]], exitCode: 128 });
    await assert.rejects(read(), /^Error: git ended with 128: fatal: bad index$/);
  });
});

describe("attachments, as a user of the terminal sees them", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  it("are said on the way, and reach the model", async () => {
    let asked: OfflineRequest | undefined;
    const script = (request: OfflineRequest) => {
      asked = request;
      return { text: "Seen." };
    };
    await withModel(script, async url => {
      const at = place();
      execFileSync("git", ["init", "-q"], { cwd: at.workspace });
      const { code, err } = await strata(at, runArgs(at, url, "--trust", "--prompt", "look at @changes and @problems"));
      assert.equal(code, 0);
      assert.match(
        err,
        /\n?· Attached: 1 untracked file\n· Nothing attached for @problems: Problems can be attached in the editor only/,
      );
      const [changes, problems] = asked?.messages.slice(-2).map(({ text }) => text) ?? [];
      assert.match(
        changes ?? "",
        /^<attachment name="@changes" [^>]*>\n1 untracked file\nRepository [^\n]*\nNot tracked: a\.txt\n<\/attachment>$/,
      );
      assert.match(
        problems ?? "",
        /^<system-reminder>\nThe user attached @problems, but there is nothing in it: Problems can be/,
      );
    });
  });
});
