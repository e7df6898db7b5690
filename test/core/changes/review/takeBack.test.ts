/** Changes that a review undid and somebody wants again. */

import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { StorageError } from "../../../../src/core/ground/ports";
import { edit, log, runTurn } from "../../../fakes/agent";
import { pluck } from "../../../fakes/pluck";
import { edited, LINES, named, refused, uri, write } from "../timeline/edited";

/** Two changes of src/a.ts: lines two and seven. */
const twoChanges = () =>
  edited([named("e1", edit("src/a.ts", "two", "TWO\nmore")), named("e2", edit("src/a.ts", "seven\n", ""))]);
const BOTH = LINES.replace("two", "TWO\nmore").replace("seven\n", "");

const changes = async ({ review }: Session, text: string) =>
  (await review.changesIn(uri, text)).map(({ first, count, removed }) => ({ first, count, removed }));
const ids = async ({ review }: Session, text: string) => (await review.changesIn(uri, text)).map(({ id }) => id);
const FIRST = { first: 1, count: 2, removed: ["two"] };

describe("a change that was undone in a review", () => {
  const other = "file:///ws/app/new/b.ts";

  it("is made again to the byte, after a reload too, waits as it did, and is nothing that the model hears", async () => {
    const crlf = LINES.replaceAll("\n", "\r\n");
    const agent = await edited(
      [named("e1", edit("src/a.ts", "two", "TWO\nmore")), named("e2", edit("src/a.ts", "seven\n", ""))],
      { files: { "src/a.ts": crlf } },
    );
    const { files, ports } = agent;
    const before = files.onDisk("src/a.ts") ?? "";
    const [first] = await ids(agent.session, before);
    for (const id of [first, undefined]) {
      await agent.session.review.undo(uri, id);
      await agent.session.close();
      agent.session = await openSession(ports, agent.session.id);
      await agent.session.review.redo();
      assert.equal(files.onDisk("src/a.ts"), before);
      assert.equal((await changes(agent.session, before)).length, 2);
      assert.deepEqual(agent.session.history.conversation.untoldReviews, []);
    }
    await refused(agent.session.review.redo(), /^There is nothing to redo/);
  });

  it("is made again beside what was typed since, and refused where that touches it", async () => {
    const { session, files } = await twoChanges();
    const [first] = await ids(session, BOTH);
    await session.review.undo(uri, first);
    const undone = files.onDisk("src/a.ts") ?? "";
    files.put("src/a.ts", undone.replace("two", "mine"));
    await refused(
      session.review.redo(),
      /^The change of src\/a\.ts can't be redone: the same lines were changed since \(line 2\)/,
    );
    files.put("src/a.ts", `typed\n${undone}`);
    await session.review.redo();
    assert.equal(files.onDisk("src/a.ts"), `typed\n${BOTH}`);
    assert.deepEqual(await changes(session, `typed\n${BOTH}`), [
      { ...FIRST, first: 2 },
      { first: 8, count: 0, removed: ["seven"] },
    ]);
  });

  it("brings a new file back", async () => {
    const agent = await edited([write("new/b.ts", "hello\n")]);
    await agent.session.review.undo(other);
    await agent.session.review.redo();
    assert.equal(agent.files.onDisk("new/b.ts"), "hello\n");
    assert.deepEqual(pluck(await agent.session.review.list(), "kind"), ["created"]);
    await agent.session.review.undo(other);
    assert.equal(agent.files.onDisk("new/b.ts"), undefined);
  });

  it("is that of the file that is meant, else the newest; each once, the newest first", async () => {
    const agent = await edited([named("e1", edit("src/a.ts", "two", "TWO")), write("new/b.ts", "hello\n")]);
    const { session, files } = agent;
    await session.review.undo(uri);
    await session.review.undo(other);
    assert.equal((await session.review.redoable(uri))?.uri, uri);
    assert.equal((await session.review.redoable("file:///ws/app/none.ts"))?.uri, other);
    assert.equal((await session.review.redo(uri)).uri, uri);
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("two", "TWO"));
    assert.equal((await session.review.redo(uri)).uri, other);
    assert.equal(await session.review.redoable(), undefined);
  });

  it("takes a file away again that a command had deleted", async () => {
    const agent = await edited([named("e1", edit("src/a.ts", "two", "TWO"))], {
      files: { "src/a.ts": LINES, "b.ts": "b\n" },
      shell: { "*": { does: () => agent.files.remove("b.ts") } },
    });
    const { session, models, files } = agent;
    models.play(
      { calls: [{ name: "Read", input: { file_path: "b.ts" } }] },
      { calls: [{ name: "Bash", input: { command: "rm b.ts" } }] },
      { text: "Done." },
    );
    await runTurn(session, "go");
    const deleted = "file:///ws/app/b.ts";
    await session.review.undo(deleted);
    assert.equal(files.onDisk("b.ts"), "b\n");
    await session.review.redo(deleted);
    assert.equal(files.onDisk("b.ts"), undefined);
    assert.deepEqual(
      (await session.review.list()).map(({ uri: file, kind }) => [file, kind]),
      [
        [uri, "edited"],
        [deleted, "deleted"],
      ],
    );
    await session.review.undo(deleted);
    await session.review.redo();
    assert.equal(files.onDisk("b.ts"), undefined);
  });

  it("is made again once, also where a later one could not be kept", async () => {
    const agent = await twoChanges();
    const { session, files } = agent;
    const [first] = await ids(session, BOTH);
    await session.review.undo(uri, first);
    const { putSnapshot } = session.history.files;
    session.history.files.putSnapshot = async () => {
      throw new StorageError("DISK_FULL", "The disk is full.");
    };
    const [second] = await ids(session, files.onDisk("src/a.ts") ?? "");
    await session.review.undo(uri, second);
    session.history.files.putSnapshot = putSnapshot;
    assert.equal(files.onDisk("src/a.ts"), LINES);
    await session.review.redo();
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("two", "TWO\nmore"));
    await refused(session.review.redo(), /^There is nothing to redo/);
  });

  it("of a session of an older version, which noted no file with it, is not offered, and all else goes on", async () => {
    const agent = await twoChanges();
    const { session, disk, files, ports } = agent;
    const [first] = await ids(session, BOTH);
    await session.review.undo(uri, first);
    const left = files.onDisk("src/a.ts") ?? "";
    await session.close();
    const older = log(disk, session).replace(/("kind":"review".*?),"before":"\w+","after":"\w+"/g, "$1");
    assert.doesNotMatch(older.split("\n").at(-2) ?? "", /"before"/);
    disk.put(session.id, "history.jsonl", older);
    const again = await openSession(ports, session.id);
    assert.equal(await again.review.redoable(), undefined);
    await refused(again.review.redo(), /^There is nothing to redo/);
    assert.equal(await again.review.followUndo(uri, BOTH), false);
    assert.deepEqual(await changes(again, left), [{ first: 6, count: 0, removed: ["seven"] }]);
    await again.edits.revert("undo", { callId: "e2", uri });
    assert.equal(files.onDisk("src/a.ts"), LINES);
  });

  it("what was undone in one step is made again in one, and what was undone by itself is not", async () => {
    const { session, files } = await edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("w1", write("new/b.ts", "b\n")),
      named("w2", write("new/c.ts", "c\n")),
    ]);
    const { review } = session;
    await review.undo("file:///ws/app/new/c.ts");
    await review.undoAll((await review.list()).map(file => ({ uri: file.uri })));
    assert.equal(files.onDisk("src/a.ts"), LINES);
    assert.equal(files.onDisk("new/b.ts"), undefined);
    await review.redo(uri);
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("two", "TWO"));
    assert.equal(files.onDisk("new/b.ts"), "b\n");
    assert.equal(files.onDisk("new/c.ts"), undefined, "that was another step");
    await review.redo();
    assert.equal(files.onDisk("new/c.ts"), "c\n");
  });
});
