/** What the panel gets of a session: light records, a window of them, batches of events. */
import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/shared/events";
import { type LogRecord, type RecordOf, recordSchema } from "../../src/shared/records";
import { createBatch } from "../../src/vscode/panel/host/panelHost";
import { toPanelRecord } from "../../src/vscode/panel/host/panelSnapshot";
import { childRecord } from "../fakes/children";

const base = (seq: number) => ({ id: `rec_${seq}`, seq, ts: seq });
const change = { uri: "file:///a.ts", path: "a.ts", created: false, added: 1, removed: 1 };

function user(seq: number, extra: Partial<RecordOf<"message">["message"]["metadata"]> = {}): RecordOf<"message"> {
  return {
    ...base(seq),
    kind: "message",
    parentId: null,
    message: {
      id: `msg_${seq}`,
      role: "user",
      parts: [{ type: "text", text: "hello" }],
      metadata: { ts: seq, turn: 1, step: 0, runId: "run_1", kind: "normal", ...extra },
    },
  };
}

function result(seq: number, extra: Partial<RecordOf<"result">> = {}): RecordOf<"result"> {
  return {
    ...base(seq),
    kind: "result",
    messageId: "msg",
    callId: `call_${seq}`,
    toolName: "Read",
    turn: 1,
    step: 1,
    status: "success",
    digest: "Read a.ts",
    durationMs: 3,
    forms: { shown: "short" },
    ...extra,
  };
}

describe("light records", () => {
  const check = (record: LogRecord, expected: Partial<LogRecord>) => {
    const light = toPanelRecord(record);
    recordSchema.parse(light);
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(light[name as keyof LogRecord], value);
  };

  it("cut what a result showed, leave out its kept form, stamps and images", () => {
    const stamps = { "file:///a.ts": { mtime: 1, sha256: "x", dirty: false } };
    const images = [{ mediaType: "image/png", url: "blob:1", path: "a.png" }];
    const forms = { shown: "x".repeat(1000), kept: "y" };
    check(result(1, { forms, stamps, images }), {
      forms: { shown: `${"x".repeat(399)}…` },
      stamps: undefined,
      images: undefined,
    } as Partial<LogRecord>);
  });

  it("cut a long diff at a line's end and say so", () => {
    const lines = ["--- a.ts", "+++ a.ts", "@@ -1,1 +1,900 @@", ...Array.from({ length: 900 }, (_, i) => `+line ${i}`)];
    const light = toPanelRecord(result(1, { changes: [{ ...change, diff: lines.join("\n") }] })) as RecordOf<"result">;
    const kept = light.changes?.[0]?.diff.split("\n") ?? [];
    assert.deepEqual(kept.slice(0, -1), lines.slice(0, kept.length - 1));
    assert.equal(kept.at(-1), `\\ ${lines.length - kept.length + 1} more lines: open the diff to see them`);
    assert.ok(kept.join("\n").length < 4_100);
    const ended = { ...base(1), ...childRecord({ phase: "ended" }), changes: [{ ...change, diff: lines.join("\n") }] };
    assert.deepEqual((toPanelRecord(ended) as RecordOf<"child">).changes, light.changes);
  });

  it("keep the diff of an open question, drop that of an answered one", () => {
    const action: RecordOf<"approval">["action"] = {
      toolName: "Edit",
      callId: "c",
      title: "Edit a.ts?",
      detail: { type: "edit", changes: [{ ...change, diff: "@@ -1 +1 @@" }] },
      binds: "x",
    };
    const asked: LogRecord = { ...base(1), kind: "approval", approvalId: "a", action };
    check(asked, { action } as Partial<LogRecord>);
    const answered: LogRecord = { ...asked, answer: { decision: "allow", scope: "once", by: "user" } };
    const light = { ...action, detail: { type: "edit", changes: [{ ...change, diff: "" }] } };
    check(answered, { action: light } as Partial<LogRecord>);
  });

  it("keep people's words, shorten what a call carries and what Strata added", () => {
    const long = "word ".repeat(2000);
    const record = user(1);
    record.message.parts = [
      { type: "text", text: long, providerMetadata: { openai: { itemId: "x" } } },
      { type: "data-reminder", data: { name: "mentions", text: long } },
      {
        type: "dynamic-tool",
        toolName: "Write",
        toolCallId: "c",
        state: "input-available",
        input: { file_path: "a.ts", content: long, lines: [long, 3, null] },
        callProviderMetadata: { openai: { itemId: "x" } },
      },
    ];
    const cut = (most: number) => `${long.slice(0, most - 1)}…`;
    const light = toPanelRecord(record) as RecordOf<"message">;
    assert.deepEqual(light.message.parts, [
      { type: "text", text: long },
      { type: "data-reminder", data: { name: "mentions", text: cut(200) } },
      {
        type: "dynamic-tool",
        toolName: "Write",
        toolCallId: "c",
        state: "input-available",
        input: { file_path: "a.ts", content: cut(2000), lines: [cut(2000), 3, null] },
      },
    ]);
  });

  it("never cut a character in two", () => {
    const light = toPanelRecord(result(1, { forms: { shown: `${"x".repeat(398)}😀😀` } })) as RecordOf<"result">;
    assert.ok(light.forms.shown.isWellFormed());
  });
});

describe("batches of events", () => {
  const text = (delta: string, requestId = "r"): AgentEvent => ({ type: "text", requestId, delta });
  const output = (out: string, stream: "stdout" | "stderr" = "stdout"): AgentEvent => ({
    type: "output",
    callId: "c",
    stream,
    text: out,
  });
  const check = (events: AgentEvent[], expected: AgentEvent[]) => {
    const sent: AgentEvent[][] = [];
    const due: (() => void)[] = [];
    const batch = createBatch(
      batched => sent.push(batched),
      callback => {
        due.push(callback);
        return () => due.splice(0);
      },
    );
    for (const event of events) batch.add(event);
    assert.equal(due.length, 1, "one frame for all of them");
    due[0]?.();
    assert.deepEqual(sent, [expected]);
  };

  it("join neighbours of a kind and keep the order", () => {
    check(
      [text("a"), text("b"), output("1"), output("2"), output("!", "stderr"), text("c"), text("d", "other")],
      [text("ab"), output("12"), output("!", "stderr"), text("c"), text("d", "other")],
    );
  });

  it("keep the newest of a flood of output", () => {
    const flood = Array.from({ length: 100 }, (_, i) => output(String(i % 10).repeat(1000)));
    check(flood, [
      output(
        flood
          .map(event => (event as { text: string }).text)
          .join("")
          .slice(-20_000),
      ),
    ]);
  });

  it("count how much of a call has come once", () => {
    const written = (chars: number): AgentEvent => ({
      type: "callInput",
      requestId: "r",
      callId: "c",
      toolName: "Write",
      chars,
    });
    check([written(1), written(2), written(30)], [written(30)]);
  });

  it("forget what a snapshot holds, and go on after it", () => {
    const sent: AgentEvent[][] = [];
    const due = new Set<() => void>();
    const batch = createBatch(
      events => sent.push(events),
      callback => {
        due.add(callback);
        return () => due.delete(callback);
      },
    );
    batch.add(text("old"));
    batch.clear();
    batch.add(text("new"));
    for (const callback of due) callback();
    assert.deepEqual(sent, [[text("new")]]);
  });
});
