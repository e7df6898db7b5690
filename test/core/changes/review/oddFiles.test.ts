/** Reviews of files that are not what they were: gone, brought back, no text any more, read-only, another session's. */

import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { FileError } from "../../../../src/core/ground/ports";
import { edit, last, read, runTurn, start } from "../../../fakes/agent";
import type { MemoryFiles } from "../../../fakes/files";
import { pluck } from "../../../fakes/pluck";
import { edited, LINES, named, play, uri } from "../timeline/edited";

const refused = (attempt: Promise<unknown>, message: RegExp) => assert.rejects(attempt, { message });
const one = named("e1", edit("src/a.ts", "two", "TWO"));
const other = "file:///ws/app/b.ts";

/** A command that does this to the files. */
async function ran(does: (files: MemoryFiles) => void) {
  let act: () => void = () => undefined;
  const shell = { "*": { does: () => act() } };
  const agent = await start({ mode: "auto", files: { "src/a.ts": LINES, "b.ts": "keep\n" }, shell });
  act = () => does(agent.files);
  const bash = { name: "Bash", input: { command: "npm run rename" } };
  agent.models.play({ calls: [read("src/a.ts"), read("b.ts")] }, { calls: [bash] }, { text: "Done." });
  await runTurn(agent.session, "go");
  return agent;
}

describe("a review of a file", () => {
  it("that a command changed, or took away: both come back", async () => {
    const { session, files } = await ran(disk => {
      disk.put("src/a.ts", LINES.replace("two", "zwei"));
      disk.remove("b.ts");
    });
    const waiting = await session.review.list();
    assert.deepEqual(waiting.map(({ path, kind }) => [path, kind]).sort(), [
      ["b.ts", "deleted"],
      ["src/a.ts", "edited"],
    ]);
    for (const file of waiting) await session.review.undo(file.uri);
    assert.deepEqual([files.onDisk("src/a.ts"), files.onDisk("b.ts")], [LINES, "keep\n"]);
    assert.deepEqual(await session.review.list(), []);
  });

  it("that the agent took away and somebody made anew: nothing waits, and theirs stays", async () => {
    const { session, files } = await ran(disk => disk.remove("b.ts"));
    assert.equal((await session.review.list()).length, 1);
    files.put("b.ts", "mine\n");
    await refused(
      session.review.undo(other),
      /^The change of b\.ts can't be undone: there is a file of that name again\. Move it away first\.$/,
    );
    session.review.touch(other);
    assert.deepEqual(await session.review.list(), []);
    assert.equal(files.onDisk("b.ts"), "mine\n");
  });

  it("that is no text any more says so, can be kept, and is left alone", async () => {
    const { session, files } = await edited([one]);
    const bytes = Uint8Array.from([0, 1, 2, 0]);
    files.put("src/a.ts", bytes);
    session.review.touch(uri);
    assert.match((await session.review.list())[0]?.why ?? "", /is no longer a text file/);
    await refused(session.review.undo(uri), /can't be undone: it is no longer a text file\.$/);
    assert.deepEqual(files.bytesOnDisk("src/a.ts"), bytes);
    await session.review.keep({ uri, seq: last(session, "result").seq });
    assert.deepEqual(await session.review.list(), []);
  });

  it("that cannot be read just now says why, and waits on", async () => {
    const { session, files } = await edited([one]);
    const reads = files.read.bind(files);
    files.read = async () => Promise.reject(new FileError("IO", "src/a.ts cannot be read just now."));
    session.review.touch(uri);
    assert.equal((await session.review.list())[0]?.why, "src/a.ts cannot be read just now.");
    await refused(session.review.undo(uri), /^src\/a\.ts cannot be read just now\.$/);
    files.read = reads;
    session.review.touch(uri);
    assert.equal((await session.review.list())[0]?.why, undefined);
  });

  it("that is read-only says so, and waits on", async () => {
    const { session, ports, files } = await edited([one]);
    const apply = files.apply.bind(files);
    files.apply = async () => Promise.reject(new FileError("READ_ONLY", "src/a.ts is read-only."));
    await refused(session.review.undo(uri), /^src\/a\.ts is read-only\.$/);
    files.apply = apply;
    assert.equal((await session.review.list()).length, 1);
    assert.equal(session.history.records.filter(({ kind }) => kind === "review").length, 0);
    assert.equal(ports.files, files);
  });

  it("that moves under it again and again is left alone", async () => {
    const { session, files } = await edited([one]);
    files.apply = async () => ({ kind: "stale" });
    await refused(
      session.review.undo(uri),
      /^The change of src\/a\.ts can't be undone: it kept changing meanwhile\. Try again\.$/,
    );
  });

  it("in an imported session, which lacks what files held, has nothing that waits", async () => {
    const { session, ports } = await edited([one]);
    await session.close();
    const files = await ports.storage.open(session.id);
    files.getSnapshot = async () => undefined;
    const again = await openSession(
      { ...ports, storage: { ...ports.storage, open: async () => files } as never },
      session.id,
    );
    assert.deepEqual(await again.review.list(), []);
    await refused(again.review.undo(uri), /an export leaves that out/);
  });

  it("that another window's session changed cannot be decided here", async () => {
    const { session, ports } = await edited([one]);
    const second = await openSession(ports, session.id);
    assert.equal(second.readOnly, true);
    assert.equal((await second.review.list()).length, 1);
    await refused(second.review.undo(uri), /open in another window/);
    await refused(second.review.keep({ uri, seq: 1 }), /open in another window/);
  });

  it("that the agent changes on after a change was taken back: that one stays away", async () => {
    const agent = await edited([one, named("e2", edit("src/a.ts", "six", "SIX"))]);
    const { session, files } = agent;
    const [first] = await session.review.changesIn(uri, files.onDisk("src/a.ts") ?? "");
    await session.review.undo(uri, first?.id);
    await play(agent, [named("e3", edit("src/a.ts", "eight", "EIGHT"))]);
    const now = files.onDisk("src/a.ts") ?? "";
    assert.deepEqual(pluck(await session.review.changesIn(uri, now), "removed"), [["six"], ["eight"]]);
    await session.review.undo(uri);
    assert.equal(files.onDisk("src/a.ts"), LINES);
    assert.equal(last(session, "review").changes, 2);
  });
});
