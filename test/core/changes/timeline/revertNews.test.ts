/** What the model hears of edits that the user took back. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { memorySlots } from "../../../../src/core/context/compaction/summaryText";
import { revertNews } from "../../../../src/core/log/putBacks";
import { verifySession } from "../../../../src/core/proof/verify";
import type { UntoldRevert } from "../../../../src/shared/compaction";
import { edit, reopened, runTurn } from "../../../fakes/agent";
import { compactFirstTurn } from "../../../fakes/compacted";
import { hash } from "../../../fakes/hash";
import { transcript } from "../../../fakes/model";
import { edited, named, uri, write } from "./edited";

describe("what the model hears of an undo", () => {
  const reminders = (session: Session) =>
    session.history.records.flatMap(record => (record.kind === "inject" ? [record.text] : []));

  it("is one line in front of the next message, once, and every request can be proven", async () => {
    const { session, models } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    await session.edits.revert("undo", { callId: "e1", uri });
    for (const words of ["and now?", "go on"]) {
      models.play({ text: "Yes." });
      await runTurn(session, words);
    }
    const first = transcript(models.requests.at(-2)!);
    assert.match(
      first.at(-2)!,
      /^user: <system-reminder>\nThe user undid your edit of src\/a\.ts \(turn 1\)\.\nDo not make again/,
    );
    assert.equal(first.at(-1), "user: and now?");
    assert.equal(reminders(session).length, 1);
    const { defects, proven, requests, breaks } = await verifySession(session.history.files, hash);
    assert.deepEqual([defects, proven, breaks.unexplained], [[], requests, undefined]);
  });

  it("is nothing where the edit stands again, and that it stands again where it was told that it does not", async () => {
    const { session, models } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const say = async () => {
      models.play({ text: "Yes." });
      await runTurn(session, "go on");
    };
    await session.edits.revert("undo", { callId: "e1", uri });
    await session.edits.revert("redo", { callId: "e1", uri });
    await say();
    assert.deepEqual(reminders(session), []);
    await session.edits.revert("undo", { callId: "e1", uri });
    await say();
    await session.edits.revert("redo", { callId: "e1", uri });
    await say();
    assert.match(
      reminders(session)[1] ?? "",
      /^<system-reminder>\nThe user made your edit of src\/a\.ts again that had been undone \(turn 1\)\.\n</,
    );
  });

  it("is enough for a file that it took away: Write may make it again at once", async () => {
    const made = write("new/b.ts", "hello\n");
    const { session, models, files } = await edited([named("w1", made)]);
    await session.edits.revert("undo", { callId: "w1", uri: "file:///ws/app/new/b.ts" });
    assert.equal(files.onDisk("new/b.ts"), undefined);
    models.play({ calls: [named("w2", made)] }, { text: "Done." });
    await runTurn(session, "make it again");
    assert.equal(files.onDisk("new/b.ts"), "hello\n");
  });

  it("comes after a restart too", async () => {
    const { session, models, ports } = await edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("e2", edit("src/a.ts", "seven", "7")),
    ]);
    await session.edits.revert("undo", { turn: 1, uri });
    const again = await reopened(session, ports);
    models.play({ text: "Yes." });
    await runTurn(again, "go on");
    assert.match(reminders(again)[0] ?? "", /The user undid your 2 edits of src\/a\.ts \(turn 1\)\./);
    assert.equal(again.history.conversation.changed.size, 0);
  });

  it("outlives a compaction that takes the records away, and summaries name no file whose edits are all undone", async () => {
    const { session, ports, models } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    await session.edits.revert("undo", { callId: "e1", uri });
    const { messages } = session.history.conversation;
    const slots = memorySlots({
      window: 200_000,
      ...{ messages, records: session.history.records, goal: "", model: "" },
      facts: { roots: [], platform: "", shell: "" },
    });
    assert.deepEqual(slots.files, []);
    await session.close();
    await compactFirstTurn(ports, session.id);
    const again = await openSession(ports, session.id);
    assert.ok(!again.history.records.some(({ kind }) => kind === "revert"), "it is archived");
    models.play({ text: "Yes." });
    await runTurn(again, "go on");
    assert.match(reminders(again)[0] ?? "", /The user undid your edit of src\/a\.ts \(turn 1\)\./);
    await again.edits.revert("redo", { callId: "e1", uri });
    assert.equal(again.history.conversation.changed.get(uri)?.added, 1);
  });

  it("is told as it is, also where it changes while it is being told", async () => {
    const { session, models } = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const { files } = session.history;
    await session.edits.revert("undo", { callId: "e1", uri });
    const append = files.append.bind(files);
    let redone: Promise<void> | undefined;
    files.append = async (name, text) => {
      if (text.includes('"kind":"inject"')) redone ??= session.edits.revert("redo", { callId: "e1", uri });
      return append(name, text);
    };
    models.play({ text: "Yes." }, { text: "Yes." });
    for (const words of ["and now?", "go on"]) {
      await runTurn(session, words);
      await redone;
    }
    assert.match(reminders(session)[0] ?? "", /undid your edit/);
    assert.match(reminders(session)[1] ?? "", /made your edit of src\/a\.ts again/);
  });

  it("names many files in at most 20 lines", () => {
    const entry = (at: number): UntoldRevert => ({
      path: `${at}.ts`,
      turn: 1,
      direction: "undo",
      known: "redo",
      seq: at,
    });
    const untold = new Map(Array.from({ length: 50 }, (_, at) => [`${at}`, entry(at)] as const));
    const { text = "", fingerprint } = revertNews({ untold }) ?? {};
    assert.equal(text.split("\n").length, 22);
    assert.match(text, /And so 30 more files\.\n/);
    assert.equal(fingerprint, "reverts:49");
  });
});
