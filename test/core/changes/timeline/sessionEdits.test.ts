/** Undo and redo of edits in a whole session: the file, the log, and what the model hears. */

import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { edit, last, read } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";
import { pluck } from "../../../fakes/pluck";
import { edited, LINES, named, refused, uri, write } from "./edited";

describe("undo of an edit", () => {
  it("puts back what stood before, keeps what was typed since, and is in the log", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO\nmore"))]);
    files.put("src/a.ts", LINES.replace("two", "TWO\nmore").replace("seven", "typed"));
    await session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("seven", "typed"));
    const { kind, direction, turn, edits, added, removed, before, after } = last(session, "revert");
    assert.deepEqual(
      { kind, direction, turn, added, removed },
      { kind: "revert", direction: "undo", turn: 1, added: 1, removed: 2 },
    );
    assert.deepEqual(pluck(edits, "callId"), ["e1"]);
    const [was, is] = await Promise.all([before, after].map(state => session.history.files.getSnapshot(state ?? "")));
    assert.deepEqual(
      [was, is],
      [LINES.replace("two", "TWO\nmore").replace("seven", "typed"), LINES.replace("seven", "typed")],
    );
  });

  it("and again: redo and undo, each once", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const name = { callId: "e1", uri };
    await refused(session.edits.revert("redo", name), /^This is not undone/);
    await session.edits.revert("undo", name);
    await refused(session.edits.revert("undo", name), /^This is undone already\.$/);
    files.put("src/a.ts", `mine\n${LINES}`);
    await session.edits.revert("redo", name);
    assert.equal(files.onDisk("src/a.ts"), `mine\n${LINES.replace("two", "TWO")}`);
    await session.edits.revert("undo", name);
    assert.equal(files.onDisk("src/a.ts"), `mine\n${LINES}`);
  });

  it("of a file whose edits were undone together, made again one by one, and taken back by hand, leaves it so", async () => {
    const { session, files } = await edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("e2", edit("src/a.ts", "seven", "SEVEN")),
    ]);
    const file = { turn: 1, uri };
    await session.edits.revert("undo", file);
    for (const callId of ["e1", "e2"]) await session.edits.revert("redo", { callId, uri });
    files.put("src/a.ts", LINES);
    await session.edits.revert("undo", file);
    assert.equal(files.onDisk("src/a.ts"), LINES);
    assert.equal((await session.edits.changesOf(1)).files[0]?.undone, 2);
  });

  it("two clicks at once undo once", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const both = await Promise.allSettled([1, 2].map(() => session.edits.revert("undo", { callId: "e1", uri })));
    assert.deepEqual(pluck(both, "status"), ["fulfilled", "rejected"]);
    assert.equal(files.onDisk("src/a.ts"), LINES);
    assert.equal(session.history.records.filter(({ kind }) => kind === "revert").length, 1);
  });

  it("leaves unsaved text unsaved, and keeps it", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    files.edit("src/a.ts", `${LINES.replace("two", "TWO")}typing`);
    files.save = false;
    await session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(files.inEditor("src/a.ts"), `${LINES}typing`);
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("two", "TWO"));
  });

  it("is noted where a formatter put part of it back, and the person hears of that", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO\nmore"))]);
    files.formatOnSave = text => text.replace("two", "TWO");
    await refused(
      session.edits.revert("undo", { callId: "e1", uri }),
      /^The change of src\/a\.ts was undone, but when it was saved, the editor \(a formatter, for example\) changed more\. Open the diff to see the file as it is now\.$/,
    );
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("two", "TWO"));
    const { direction, after } = last(session, "revert");
    assert.equal(direction, "undo");
    assert.equal(await session.history.files.getSnapshot(after ?? ""), LINES.replace("two", "TWO"));
  });

  it("is noted where it could not be saved, and the person hears why", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const { apply } = files;
    files.save = false;
    files.apply = async change => {
      const outcome = await apply.call(files, change);
      return outcome.kind === "applied" ? { ...outcome, unsaved: "VS Code could not save it" } : outcome;
    };
    await refused(
      session.edits.revert("undo", { callId: "e1", uri }),
      /^The change of src\/a\.ts was undone, but not saved: VS Code could not save it\.$/,
    );
    assert.equal(files.inEditor("src/a.ts"), LINES);
    files.apply = apply;
    await session.edits.revert("redo", { callId: "e1", uri });
    assert.equal(files.inEditor("src/a.ts"), LINES.replace("two", "TWO"));
  });

  it("is done again where somebody types in between; nothing of that is lost", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    let typed = 0;
    files.beforeApply = () => {
      if (++typed < 3) files.put("src/a.ts", `${LINES.replace("two", "TWO")}${"x".repeat(typed)}`);
    };
    await session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(files.onDisk("src/a.ts"), `${LINES}xx`);
    files.beforeApply = () => files.put("src/a.ts", `${LINES}${"y".repeat(++typed)}`);
    await refused(
      session.edits.revert("redo", { callId: "e1", uri }),
      /^The change of src\/a\.ts can't be redone: it kept changing meanwhile\. Try again\.$/,
    );
    assert.equal(last(session, "revert").direction, "undo");
  });

  it("is refused while a later edit is in the way, and works once that is undone", async () => {
    const { session, files } = await edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("e2", edit("src/a.ts", "TWO", "2")),
      named("e3", edit("src/a.ts", "eight", "8")),
    ]);
    await refused(
      session.edits.revert("undo", { callId: "e1", uri }),
      /^The change of src\/a\.ts can't be undone: the same lines were changed since \(line 2\)\./,
    );
    await session.edits.revert("undo", { callId: "e2", uri });
    await session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("eight", "8"));
  });

  it("that was done by hand already, or before a crash could note it, is noted and changes nothing", async () => {
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    files.put("src/a.ts", LINES);
    const writes = files.asked.length;
    await session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(files.asked.length, writes);
    const { added, removed } = last(session, "revert");
    assert.deepEqual([files.onDisk("src/a.ts"), added, removed], [LINES, 0, 0]);
  });

  it("that cannot be noted since the disk is full is done all the same, and said so", async () => {
    const { session, files, disk } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    disk.full = true;
    await assert.rejects(session.edits.revert("undo", { callId: "e1", uri }), {
      name: "StorageError",
      code: "DISK_FULL",
      message: /^The change of src\/a\.ts was undone, but the session could not note it\. /,
    });
    assert.equal(files.onDisk("src/a.ts"), LINES);
    disk.full = false;
    await session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(last(session, "revert").direction, "undo");
  });

  it("is refused where another window writes the session, and of an edit that is none", async () => {
    const agent = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const { session, ports, files, disk } = agent;
    const second = await openSession(ports, session.id);
    await refused(second.edits.revert("undo", { callId: "e1", uri }), /can only be read here/);
    await refused(session.edits.revert("undo", { callId: "none", uri }), /not in the session's log/);
    await refused(session.edits.revert("undo", { callId: "e1", uri: "file:///other" }), /not in the session's log/);
    disk.steal(session.id);
    await assert.rejects(session.edits.revert("undo", { callId: "e1", uri }), /only be read/);
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("two", "TWO"));
  });

  it("may happen while the agent works: it edits what stands then", async () => {
    const held = Promise.withResolvers<void>();
    const { session, models, files, shell } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))], {
      shell: { "*": { before: held.promise } },
    });
    models.play(
      { calls: [{ name: "Bash", input: { command: "slow" } }] },
      { calls: [read("src/a.ts")] },
      { calls: [edit("src/a.ts", "two", "deux")] },
      { text: "Done." },
    );
    await session.submit("on");
    await eventually("command 1 runs", () => shell.runs[0]);
    await session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(session.state, "running");
    held.resolve();
    await session.idle();
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("two", "deux"));
    assert.match(transcript(models.requests.at(-1)!).join("\n"), /The user undid your edit of src\/a\.ts \(turn 1\)\./);
  });
});

