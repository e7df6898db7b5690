/** Files that are new after a command, though a command of another session may have made them. */
import assert from "node:assert/strict";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandChanges } from "../../../src/core/ground/ports";
import { BaselineWorkspace } from "../../fakes/baselineWorkspace";

describe("a file that is new after a command", () => {
  let workspace: BaselineWorkspace;
  beforeEach(() => {
    workspace = new BaselineWorkspace();
    workspace.write("notes.txt", "notes\n");
  });
  afterEach(() => workspace.end());

  const doubts = ({ changes }: CommandChanges) =>
    Object.fromEntries(
      changes.map(({ path, made, doubt }) => [path.slice(workspace.folder.length + 1), doubt ?? made]),
    );

  /** What is doubted of files that come into being while a command runs. */
  async function made(...names: string[]): Promise<Record<string, string | boolean>> {
    const lookAgain = await workspace.baseline.before();
    for (const name of names) workspace.write(name, "new\n");
    return doubts(await lookAgain());
  }

  it("is the command's, where nothing speaks against it", async () => {
    const names = ["made.txt", "other 2.txt", "conflict.ts", "a.swift", "report (1).txt", ".env.sample"];
    assert.deepEqual(await made(...names), Object.fromEntries(names.map(name => [name, true])));
  });

  describe("beside which another session ran a command", () => {
    const ANOTHER = /^a command of another session ran at the same time/;

    it("that was killed long ago: another process has its number", async () => {
      const mark = join(workspace.base, "scratch", `command-${process.pid}-gone`);
      await made("first.txt");
      writeFileSync(mark, "running");
      assert.match(String((await made("beside.txt"))["beside.txt"]), ANOTHER);
      const before = new Date(Date.now() - 3_600_000);
      utimesSync(mark, before, before);
      assert.equal((await made("alone.txt"))["alone.txt"], true);
    });

    it("that still runs, may be that one's", async () => {
      const lookAgain = await workspace.baseline.before();
      const others = await workspace.other.before();
      workspace.write("made.txt", "made\n");
      assert.match(String(doubts(await lookAgain())["made.txt"]), ANOTHER);
      assert.match(String(doubts(await others())["made.txt"]), ANOTHER);
    });

    it("that ended meanwhile, may be that one's, also where that session is closed by then", async () => {
      const others = await workspace.other.before();
      const lookAgain = await workspace.baseline.before();
      workspace.write("made.txt", "made\n");
      await others();
      await workspace.other.close();
      assert.match(String(doubts(await lookAgain())["made.txt"]), ANOTHER);
    });

    it("that ended before it began, is the command's", async () => {
      const others = await workspace.other.before();
      await others();
      const before = new Date(Date.now() - 1_000);
      const scratch = join(workspace.base, "scratch");
      const marks = readdirSync(scratch).filter(name => name.startsWith("command-"));
      for (const name of marks) utimesSync(join(scratch, name), before, before);
      assert.deepEqual(await made("made.txt"), { "made.txt": true });
    });
  });
});
