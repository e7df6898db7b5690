/**
 * The panel's state is that of the log, however it came there: a snapshot of a part of it, events, older pages in any order
 * and twice, a snapshot in between. Compared with the state of one snapshot of all of it, and with the log's projection.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { project } from "../../src/core/log/project";
import type { LogRecord } from "../../src/shared/records";
import { toPanelRecord } from "../../src/vscode/panel/host/panelSnapshot";
import { reduce } from "../../webview-ui/src/store/reduce";
import type { PanelState } from "../../webview-ui/src/store/state";
import { Chronicle, type Deed, historyDeps } from "../core/log/chronicle";
import { chronicles } from "../core/log/chronicles";
import { pluck } from "../fakes/pluck";
import { isSoak } from "../fakes/soak";
import { MemoryStorage } from "../fakes/storage";
import { SESSION } from "../panel/script";
import { NOW, older, opened, stateAfter } from "./outline";

/** A session is never called nothing, a request is cut off once, and a call that is asked about belongs to one turn. */
function possible(deed: Deed, at: number, all: readonly Deed[]): Deed[] {
  if (deed.does !== "say") return [deed];
  const { record } = deed;
  if (record.kind === "title" && record.title === "") return [];
  if (record.kind === "approval") {
    const callId = `asked${all.slice(0, at).filter(({ does }) => does === "end").length}`;
    return [{ ...deed, record: { ...record, action: { ...record.action, callId } } }];
  }
  return [record.kind === "attempt" ? { ...deed, record: { ...record, requestId: `q${at}` } } : deed];
}

/** Of several windows. */
const long = fc.array(chronicles, { minLength: 1, maxLength: 5, size: "max" }).map(all => all.flat());

/** All records, as they were appended. */
async function logOf(deeds: readonly Deed[]): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const deps = {
    ...historyDeps(),
    emit: (event: { type: string; record?: LogRecord }) => {
      if (event.type === "record" && event.record) records.push(event.record);
    },
  };
  const chronicle = Chronicle.start(await new MemoryStorage().create("ses_1"), deps);
  await chronicle.live(deeds.flatMap(possible));
  return records;
}

/** As the host makes it: what it knows of the whole, and the records of a window. */
function snapshotAt(records: readonly LogRecord[], to: number, from: number) {
  const { todos, pins, pending, title, mode, denials } = project(records.slice(0, to));
  const waiting = pending.map(({ pendingId, delivery, text }) => ({ pendingId, delivery, text }));
  const held = pending.flatMap(each => (each.held ? [each.pendingId] : []));
  const named = denials.map(({ denialId, title: name, ts }) => ({ denialId, title: name, ts }));
  const start = Math.max(0, Math.min(from, to - 1));
  const known = { todos: [...todos], pins: [...pins], pending: waiting, held, title, mode, denials: named };
  const window = records.slice(start, to).map(toPanelRecord);
  return opened({ ...known, records: window, hasOlder: start > 0, state: "running" });
}

const idle = {
  type: "events" as const,
  sessionId: SESSION,
  events: [{ type: "state" as const, state: "idle" as const }],
  now: NOW,
};

interface Way {
  /** shares of the log: where the first snapshot ends, and how much of what there is stands in its window */
  open: number;
  window: number;
  /** records in a batch of events */
  batch: number;
  /** records in an older page */
  page: number;
  /** each answer comes twice, the second one late */
  twice: boolean;
  /** older pages come while events do */
  between: boolean;
  /** where another snapshot comes in between; 1: none does */
  again: number;
}

const ways: fc.Arbitrary<Way> = fc.record({
  open: fc.double({ min: 0, max: 1, noNaN: true }),
  window: fc.double({ min: 0, max: 1, noNaN: true }),
  batch: fc.integer({ min: 1, max: 9 }),
  page: fc.integer({ min: 1, max: 12 }),
  twice: fc.boolean(),
  between: fc.boolean(),
  again: fc.double({ min: 0, max: 1.5, noNaN: true }),
});

function played(records: readonly LogRecord[], way: Way): PanelState {
  const start = Math.floor(way.open * records.length);
  let state = stateAfter(snapshotAt(records, start, Math.floor(start * (1 - way.window))));
  let late: ReturnType<typeof older> | undefined;
  const ask = () => {
    const { hasOlder, firstSeq } = state.session;
    if (!hasOlder) return false;
    const before = firstSeq ?? (state.session.lastSeq || start) + 1;
    const all = records.filter(({ seq }) => seq < before);
    const page = all.slice(-way.page).map(toPanelRecord);
    const answer = older(state, page, all.length > page.length);
    state = reduce(state, answer);
    if (late !== undefined) state = reduce(state, late);
    if (way.twice) late = answer;
    return true;
  };
  const again = Math.floor(way.again * records.length);
  for (let at = start; at < records.length; at += way.batch) {
    const batch = records.slice(at, at + way.batch);
    const events = batch.map(record => ({ type: "record" as const, record: toPanelRecord(record) }));
    state = reduce(state, { type: "events", sessionId: SESSION, events, now: NOW });
    if (way.between) ask();
    if (late !== undefined) state = reduce(state, late);
    const to = at + batch.length;
    if (at <= again && again < to) state = reduce(state, snapshotAt(records, to, Math.floor(to * (1 - way.window))));
  }
  while (ask());
  return reduce(state, idle);
}

/** All that a person sees, and what decides what they can do. */
function seen({ session, gap }: PanelState) {
  const { context: _, counters: __, chunks: ___, todosTurn: ____, ...rest } = session;
  return { ...rest, pins: [...rest.pins].sort(), gap };
}

describe("panel store: windows of a log", () => {
  it("any way to it ends in the state of the whole", async () => {
    const property = fc.asyncProperty(long, ways, async (deeds, way) => {
      const records = await logOf(deeds);
      assert.deepEqual(
        pluck(records, "seq"),
        records.map((_, at) => at + 1),
      );
      const whole = reduce(stateAfter(snapshotAt(records, records.length, 0)), idle);
      assert.deepEqual(seen(played(records, way)), seen(whole));
      const { todos, pins, pending, title, mode } = project(records);
      const said = { todos, pins: [...pins].sort(), title, mode };
      const { session } = whole;
      assert.deepEqual(said, {
        todos: session.todos,
        pins: [...session.pins].sort(),
        title: session.title,
        mode: session.mode,
      });
      assert.deepEqual(
        pending.map(({ pendingId, text, held }) => [pendingId, text, held]),
        session.pending.map(({ pendingId, text, held }) => [pendingId, text, held]),
      );
    });
    await fc.assert(property, { numRuns: isSoak("random") ? 5_000 : 200 });
  });
});