describe("undo of what created a file", () => {
  const fresh = "file:///ws/app/new/b.ts";
  const created = () => edited([named("w1", write("new/b.ts", "hello\n"))]);

  it("removes it while it holds exactly what was left there, and redo brings it back", async () => {
    const { session, files } = await created();
    await session.edits.revert("undo", { callId: "w1", uri: fresh });
    assert.equal(files.onDisk("new/b.ts"), undefined);
    assert.equal(last(session, "revert").after, null);
    await session.edits.revert("redo", { callId: "w1", uri: fresh });
    assert.equal(files.onDisk("new/b.ts"), "hello\n");
  });

  it("keeps what was typed into it, saved or not", async () => {
    const { session, files } = await created();
    files.edit("new/b.ts", "hello\nmine\n");
    await refused(
      session.edits.revert("undo", { callId: "w1", uri: fresh }),
      /has more than what the agent left there/,
    );
    assert.equal(files.inEditor("new/b.ts"), "hello\nmine\n");
    files.put("new/b.ts", "hello!\n");
    await refused(session.edits.revert("undo", { callId: "w1", uri: fresh }), /Delete the file by hand/);
  });

  it("says that it cannot be made again where another file took its place", async () => {
    const { session, files } = await created();
    await session.edits.revert("undo", { callId: "w1", uri: fresh });
    files.put("new/b.ts", "other\n");
    await refused(
      session.edits.revert("redo", { callId: "w1", uri: fresh }),
      /can't be redone: there is a file of that name again\. Move it away first\.$/,
    );
  });

  it("with a later edit is refused, and the whole file can be undone at once", async () => {
    const { session, files } = await edited([
      named("w1", write("new/b.ts", "hello\n")),
      named("e2", edit("new/b.ts", "hello", "bye")),
    ]);
    await refused(
      session.edits.revert("undo", { callId: "w1", uri: fresh }),
      /it has more than what the agent left there\./,
    );
    await session.edits.revert("undo", { turn: 1, uri: fresh });
    assert.equal(files.onDisk("new/b.ts"), undefined);
    await session.edits.revert("redo", { turn: 1, uri: fresh });
    assert.equal(files.onDisk("new/b.ts"), "bye\n");
  });
});

