/** Two windows on one session, of which one compacts it. */
import assert from "node:assert/strict";
import { openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { SessionError, StorageError } from "../../src/core/ground/ports";
import { verifySession } from "../../src/core/proof/verify";
import type { NodeStorage } from "../../src/node/storage/sessionStorage";
import type { AgentEventOf } from "../../src/shared/events";
import type { LogRecord } from "../../src/shared/records";
import { SESSION, storageOn } from "../fakes/disk/crashes";
import type { ModelDisk } from "../fakes/disk/modelDisk";
import { eventually } from "../fakes/eventually";
import { hash } from "../fakes/hash";
import { SUMMARY } from "../fakes/longConversation";
import { afterThreeTurns, program, recordsOn, say } from "./agent";
import { copyOf } from "./lived";
import { STEP } from "./survives";

/** A window, and what it was told. */
async function windowOn(storage: NodeStorage, mark: string) {
  const { ports, models } = program(storage, mark);
  const session = await openSession(ports, SESSION);
  const told: LogRecord[] = [];
  const phases: AgentEventOf<"compaction">["phase"][] = [];
  session.subscribe(event => {
    if (event.type === "record") told.push(event.record);
    if (event.type === "compaction") phases.push(event.phase);
  });
  return { session, models, told, phases };
}

async function compacts({ session, models }: Awaited<ReturnType<typeof windowOn>>): Promise<void> {
  models.summaries.push({ text: SUMMARY });
  await session.compaction.compact();
}

const whole = (session: Session) => session.history.conversation;

describe("two windows on a session", function () {
  this.timeout(180_000);
  let start: () => ModelDisk;
  let threeOfThem: LogRecord[];
  before(async () => {
    ({ records: threeOfThem, start } = await afterThreeTurns());
  });

  it("one compacts, undoes and redoes while the other one reads, and takes over as the first one left it", async () => {
    const disk = start();
    const writer = await windowOn(storageOn(disk), "f");
    const reader = await windowOn(storageOn(disk, undefined, { waits: true }), "s");
    const seen = copyOf(whole(reader.session));
    await compacts(writer);
    await writer.session.compaction.undo();
    await writer.session.compaction.redo();
    writer.models.play({ text: "Four." });
    await say(writer.session, "And now?");
    assert.ok(reader.session.readOnly);
    assert.deepEqual(whole(reader.session), seen);
    await assert.rejects(reader.session.compaction.compact(), SessionError);
    await assert.rejects(reader.session.compaction.undo(), SessionError);
    await writer.session.close();
    await eventually("the reader has the lock", () => !reader.session.readOnly);
    await eventually(
      "the reader has read what the writer left",
      () => whole(reader.session).messages.length < seen.messages.length,
    );
    assert.deepEqual(whole(reader.session), whole(writer.session));
    await reader.session.compaction.undo();
    assert.deepEqual(whole(reader.session).messages.slice(0, seen.messages.length), seen.messages);
    await reader.session.close();
  });

  it("the other one takes over while the summary is written: nothing is committed, and history stays as it was", async () => {
    const disk = start();
    const first = await windowOn(storageOn(disk), "f");
    const log = copyOf(whole(first.session));
    first.models.summaries.push({ text: "## half", hang: true });
    const compaction = first.session.compaction.compact().catch((error: unknown) => error);
    await eventually("the summary is asked for", () => first.models.summaryRequests.length > 0);
    const second = await windowOn(storageOn(disk), "s");
    assert.equal(second.session.readOnly, false);
    second.models.play({ text: "Four." });
    await say(second.session, "And now?");
    first.session.compaction.cancel();
    await compaction;
    assert.deepEqual(whole(first.session), log);
    await assert.rejects(first.session.history.append({ kind: "title", title: "mine" }), { code: "LOST_LOCK" });
    const ids = (await recordsOn(storageOn(disk))).map(({ id }) => id);
    assert.deepEqual(
      ids,
      [...threeOfThem, ...second.told].map(({ id }) => id),
    );
  });

  it("the other one takes over, writes and compacts at any call of a compaction: what either was told is there", async () => {
    const ends = new Map<string, number>();
    for (let at = 1, reached = true; reached; at += STEP) {
      reached = false;
      const disk = start();
      let number = 0;
      let other: Awaited<ReturnType<typeof windowOn>> | undefined;
      const storage = storageOn(disk, async ({ name }) => {
        number += 1;
        // what is done at once gives nobody time to take over
        if (reached || number < at || name.endsWith("Sync")) return;
        reached = true;
        other = await windowOn(storageOn(disk), "s");
        assert.equal(other.session.readOnly, false);
        other.models.play({ text: "Four." });
        await say(other.session, "And now?");
        await compacts(other);
      });
      const first = await windowOn(storage, "f");
      const error = await compacts(first).catch(failure => failure);
      if (error) assert.ok(error instanceof StorageError || error instanceof SessionError, String(error));
      await first.session.close().catch(() => undefined);
      const end = error ? "refused" : (first.phases.at(-1) ?? "");
      ends.set(end, (ends.get(end) ?? 0) + 1);
      const there = new Map((await recordsOn(storageOn(disk))).map(record => [record.id, record]));
      for (const record of [...threeOfThem, ...first.told, ...(other?.told ?? [])]) {
        assert.deepEqual(there.get(record.id), record, `at call ${at}`);
      }
      await other?.session.close();
      const files = await storageOn(disk).open(SESSION);
      assert.deepEqual((await verifySession(files, hash)).defects, [], `at call ${at}`);
      await files.close();
    }
    for (const end of ["refused", "cancelled", "done"]) assert.ok(ends.has(end), JSON.stringify([...ends]));
  });
});
