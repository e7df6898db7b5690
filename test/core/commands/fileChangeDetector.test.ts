/** Files that a command changed: noticed by their content, stamped where nobody else wrote, told in words. */
import assert from "node:assert/strict";
import { FileError } from "../../../src/core/ground/ports";
import { Harness } from "../looking/harness";

const READ = ["a.ts", "b.ts", "c.ts"];

/** Three files that were read; the command does what `does` says. */
async function start(does: (harness: Harness) => unknown) {
  const script = { does: () => does(harness) };
  const files = Object.fromEntries(READ.map(path => [path, `${path} one\ntwo\n`]));
  const harness = new Harness({ app: { ...files, "unread.ts": "one\n" } }, { shell: { "*": script } });
  harness.dirtyFiles = "leave";
  for (const path of READ) await harness.call("Read", { file_path: path });
  return harness;
}

/** Runs, gives what was added to the result's text; then edits a.ts. */
async function run(harness: Harness) {
  const { text, performed, data } = await harness.call("Bash", { command: "make" });
  // Where its stamp is not the newest, nothing is merged any more: the edit is refused.
  harness.forgets = true;
  const { status } = await harness.call("Edit", { file_path: "a.ts", old_string: "two", new_string: "2" });
  assert.equal(harness.unsaved.following, 0);
  return {
    added: text.split("\n").slice(1),
    stamped: (performed?.stamps ?? []).map(({ uri }) => uri.slice(uri.lastIndexOf("/") + 1)),
    changes: (performed?.changes ?? []).map(({ path, added, removed }) => `${path} +${added} −${removed}`),
    diffs: (performed?.changes ?? []).map(({ diff }) => diff),
    facts: data.filesChanged,
    edit: status,
  };
}

type Outcome = Awaited<ReturnType<typeof run>>;

function check(title: string, does: (harness: Harness) => unknown, expected: Partial<Outcome>, before?: typeof does) {
  it(title, async () => {
    const harness = await start(does);
    await before?.(harness);
    const outcome = await run(harness);
    const { added = [], stamped = [], changes = [], edit = "ok", ...rest } = expected;
    assert.deepEqual(
      { added: outcome.added, stamped: outcome.stamped, changes: outcome.changes, edit: outcome.edit },
      { added, stamped, changes, edit },
    );
    for (const [name, value] of Object.entries(rest)) assert.deepEqual(outcome[name as keyof Outcome], value, name);
  });
}

const CHANGED = "Files read before that the command changed: ";
const DIFFERS =
  "Files read before that changed, perhaps not by the command alone: a.ts. Read them again before you edit them.";

describe("files that a command changed", () => {
  check("none: nothing is said", () => undefined, { facts: undefined });
  check("a new time alone is no change", ({ files }) => files.touch("a.ts"), {});
  check("what was not read is nobody's concern", ({ files }) => files.put("unread.ts", "2\n"), {});
  check(
    "are told with their lines and stamped, so that the next edit is not stale",
    ({ files }) => {
      files.put("a.ts", "a.ts one\nand\ntwo\n");
      files.put("c.ts", "c.ts one\n");
    },
    {
      added: [`${CHANGED}a.ts (+1 −0), c.ts (+0 −1).`],
      stamped: ["a.ts", "c.ts"],
      changes: ["a.ts +1 −0", "c.ts +0 −1"],
      facts: ["a.ts +1 −0", "c.ts +0 −1"],
    },
  );
  check(
    "are named without lines where the earlier text is not known any more",
    ({ files }) => files.put("a.ts", "two\n"),
    { added: [`${CHANGED}a.ts.`], stamped: ["a.ts"], facts: ["a.ts changed"] },
    harness => {
      harness.forgets = true;
    },
  );
  check("also in their line ends alone", ({ files }) => files.put("a.ts", "a.ts one\r\ntwo\r\n"), {
    added: [`${CHANGED}a.ts (line ends only).`],
    stamped: ["a.ts"],
    changes: ["a.ts +0 −0"],
  });
  check("to something binary, too", ({ files }) => files.put("b.ts", Buffer.from("a\0b")), {
    added: [`${CHANGED}b.ts.`],
    stamped: ["b.ts"],
  });
  check("that are gone are said, and their lines with them", ({ files }) => files.remove("b.ts"), {
    added: ["Files read before that are gone: b.ts."],
    stamped: ["b.ts"],
    changes: ["b.ts +0 −2"],
    diffs: ["--- b.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-b.ts one\n-two"],
    facts: ["b.ts gone"],
  });
  check(
    "that became a folder are gone",
    ({ files }) => {
      files.remove("b.ts");
      files.put("b.ts/x", "1");
    },
    { added: ["Files read before that are gone: b.ts."], stamped: ["b.ts"], changes: ["b.ts +0 −2"] },
  );
  check(
    "that come back as they were are nothing new",
    ({ files }) => files.put("b.ts", "b.ts one\ntwo\n"),
    {},
    ({ files }) => files.remove("b.ts"),
  );
  check(
    "that come back with another text are to be read",
    ({ files }) => files.put("a.ts", "two\n"),
    {
      added: [
        "Files read before that changed, perhaps not by the command alone: a.ts. Read them again before you edit them.",
      ],
      edit: "STALE",
    },
    ({ files }) => files.remove("a.ts"),
  );
  check(
    "that were gone before stay untold",
    () => undefined,
    {},
    ({ files }) => files.remove("b.ts"),
  );
});

