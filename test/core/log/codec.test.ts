import assert from "node:assert/strict";
import { decodeLog, encodeLine } from "../../../src/core/log/codec";
import type { LogHeader, LogRecord } from "../../../src/shared/records";

const header: LogHeader = { kind: "header", version: 1, sessionId: "s", created: 5, archives: [] };
const note = (seq: number, text = "n"): LogRecord => ({
  kind: "note",
  id: `r${seq}`,
  seq,
  ts: 7,
  level: "info",
  code: "c",
  text,
});
const log = (...records: LogRecord[]) => [header, ...records].map(encodeLine).join("");

describe("history codec", () => {
  it("names what a cut-off last line leaves, in bytes", () => {
    const whole = log(note(1, "中文"));
    const decoded = decodeLog(`${whole}{"kind":"no`);
    assert.deepEqual(decoded.torn, { keepBytes: Buffer.byteLength(whole), text: '{"kind":"no' });
    assert.equal(decoded.whole, whole);
  });

  it("reads a log that an editor saved with a byte order mark, and cuts it where it was torn", () => {
    const whole = `\uFEFF${log(note(1))}`;
    const decoded = decodeLog(`${whole}{"kind":"no`);
    assert.deepEqual([decoded.header, decoded.records.length, decoded.broken], [header, 1, []]);
    assert.equal(decoded.torn?.keepBytes, Buffer.byteLength(whole));
  });
});
