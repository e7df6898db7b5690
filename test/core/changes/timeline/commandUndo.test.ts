/** Undo of what a command did to files, in a whole session. */
import assert from "node:assert/strict";
import { last, read, runTurn, start } from "../../../fakes/agent";
import type { MemoryFiles } from "../../../fakes/files";
import { LINES, named, uri } from "./edited";

describe("undo of what a command did", () => {
  const bash = named("b1", { name: "Bash", input: { command: "npm run rename" } });
  const ran = async (does: (files: MemoryFiles) => void, before: typeof does = () => undefined) => {
    let act: () => void = () => undefined;
    const shell = { "*": { does: () => act() } };
    const agent = await start({ mode: "auto", files: { "src/a.ts": LINES, "b.ts": "keep\n" }, shell });
    act = () => does(agent.files);
    before(agent.files);
    agent.models.play({ calls: [read("src/a.ts"), read("b.ts")] }, { calls: [bash] }, { text: "Done." });
    await runTurn(agent.session, "go");
    return agent;
  };

  it("puts back what it changed, beside what was typed since, and what it deleted", async () => {
    const { session, files } = await ran(disk => {
      disk.put("src/a.ts", LINES.replace("two", "zwei"));
      disk.remove("b.ts");
    });
    const told = (await session.edits.changesOf(1)).files;
    assert.deepEqual(told.map(({ path, deleted, removed }) => [path, deleted, removed]).sort(), [
      ["b.ts", true, 1],
      ["src/a.ts", false, 1],
    ]);
    files.put("src/a.ts", `${LINES.replace("two", "zwei")}typed\n`);
    await session.edits.revert("undo", { callId: "b1", uri });
    await session.edits.revert("undo", { callId: "b1", uri: "file:///ws/app/b.ts" });
    assert.deepEqual([files.onDisk("src/a.ts"), files.onDisk("b.ts")], [`${LINES}typed\n`, "keep\n"]);
    await session.edits.revert("redo", { callId: "b1", uri: "file:///ws/app/b.ts" });
    assert.equal(files.onDisk("b.ts"), undefined);
  });

  it("brings back what it deleted in the encoding that it had", async () => {
    const utf16 = Buffer.from("\uFEFFkeep\n", "utf16le");
    const { session, files } = await ran(
      disk => disk.remove("b.ts"),
      disk => disk.put("b.ts", utf16),
    );
    await session.edits.revert("undo", { callId: "b1", uri: "file:///ws/app/b.ts" });
    assert.deepEqual(Buffer.from(files.bytesOnDisk("b.ts") ?? []), utf16);
  });

  it("puts line ends back, and says where the editor can't: nothing is noted then", async () => {
    const { session, files } = await ran(disk => disk.put("src/a.ts", LINES.replaceAll("\n", "\r\n")));
    files.formatOnSave = text => text.replace(/\r?\n/g, "\r\n");
    await assert.rejects(session.edits.revert("undo", { callId: "b1", uri }), {
      name: "SessionError",
      message: /^The change of src\/a\.ts can't be undone: it holds what it held before/,
    });
    assert.equal(last(session, "revert"), undefined);
    files.formatOnSave = undefined;
    await session.edits.revert("undo", { callId: "b1", uri });
    assert.equal(files.onDisk("src/a.ts"), LINES);
    assert.equal((await session.edits.changesOf(1)).files[0]?.undone, 1);
  });
});