it("a command that is known to only read is not looked at", async () => {
  const harness = await start(({ files }) => files.put("a.ts", "two\n"));
  const { text, performed } = await harness.call("Bash", { command: "ls" });
  assert.deepEqual([text, performed?.stamps, performed?.changes], ["(no output)", [], []]);
});

describe("files that others changed as well", () => {
  check(
    "before the command: not stamped, since nobody showed it to the model",
    ({ files }) => files.put("a.ts", "by the person\nby the command\ntwo\n"),
    { added: [DIFFERS], edit: "STALE" },
    ({ files }) => files.put("a.ts", "by the person\ntwo\n"),
  );
  check(
    "and that the command leaves alone: nothing is said, nothing stamped",
    () => undefined,
    { edit: "STALE" },
    ({ files }) => files.put("a.ts", "by the person\ntwo\n"),
  );
  check(
    "and that the command puts back: they are as the session knows them",
    ({ files }) => files.put("a.ts", "a.ts one\ntwo\n"),
    {},
    ({ files }) => files.put("a.ts", "by the person\ntwo\n"),
  );
  check(
    "in the editor while the command ran: nobody can tell who did what",
    ({ files, unsaved }) => {
      files.edit("a.ts", "typed\ntwo\n");
      unsaved.personSaves("a.ts");
    },
    { added: [DIFFERS], edit: "STALE" },
  );
  const UNSAVED =
    "Files with unsaved changes in the editor that the command changed on disk: a.ts. The editor will ask the user which text to keep.";
  const NOT_SAVED = "Not saved: a.ts has unsaved changes in the editor that the command did not see.";
  const type = ({ files }: Harness) => files.edit("a.ts", "typed\ntwo\n");
  check(
    "in the editor without saving: both are said, nothing is stamped",
    ({ files }) => files.put("a.ts", "two\n"),
    { added: [NOT_SAVED, UNSAVED], edit: "STALE" },
    type,
  );
  check(
    "unsaved, and left alone by the command: only that they are",
    () => undefined,
    { added: [NOT_SAVED], edit: "STALE" },
    type,
  );
  check("typed in while the command ran", type, { edit: "STALE" });
  check(
    "unsaved and never read: said where the command changed them below the editor",
    ({ files }) => files.put("unread.ts", "2\n"),
    {
      added: [NOT_SAVED.replace("a.ts", "unread.ts"), UNSAVED.replace("a.ts", "unread.ts")],
    },
    ({ files }) => files.edit("unread.ts", "typed\n"),
  );
});