describe("undo of a file over a turn", () => {
  const three = () =>
    edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("e2", edit("src/a.ts", "TWO", "2\n2")),
      named("e3", edit("src/a.ts", "seven", "7")),
    ]);

  it("takes all its edits back at once and keeps what was typed", async () => {
    const { session, files } = await three();
    files.put("src/a.ts", `${files.onDisk("src/a.ts")}typed\n`);
    await session.edits.revert("undo", { turn: 1, uri });
    assert.equal(files.onDisk("src/a.ts"), `${LINES}typed\n`);
    assert.deepEqual(pluck(last(session, "revert").edits, "callId"), ["e1", "e2", "e3"]);
    await session.edits.revert("redo", { turn: 1, uri });
    assert.equal(files.onDisk("src/a.ts"), `${LINES.replace("two", "2\n2").replace("seven", "7")}typed\n`);
    assert.equal(session.history.records.filter(({ kind }) => kind === "revert").length, 2);
  });

  it("takes back what is not undone yet, and not a part of it where one is in conflict", async () => {
    const { session, files } = await three();
    await session.edits.revert("undo", { callId: "e2", uri });
    files.put("src/a.ts", `${files.onDisk("src/a.ts")?.replace("TWO", "mine")}`);
    const stands = files.onDisk("src/a.ts");
    await refused(
      session.edits.revert("undo", { turn: 1, uri }),
      /^The change of src\/a\.ts can't be undone: the same lines were changed since\./,
    );
    assert.equal(files.onDisk("src/a.ts"), stands);
    await refused(session.edits.revert("undo", { turn: 1, uri: "file:///none" }), /changed no such file/);
  });
});
