/** Which part of a session's records the panel gets, also where compactions moved some of them to archives. */

import assert from "node:assert/strict";
import type { OlderRecords } from "../../src/core/log/findRecords";
import { History } from "../../src/core/log/history";
import type { LogRecord } from "../../src/shared/records";
import { newestRecords, recordsBefore } from "../../src/vscode/panel/host/panelSnapshot";
import { compactedSession } from "../fakes/compacted";
import { pluck } from "../fakes/pluck";
import { asItIs } from "../fakes/redact";

const base = (seq: number) => ({ id: `rec_${seq}`, seq, ts: seq });
const note = (seq: number): LogRecord => ({ ...base(seq), kind: "note", level: "info", code: "x", text: "x" });
const user = (seq: number): LogRecord => ({
  ...base(seq),
  kind: "message",
  parentId: null,
  message: {
    ...{ id: `msg_${seq}`, role: "user", parts: [{ type: "text", text: "hello" }] },
    metadata: { ts: seq, turn: 1, step: 0, runId: "run_1", kind: "normal" },
  },
});

/** A log in which these numbers are user's messages. */
const log = (length: number, users: readonly number[]) => ({
  records: Array.from({ length }, (_, i): LogRecord => (users.includes(i + 1) ? user(i + 1) : note(i + 1))),
  files: { getBlob: async () => undefined },
});
const seqs = ({ records, hasOlder }: OlderRecords) => ({ from: records[0]?.seq, to: records.at(-1)?.seq, hasOlder });

describe("the window of records", () => {
  it("of a short log is the log", async () => {
    assert.deepEqual(seqs(await newestRecords(log(150, [1]))), { from: 1, to: 150, hasOlder: false });
    assert.deepEqual(await newestRecords(log(0, [])), { records: [], hasOlder: false, missing: [] });
  });

  it("begins at a user's message", async () => {
    assert.deepEqual(seqs(await newestRecords(log(1000, [1, 750, 900]))), { from: 750, to: 1000, hasOlder: true });
  });

  it("goes on before it, and ends at the beginning", async () => {
    const all = log(1000, [1, 400, 750]);
    assert.deepEqual(seqs(await recordsBefore(all, 750)), { from: 400, to: 749, hasOlder: true });
    assert.deepEqual(seqs(await recordsBefore(all, 400)), { from: 1, to: 399, hasOlder: false });
    assert.deepEqual(seqs(await recordsBefore(all, 1)), { from: undefined, to: undefined, hasOlder: false });
  });

  it("does not grow with one long turn", async () => {
    const { records, hasOlder } = await newestRecords(log(5000, [1]));
    assert.deepEqual({ length: records.length, hasOlder }, { length: 200, hasOlder: true });
  });

  it("has the archived records in their places, and names an archive that is missing", async () => {
    const { ports, id, disk } = await compactedSession();
    const open = async () => {
      const files = await ports.storage.open(id, { readOnly: true });
      const { clock, ids, hash } = ports;
      const deps = { clock, ids, hash, emit: () => undefined, redact: asItIs };
      return (await History.open(files, deps)).history;
    };
    const history = await open();
    const { records, hasOlder, missing } = await newestRecords(history);
    assert.ok(history.records.length < records.length);
    assert.deepEqual(
      pluck(records, "seq"),
      Array.from({ length: records.length }, (_, index) => index + 1),
    );
    assert.deepEqual({ hasOlder, missing }, { hasOlder: false, missing: [] });
    const [archive = ""] = history.archives;
    disk.sessions.get(id)?.files.delete(archive);
    const torn = await newestRecords(await open());
    assert.deepEqual([torn.records.length, torn.missing], [history.records.length, [archive]]);
  });
});