describe("noticing what a command changed", () => {
  it("looks into files as young as the clock's grain, whose time may be the same", async () => {
    for (const [now, expected] of [[Date.UTC(2026, 0, 1), "ok"] as const, [Date.UTC(2027, 0, 1), "STALE"] as const]) {
      const harness = await start(({ files }) => {
        const { mtime } = files.all().find(({ ref }) => ref.path === "a.ts")!;
        files.put("a.ts", "a.ts one\nTWO\n");
        files.touch("a.ts", mtime);
      });
      harness.now = now;
      harness.files.put("a.ts", "a.ts one\ntwo\n");
      await harness.call("Read", { file_path: "a.ts" });
      const { text } = await harness.call("Bash", { command: "make" });
      harness.forgets = true;
      const again = await harness.call("Edit", { file_path: "a.ts", old_string: "TWO", new_string: "2" });
      assert.equal(again.status, expected, text);
    }
  });

  it("of many names ten, and counts the rest; diffs are left out when they become much", async () => {
    const many = Array.from({ length: 300 }, (_, index) => `f${index}.ts`);
    const harness: Harness = new Harness(
      { app: Object.fromEntries(many.map(path => [path, "one\n"])) },
      { shell: { "*": { does: () => many.map(path => harness.files.put(path, `${"x".repeat(2_000)}\n`)) } } },
    );
    for (const path of many) await harness.call("Read", { file_path: path });
    const { text, performed } = await harness.call("Bash", { command: "make" });
    assert.match(text, /f0\.ts \(\+1 −1\), .*f9\.ts \(\+1 −1\) and 290 more\.$/);
    const { stamps = [], changes = [] } = performed ?? {};
    assert.deepEqual([stamps.length, changes.length], [300, 200]);
    const diffs = changes.map(({ diff }) => diff.length);
    assert.ok(diffs.reduce((sum, length) => sum + length) <= 256 * 1024);
    assert.deepEqual([diffs[0]! > 2_000, diffs.at(-1)], [true, 0]);
  });

  it("a file that cannot be looked at keeps no command from running", async () => {
    const harness = await start(({ files }) => files.put("b.ts", "2\n"));
    harness.files.failNext.stat = new FileError("IO", "no permission");
    const { status, text } = await harness.call("Bash", { command: "make" });
    assert.deepEqual([status, text], ["ok", `(no output)\n${CHANGED}b.ts (+1 −2).`]);
  });

  it("a fault of ours takes nobody the result, and follows no saves any more", async () => {
    const faults: ((harness: Harness) => void)[] = [
      ({ files }) => {
        files.resolve = async () => assert.fail("a fault");
      },
      ({ unsaved }) => {
        unsaved.unsaved = async () => assert.fail("a fault");
      },
    ];
    for (const fault of faults) {
      const harness = await start(world => {
        world.files.put("b.ts", "2\n");
        fault(world);
      });
      const { status, text } = await harness.call("Bash", { command: "make" });
      assert.equal(status, "ok");
      assert.match(
        text,
        /^\(no output\)\nWhat changed in files read before could not be found out \(a fault\)\. Read them/,
      );
      assert.equal(harness.unsaved.following, 0);
    }
  });

  it("a fault before the command is told, and follows no saves any more", async () => {
    const harness = await start(() => assert.fail("it ran"));
    harness.files.stat = async () => assert.fail("a fault");
    await assert.rejects(harness.call("Bash", { command: "make" }), /a fault/);
    assert.equal(harness.unsaved.following, 0);
  });

  it("happens also where the command was stopped, or did not start", async () => {
    const shell = {
      stopped: { does: () => harness.files.put("b.ts", "2\n"), hangs: true },
      none: { fails: new Error("no") },
    };
    const harness: Harness = new Harness({ app: { "b.ts": "one\n" } }, { shell });
    await harness.call("Read", { file_path: "b.ts" });
    assert.equal((await harness.call("Bash", { command: "none" })).status, "IO");
    const running = harness.call("Bash", { command: "stopped" });
    setImmediate(() => harness.stop.abort());
    const { status, text } = await running;
    assert.equal(status, "ABORTED");
    assert.match(text, /Files read before that the command changed: b\.ts \(\+1 −1\)\.$/);
    assert.equal(harness.unsaved.following, 0);
  });
});
