/** What a person takes back, where the process ends between the file and its record: whoever opens the session finds out. */

import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { edit, kinds, last, log, reopened } from "../../../fakes/agent";
import { pluck } from "../../../fakes/pluck";
import { edited, LINES, named, play, uri, write } from "./edited";

type Agent = Awaited<ReturnType<typeof edited>>;

/** The session as it is opened again after its newest record was never written. */
async function cutOff(agent: Agent) {
  const { session, disk, ports } = agent;
  const text = log(disk, session);
  await session.close();
  disk.put(session.id, "history.jsonl", `${text.trimEnd().split("\n").slice(0, -1).join("\n")}\n`);
  return openSession(ports, session.id);
}

const changed = () =>
  edited([named("e1", edit("src/a.ts", "two", "TWO")), named("e2", edit("src/a.ts", "seven\n", ""))]);

async function undoFirst({ session, files }: Agent): Promise<void> {
  const [first] = await session.review.changesIn(uri, files.onDisk("src/a.ts") ?? "");
  await session.review.undo(uri, first?.id);
}

describe("a change that is taken back when the process ends", () => {
  it("and is gone: it was taken back in a review, as the model hears", async () => {
    const agent = await changed();
    await undoFirst(agent);
    const { text, changes, base } = last(agent.session, "review");
    const session = await cutOff(agent);
    const record = last(session, "review");
    assert.deepEqual([record.text, record.changes, record.base], [text, changes, base]);
    assert.equal(session.history.conversation.untoldReviews.length, 1);
    assert.deepEqual(pluck(await session.review.list(), "changes"), [1]);
  });

  it("and stands: it waits, and nobody took anything back", async () => {
    const agent = await changed();
    const before = agent.files.onDisk("src/a.ts") ?? "";
    await undoFirst(agent);
    agent.files.put("src/a.ts", before);
    const session = await cutOff(agent);
    assert.equal(session.history.records.at(-1)?.kind, "intent");
    assert.equal(session.history.conversation.untoldReviews.length, 0);
    assert.deepEqual(pluck(await session.review.list(), "changes"), [2]);
  });

  it("in a file that is neither says so, once", async () => {
    const agent = await changed();
    await undoFirst(agent);
    agent.files.put("src/a.ts", "something else\n");
    const session = await cutOff(agent);
    assert.match(last(session, "note").text, /^Strata ended while changes of src\/a\.ts were undone/);
    const count = session.history.records.length;
    const again = await reopened(session, agent.ports);
    assert.equal(again.history.records.length, count);
  });

  it("with the file that it made: the model hears that it is gone", async () => {
    const agent = await edited([write("src/new.ts", "new\n")]);
    const made = "file:///ws/app/src/new.ts";
    await agent.session.review.undo(made);
    assert.equal(agent.files.onDisk("src/new.ts"), undefined);
    const session = await cutOff(agent);
    assert.equal(last(session, "review").gone, true);
    assert.deepEqual(await session.review.list(), []);
  });

  it("edit by edit: the edit is undone, or made again, as the file has it", async () => {
    const agent = await changed();
    await agent.session.edits.revert("undo", { callId: "e1", uri });
    const session = await cutOff(agent);
    assert.deepEqual(pluck((await session.edits.changesOf(1)).files, "undone"), [1]);
    await session.edits.revert("redo", { callId: "e1", uri });
    const redone = await cutOff({ ...agent, session });
    assert.deepEqual(pluck((await redone.edits.changesOf(1)).files, "undone"), [0]);
  });

  it("where its folder is not open is found out another time", async () => {
    const agent = await changed();
    await undoFirst(agent);
    const { resolve } = agent.files;
    agent.files.resolve = async path => resolve.call(agent.files, path.replace("src/a.ts", "src/elsewhere.ts"));
    const away = await cutOff(agent);
    assert.equal(away.history.records.at(-1)?.kind, "intent");
    await away.close();
    agent.files.resolve = resolve;
    const session = await openSession(agent.ports, away.id);
    assert.equal(last(session, "review").action, "undo");
  });

  it("is not noted where the log takes nothing, and taken back all the same", async () => {
    const agent = await changed();
    agent.disk.full = true;
    await assert.rejects(agent.session.review.undo(uri), /was undone, but the session could not note it/);
    assert.equal(agent.files.onDisk("src/a.ts"), LINES);
  });

  for (const isDone of [true, false]) {
    it(`of which only line ends were changed, ${isDone ? "and were put back" : "and still are"}`, async () => {
      const crlf = LINES.replaceAll("\n", "\r\n");
      const shell = { "*": { does: () => agent.files.put("src/a.ts", crlf) } };
      const agent = await edited([], { shell });
      await play(agent, [named("b1", { name: "Bash", input: { command: "unix2dos src/a.ts" } })]);
      await agent.session.edits.revert("undo", { callId: "b1", uri });
      assert.equal(agent.files.onDisk("src/a.ts"), LINES);
      if (!isDone) agent.files.put("src/a.ts", crlf);
      const session = await cutOff(agent);
      assert.equal((await session.edits.changesOf(2)).files[0]?.undone, isDone ? 1 : 0);
    });
  }

  it("is left as it is where another window has the session by now", async () => {
    const agent = await changed();
    const before = agent.files.onDisk("src/a.ts");
    const { append } = agent.session.history.files;
    agent.session.history.files.append = (name, text) => {
      agent.disk.steal(agent.session.id);
      return append.call(agent.session.history.files, name, text);
    };
    await assert.rejects(agent.session.edits.revert("undo", { callId: "e1", uri }), { code: "LOST_LOCK" });
    assert.equal(agent.files.onDisk("src/a.ts"), before);
  });

  it("in a file that moved under it: nothing is left open", async () => {
    const agent = await changed();
    agent.files.apply = async () => ({ kind: "stale" });
    await assert.rejects(agent.session.review.undo(uri), /kept changing meanwhile/);
    assert.match(kinds(agent.session), /intent$/);
    const session = await cutOff({ ...agent });
    assert.equal(session.history.conversation.untoldReviews.length, 0);
  });
});
