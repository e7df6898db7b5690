/**
 * Processes killed wherever they are in taking the agent's changes back: each file is as it was or as it was to be, the session
 * knows which, and the model hears of what is gone.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { hunksIn, WaitingChanges } from "../../src/core/changes/review/waiting";
import { Timeline } from "../../src/core/changes/timeline/timeline";
import { editKey, undoneEdits } from "../../src/core/log/putBacks";
import { Snapshots } from "../../src/core/log/snapshots";
import type { LogRecord, RecordOf } from "../../src/shared/records";
import { SESSION } from "../fakes/disk/crashes";
import { hash } from "../fakes/hash";
import { isSoak } from "../fakes/soak";
import { temporaryFolder } from "../fakes/temporary";
import { canWrite } from "./agent";
import { buildChildren, killed } from "./killing";
import { changeMuch, textOf } from "./reviewable";
import { fill, rewindable } from "./rewindable";

const KILLS = isSoak("kills") ? 100 : 4;
/** As long as there are so many changes, a process finds some to take back. */
const ENOUGH = 15;

describe("changes that are taken back, where a process is killed", function () {
  this.timeout(600_000);
  const folder = temporaryFolder("killed-review");
  before(() => buildChildren(folder, "review"));

  it("are there or gone, and whoever opens the session knows which, and who did it", async () => {
    const place = join(folder, "place");
    mkdirSync(place);
    fill(place, { git: false });
    const first = rewindable(place, "start");
    const begun = await createSession(first.ports);
    await changeMuch(place, { session: begun, models: first.models }, 0);
    await begun.close();
    const came = { recovered: 0, left: 0 };
    for (let kill = 1; kill <= KILLS; kill++) {
      const program = join(folder, "review.mjs");
      await killed({ program, place, kill, mostRecords: 12, littleMs: 8 });
      const { ports, models } = rewindable(place, `c${kill}_`);
      const session = await openSession(ports, SESSION);
      await canWrite(session);
      await session.settleOpenTurn();
      const { records } = session.history;
      const mended = records.filter(({ id }) => id.includes(`_c${kill}_`));
      // Of the lock and the log, which the kill may have damaged too, other notes say so.
      assert.ok(!mended.some(isOfUndo), `kill ${kill}: no file is neither`);
      for (const record of mended) await explains(session, record, came);
      const waiting = await knowsWhatStands(session, place, kill);
      if (waiting < ENOUGH) await changeMuch(place, { session, models }, kill);
      await session.close();
    }
    if (isSoak("kills")) assert.ok(came.recovered > 0 && came.left > 0, JSON.stringify(came));
    if (isSoak("kills")) console.log(came);
  });
});

const isOfUndo = (record: LogRecord) => record.kind === "note" && record.code === "undo-interrupted";

/** What opening the session noted of a change that was under way. */
async function explains(session: Session, record: LogRecord, came: { recovered: number; left: number }): Promise<void> {
  if (record.kind === "intent") {
    assert.equal(record.phase, "left");
    came.left += 1;
  } else if (record.kind !== "note") {
    assert.ok(record.kind === "review" || record.kind === "revert", record.kind);
    came.recovered += 1;
    const { untoldReviews, untold } = session.history.conversation;
    const told = record.kind === "review" ? untoldReviews.some(({ seq }) => seq === record.seq) : untold.size > 0;
    assert.ok(told, "the model has it to hear");
  }
}

/** No change is gone of which the records say that it waits, and no edit undone that they say stands. @returns how many wait */
async function knowsWhatStands(session: Session, place: string, kill: number): Promise<number> {
  const { history } = session;
  const { ports } = rewindable(place, "look");
  const snapshots = new Snapshots(history.files, { hash, logger: ports.logger });
  const waiting = new WaitingChanges({ timeline: new Timeline(history), files: ports.files, snapshots });
  let count = 0;
  for (const file of await waiting.files()) {
    if (file.path === "edited.txt") continue;
    const texts = await waiting.textsOf(file);
    assert.ok(texts && texts.agent !== null);
    assert.ok(existsSync(join(place, "app", file.path)), `kill ${kill}: ${file.path} is there, as the records say`);
    const [wait, stand] = [texts.agent, textOf(place, file.path)].map(text => hunksIn(texts, text).length);
    assert.equal(stand, wait, `kill ${kill}: changes of ${file.path}`);
    count += stand ?? 0;
  }
  for (const path of ["a.txt", "b.txt", "sub/c.txt"])
    assert.match(textOf(place, path), /\ntyped \d+\n$/, `kill ${kill}: what was typed stands`);
  const result = history.records.findLast(
    (record): record is RecordOf<"result"> =>
      record.kind === "result" && record.changes?.some(({ path }) => path === "edited.txt") === true,
  );
  assert.ok(result?.changes?.[0]);
  const undone = undoneEdits(history.records).has(editKey(result, result.changes[0].uri));
  assert.equal(textOf(place, "edited.txt") === "was\n", undone, `kill ${kill}: the edit of edited.txt`);
  return count;
}
