/** Files with unsaved changes before a command: asked about, saved or left, and told. */
import assert from "node:assert/strict";
import type { ApprovalAnswer } from "../../../src/shared/approval";
import type { DirtyFiles } from "../../../src/shared/settingValues";
import { HeldCommand } from "../../fakes/shell";
import { Harness } from "../looking/harness";

const allow = (more: Partial<ApprovalAnswer> = {}): ApprovalAnswer => ({
  ...{ decision: "allow", scope: "once", by: "user" },
  ...more,
});
const save = allow({ unsaved: "save" });
const leave = allow({ unsaved: "leave" });

/** `a.ts` and `b.ts` are on disk as "one\n"; those named are unsaved as "typed\n". */
function start(dirtyFiles: DirtyFiles, unsaved: string[] = ["a.ts"]) {
  const harness = new Harness({ app: { "a.ts": "one\n", "b.ts": "one\n" } }, { shell: { "*": {} } });
  harness.dirtyFiles = dirtyFiles;
  for (const path of unsaved) harness.files.edit(path, "typed\n");
  return harness;
}

const SAVED = "Saved before the command, since it had unsaved changes: a.ts.";
const LEFT = "Not saved: a.ts has unsaved changes in the editor that the command did not see.";

describe("unsaved changes before a command", () => {
  async function check(
    title: string,
    dirtyFiles: DirtyFiles,
    answer: ApprovalAnswer | undefined,
    expected: { text: string; onDisk: string },
  ) {
    it(title, async () => {
      const harness = start(dirtyFiles);
      harness.answer = answer;
      const { status, text } = await harness.call("Bash", { command: "npm test" });
      assert.deepEqual([status, text], ["ok", `(no output)\n${expected.text}`]);
      assert.equal(harness.files.onDisk("a.ts"), expected.onDisk);
      assert.equal(harness.files.inEditor("a.ts"), "typed\n");
      assert.equal(harness.unsaved.following, 0);
    });
  }
  const kept = { text: LEFT, onDisk: "one\n" };
  const written = { text: SAVED, onDisk: "typed\n" };
  check("are saved by the setting", "save", undefined, written);
  check("are left by the setting", "leave", undefined, kept);
  check("are saved by the answer", "ask", save, written);
  check("are left by the answer", "ask", leave, kept);
  check("are left where the answer says nothing of them", "ask", allow(), kept);

  it("are saved before a command that runs in the background, too", async () => {
    const held = new HeldCommand();
    const harness = new Harness({ app: { "a.ts": "one\n" } }, { shell: { "*": { held } } });
    harness.dirtyFiles = "save";
    harness.files.edit("a.ts", "typed\n");
    const answer = harness.call("Bash", { command: "npm run watch", run_in_background: true });
    await held.started;
    await harness.clock.advance(500);
    const { status, text } = await answer;
    assert.equal(status, "ok");
    assert.ok(text.startsWith("Started in the background as ") && text.endsWith(`\n${SAVED}`), text);
    assert.equal(harness.files.onDisk("a.ts"), "typed\n");
    await harness.call("BashOutput", { bash_id: "task_1", kill: true });
  });

  it("are named in the question, and bound by it", async () => {
    const harness = start("ask", ["b.ts", "a.ts"]);
    const { detail, binding } = await harness.prepare("Bash", { command: "ls" });
    assert.deepEqual(detail, { type: "command", command: "ls", cwd: "/ws/app", place: "", unsaved: ["a.ts", "b.ts"] });
    harness.unsaved.personSaves("b.ts");
    assert.notEqual((await harness.prepare("Bash", { command: "ls" })).binding, binding);
    for (const setting of ["save", "leave"] as const) {
      harness.dirtyFiles = setting;
      const prepared = await harness.prepare("Bash", { command: "ls" });
      assert.deepEqual(prepared.detail, { type: "command", command: "ls", cwd: "/ws/app", place: "" });
    }
  });

  it("outside of the workspace do not count", async () => {
    const harness = start("ask", ["/elsewhere/c.ts"]);
    assert.equal((await harness.call("Bash", { command: "ls" })).text, "(no output)");
  });

  describe("that came while the question was open", () => {
    async function typedMeanwhile(harness: Harness) {
      let prepared = 0;
      const { prepare } = harness;
      harness.prepare = (name, input) => {
        prepared += 1;
        return prepare.call(harness, name, input);
      };
      harness.between = () => harness.files.edit("b.ts", "typed too\n");
      const { text } = await harness.call("Bash", { command: "ls" });
      return { prepared, text };
    }

    it("are asked about anew before anything is saved", async () => {
      const harness = start("ask");
      harness.answer = save;
      assert.deepEqual(await typedMeanwhile(harness), {
        prepared: 2,
        text: "(no output)\nSaved before the command, since they had unsaved changes: a.ts, b.ts.",
      });
      assert.deepEqual(harness.unsaved.asked, ["a.ts", "b.ts"]);
      assert.equal(harness.shell.runs.length, 1);
    });

    it("are asked about also where there were none before", async () => {
      const harness = start("ask", []);
      harness.answer = leave;
      assert.equal((await typedMeanwhile(harness)).prepared, 2);
    });

    it("are left with the others, and saved with them where that holds for the session", async () => {
      const left = start("ask");
      left.answer = leave;
      assert.deepEqual(await typedMeanwhile(left), {
        prepared: 1,
        text: "(no output)\nNot saved: a.ts, b.ts have unsaved changes in the editor that the command did not see.",
      });
      const saved = start("ask");
      saved.answer = { ...save, scope: "session" };
      assert.equal((await typedMeanwhile(saved)).prepared, 1);
      assert.equal(saved.files.onDisk("b.ts"), "typed too\n");
    });
  });

  it("saved by the person meanwhile need no second question", async () => {
    const harness = start("ask");
    harness.answer = save;
    harness.between = () => harness.unsaved.personSaves("a.ts");
    assert.equal((await harness.call("Bash", { command: "ls" })).text, "(no output)");
  });

  it("that cannot be saved are told with the reason, and stay in the editor", async () => {
    const harness = start("save", ["a.ts", "b.ts"]);
    harness.unsaved.failing.set("b.ts", "it is read-only");
    const { text } = await harness.call("Bash", { command: "ls" });
    assert.equal(
      text,
      `(no output)\n${SAVED}\nNot saved: b.ts (it is read-only) has unsaved changes in the editor that the command did not see.`,
    );
    assert.deepEqual([harness.files.onDisk("b.ts"), harness.files.inEditor("b.ts")], ["one\n", "typed\n"]);
  });

  it("that are many are counted", async () => {
    const harness = start(
      "leave",
      Array.from({ length: 30 }, (_, index) => `f${index + 10}.ts`),
    );
    const { text } = await harness.call("Bash", { command: "ls" });
    assert.match(text, /^Not saved: f10\.ts, f11\.ts, .*f19\.ts and 20 more have unsaved/m);
  });

  describe("known to the session", () => {
    async function readFirst(typedSince?: string) {
      const harness = start("save");
      harness.files.formatOnSave = text => `${text}formatted\n`;
      await harness.call("Read", { file_path: "a.ts" });
      if (typedSince !== undefined) harness.files.edit("a.ts", typedSince);
      const { text, performed } = await harness.call("Bash", { command: "ls" });
      // Where its stamp is not the newest, nothing is merged any more.
      harness.forgets = true;
      const edited = await harness.call("Edit", { file_path: "a.ts", old_string: "typed", new_string: "edited" });
      return { text, stamps: performed?.stamps ?? [], edited: edited.status };
    }

    it("are known as the formatter left them: the next edit is not stale", async () => {
      const { text, stamps, edited } = await readFirst();
      assert.equal(
        text,
        "(no output)\nSaved before the command, since it had unsaved changes: a.ts (saving changed it).",
      );
      assert.deepEqual([stamps.length, stamps[0]?.stamp.dirty, edited], [1, false, "ok"]);
    });

    it("but not where the person typed since it was read", async () => {
      const { text, stamps, edited } = await readFirst("typed by the person\n");
      assert.deepEqual([text, stamps, edited], [`(no output)\n${SAVED}`, [], "STALE"]);
    });
  });

  it("that were saved are known as they stand also where the command did not start", async () => {
    for (const shell of [{ fails: new Error("no shell") }, {}]) {
      const harness = new Harness({ app: { "a.ts": "one\n" } }, { shell: { "*": shell } });
      harness.dirtyFiles = "save";
      harness.files.formatOnSave = text => `// formatted\n${text}`;
      harness.files.edit("a.ts", "typed\n");
      await harness.call("Read", { file_path: "a.ts" });
      if (!("fails" in shell)) harness.stop.abort();
      const { status, text } = await harness.call("Bash", { command: "ls" });
      assert.equal(status, "fails" in shell ? "IO" : "ABORTED");
      assert.match(text, /\nSaved before the command, .*: a\.ts \(saving changed it\)\.$/);
      const now = await harness.files.read(await harness.files.resolve("a.ts"), 1_000);
      const stamp = harness.stamps.get("file:///ws/app/a.ts");
      assert.deepEqual([stamp?.sha256, stamp?.dirty], [now.stamp.sha256, false]);
    }
  });

  it("that were saved are told also where the shell does not start", async () => {
    const harness = new Harness({ app: { "a.ts": "one\n" } }, { shell: { "*": { fails: new Error("no shell") } } });
    harness.dirtyFiles = "save";
    harness.files.edit("a.ts", "typed\n");
    const { status, text } = await harness.call("Bash", { command: "ls" });
    assert.deepEqual([status, text], ["IO", `The shell could not start in /ws/app: no shell\n${SAVED}`]);
    assert.equal(harness.unsaved.following, 0);
  });
});
