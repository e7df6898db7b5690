/** Files whose names differ in their spelling only, on a disk that takes them for one: none is ever gone. */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { world } from "../../../fakes/agent";
import { MemoryFiles } from "../../../fakes/files";
import { rewinding } from "../../../fakes/rewinding";
import { MemoryUnsaved } from "../../../fakes/unsaved";

describe("a rewind on a disk that does not tell cases apart", () => {
  const files = () => new MemoryFiles({ app: { "src/A.ts": "old\n", "src/b.ts": "b\n" } }, { foldsCase: true });
  let disk: MemoryFiles;
  let session: Session;
  let turn: (does: () => void) => Promise<void>;
  let reopen: () => Promise<void>;

  beforeEach(async () => {
    disk = files();
    const { ports, models, shell } = world({ mode: "auto" });
    const real = { ...ports, files: disk, unsaved: new MemoryUnsaved(disk), ...rewinding(disk) };
    session = await createSession(real);
    turn = async does => {
      shell.add("change", { does });
      models.play({ calls: [{ name: "Bash", input: { command: "change" } }] }, { text: "Done." });
      await session.submit("go");
      await session.idle();
    };
    reopen = async () => {
      await session.close();
      session = await openSession(real, session.id);
    };
  });
  afterEach(() => session.close());

  const state = () =>
    Object.fromEntries(disk.namesOnDisk().map(path => [path.slice("/ws/app/".length), disk.onDisk(path)]));
  const respell = (text?: string) => () => {
    const held = disk.onDisk("src/A.ts") ?? "";
    disk.remove("src/A.ts");
    disk.put("src/a.ts", text ?? held);
  };

  for (const [what, text] of [
    ["renamed", undefined],
    ["renamed and rewritten", "new\n"],
  ] as const)
    it(`puts a file back that a command ${what}, and its undo does it again`, async () => {
      const before = state();
      await turn(respell(text));
      const after = state();
      assert.deepEqual(after, { "src/a.ts": text ?? "old\n", "src/b.ts": "b\n" });
      const { stayed } = await session.rewind.rewind(1, "files");
      assert.deepEqual([stayed, state()], [undefined, before]);
      await session.rewind.undo();
      assert.deepEqual(state(), after);
    });

  for (const [old, other] of [
    ["src/Über.ts", "src/über.ts"],
    ["src/Файл.ts", "src/файл.ts"],
    ["src/caf\u00e9.ts", "src/cafe\u0301.ts"],
  ] as const)
    it(`puts ${old} back, which is another letter in an address`, async () => {
      disk.put(old, "old\n");
      const before = state();
      await turn(() => {
        disk.remove(old);
        disk.put(other, "new\n");
      });
      const after = state();
      await session.rewind.rewind(1, "files");
      assert.deepEqual(state(), before);
      await session.rewind.undo();
      assert.deepEqual(state(), after);
    });

  it("leaves both names, where the new one was changed since, and says so", async () => {
    await turn(respell("new\n"));
    disk.put("src/a.ts", "by hand\n");
    const after = state();
    const { stayed = [] } = await session.rewind.rewind(1, "files");
    assert.deepEqual(stayed.toSorted(), [
      "src/A.ts stays: this disk takes it and src/a.ts for one file, and both were changed.",
      "src/a.ts stays: this disk takes it and src/A.ts for one file, and both were changed.",
    ]);
    assert.deepEqual(state(), after);
  });

  it("leaves both names, where something was done to each of them", async () => {
    await turn(() => disk.put("src/A.ts", "first\n"));
    await turn(respell("second\n"));
    await turn(() => disk.put("src/a.ts", "third\n"));
    const before = state();
    const { stayed } = await session.rewind.rewind(3, "files");
    assert.equal(stayed, undefined);
    await session.rewind.rewind(1, "files");
    assert.deepEqual(state(), { "src/A.ts": "old\n", "src/b.ts": "b\n" });
    await session.rewind.undo();
    await session.rewind.undo();
    assert.deepEqual(state(), before);
  });

  it("that was cut off says what stands where, and is undone", async () => {
    await turn(respell("new\n"));
    const after = state();
    const append = session.history.append.bind(session.history);
    session.history.append = record =>
      (record as { phase?: string }).phase === "done" ? Promise.reject(new Error("killed")) : append(record);
    await assert.rejects(session.rewind.rewind(1, "files"), /killed/);
    await reopen();
    const note = session.history.records.findLast(record => record.kind === "note");
    assert.match(note?.text ?? "", /^A rewind was cut off: 2 of 2 files were put back\./);
    await session.rewind.undo();
    assert.deepEqual(state(), after);
  });
});
