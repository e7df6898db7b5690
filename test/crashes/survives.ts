/** What has to be there after a crash, whatever it left. */
import assert from "node:assert/strict";
import { type ArchiveName, type SessionFiles, StorageError } from "../../src/core/ground/ports";
import { decodeLog } from "../../src/core/log/codec";
import { History } from "../../src/core/log/history";
import { readWholeLog } from "../../src/core/log/readLog";
import { verifySession } from "../../src/core/proof/verify";
import type { NodeStorage } from "../../src/node/storage/sessionStorage";
import { historyDeps } from "../core/log/chronicle";
import { openToWrite } from "../fakes/disk/crashes";
import { hash } from "../fakes/hash";
import { isSoak } from "../fakes/soak";
import type { State } from "./lived";

/** Of so many moments one is tried; in the soak each. A prime, so that no rhythm of the calls falls through. */
export const STEP = isSoak("kills") ? 1 : 11;

/** Opened for writing; undefined: it never came to the disk, and nothing of it was acknowledged. */
export async function openedAfter(storage: NodeStorage, acknowledged: boolean): Promise<SessionFiles | undefined> {
  try {
    return await openToWrite(storage);
  } catch (error) {
    if (error instanceof StorageError && error.code === "NOT_FOUND" && !acknowledged) return undefined;
    throw error;
  }
}

/**
 * Opens the session: it is as it was when the last thing was acknowledged, or, where the next one came through unacknowledged,
 * as after that. Of several records that were written at once, the first may be there without the others.
 * @param last without its conversation: whatever that was
 * @param next what would have been acknowledged next; undefined: nothing; "unknown": nobody knows, but one thing at most
 * @param mark of the ids of what is written from here on
 */
export async function survives(
  files: SessionFiles,
  last: (Pick<State, "records"> & Partial<State>) | undefined,
  next: State | "unknown" | undefined,
  mark = "after",
): Promise<History> {
  const { history } = await History.open(files, historyDeps(mark));
  const whole = await readWholeLog(files);
  assert.deepEqual([whole.broken, whole.missing], [[], []]);
  const count = last?.records.length ?? 0;
  assert.deepEqual(whole.records.slice(0, count), last?.records ?? [], "what was acknowledged");
  const more = whole.records.slice(count);
  if (next === "unknown") assert.ok(more.length <= MOST_AT_ONCE, "one thing at most");
  else assert.deepEqual(more, next?.records.slice(count, count + more.length) ?? [], "nothing else");
  if (more.length === 0 && last?.conversation) assert.deepEqual(history.conversation, last.conversation);
  if (typeof next === "object" && whole.records.length === next.records.length) {
    assert.deepEqual(history.conversation, next.conversation);
  }
  assert.deepEqual((await verifySession(files, hash)).defects, []);
  // what a compaction began with that was cut off is a copy of what stands in the log
  const known = new Set(whole.records.map(({ id }) => id));
  for (const name of await files.list("archive")) {
    const { records } = decodeLog((await files.read(`archive/${name}` as ArchiveName)) ?? "");
    assert.ok(
      records.every(({ id }) => known.has(id)),
      name,
    );
  }
  return history;
}

/** records of one deed: an answer with the results of its calls */
const MOST_AT_ONCE = 3;

/** It can be worked with: what is written and undone from here on is there too. */
export async function goesOn(history: History): Promise<void> {
  const before = (await readWholeLog(history.files)).records;
  const note = await history.append({ kind: "note", level: "info", code: "c", text: "on it goes" });
  const undo = history.records.findLast(
    ({ id, kind }) => kind === "compaction" && !history.conversation.undone.has(id),
  );
  const undone = undo?.kind === "compaction" ? [await history.undoCompaction(undo)] : [];
  assert.deepEqual((await readWholeLog(history.files)).records, [...before, note, ...undone]);
}
