import assert from "node:assert/strict";
import { History } from "../../../src/core/log/history";
import { redactRecord } from "../../../src/core/log/redactRecord";
import type { AgentEvent } from "../../../src/shared/events";
import type { LogRecord, NewRecord } from "../../../src/shared/records";
import { FakeClock } from "../../fakes/clock";
import { hash } from "../../fakes/hash";
import { FakeIds } from "../../fakes/ids";
import { hiding } from "../../fakes/redact";
import { MemoryStorage } from "../../fakes/storage";

const redact = hiding(text => text.replaceAll("SECRET", "[mark]"));
const opaque = { openai: { encrypted: "SECRET", itemId: "SECRET" } };
const metadata = { ts: 1, turn: 1, step: 1, runId: "run_SECRET", kind: "normal" as const };

const records: NewRecord[] = [
  {
    kind: "message",
    parentId: "SECRET",
    message: {
      id: "msg_SECRET",
      role: "assistant",
      metadata,
      parts: [
        { type: "text", text: "a SECRET", providerMetadata: opaque },
        { type: "reasoning", text: "a SECRET", providerMetadata: opaque },
        { type: "data-reminder", data: { name: "mentions", text: "a SECRET" } },
        { type: "file", mediaType: "image/png", url: "blob:SECRET", filename: "SECRET.png" },
        {
          type: "dynamic-tool",
          toolName: "Write",
          toolCallId: "call_SECRET",
          state: "input-available",
          input: { id: "SECRET", SECRET: [{ url: "SECRET" }, "SECRET", null, 1], providerMetadata: "SECRET" },
          errorText: "no SECRET",
          callProviderMetadata: opaque,
        },
      ],
    },
  },
  {
    kind: "attempt",
    requestId: "req_SECRET",
    turn: 1,
    step: 1,
    parts: [{ type: "text", text: "SECRET" }],
    reason: "SECRET",
  },
  { kind: "pending", pendingId: "pen_SECRET", op: "added", delivery: "queue", text: "SECRET" },
  { kind: "title", title: "SECRET" },
  { kind: "note", level: "info", code: "note", text: "SECRET" },
  { kind: "todo", todos: [{ content: "SECRET", status: "pending" }] },
  {
    kind: "approval",
    approvalId: "apr_SECRET",
    action: {
      toolName: "Bash",
      callId: "call_SECRET",
      title: "Run SECRET?",
      reason: "SECRET",
      detail: { type: "command", command: "SECRET", cwd: "/SECRET", sandbox: { kind: "x", uri: "SECRET", SECRET: 1 } },
      binds: "SECRET",
    },
    answer: { decision: "deny", scope: "once", by: "user", words: "no SECRET" },
  },
  {
    kind: "approval",
    approvalId: "apr_1",
    action: {
      toolName: "server:tool",
      callId: "call_1",
      title: "SECRET",
      detail: { type: "other", summary: "SECRET", input: { uri: "SECRET", type: "SECRET", SECRET: ["SECRET"] } },
      binds: "hash",
    },
  },
];

/** Where "SECRET" still stands, as paths. */
function left(value: unknown, path = ""): string[] {
  if (typeof value === "string") return value.includes("SECRET") ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(key.includes("SECRET") ? [`${path}.${key}`] : []),
    ...left(item, `${path}.${key}`),
  ]);
}

describe("a record's secrets", () => {
  it("go from every text, from no id and not from what is a provider's", () => {
    const redacted = records.map(record => redactRecord({ id: "r", seq: 1, ts: 1, ...record } as LogRecord, redact));
    const part = (index: number) => `.0.message.parts.${index}`;
    assert.deepEqual(
      left(redacted).sort(),
      [
        ".0.message.id",
        ".0.message.metadata.runId",
        ...[0, 1].flatMap(at => [
          `${part(at)}.providerMetadata.openai.encrypted`,
          `${part(at)}.providerMetadata.openai.itemId`,
        ]),
        `${part(3)}.url`,
        `${part(4)}.callProviderMetadata.openai.encrypted`,
        `${part(4)}.callProviderMetadata.openai.itemId`,
        `${part(4)}.toolCallId`,
        ".0.parentId",
        ".1.requestId",
        ".2.pendingId",
        ".6.action.binds",
        ".6.action.callId",
        ".6.approvalId",
      ].sort(),
    );
  });

  it("names of states of files stay, whatever they look like; in what leaves the machine names of files go", () => {
    const state = "a1".repeat(32);
    const hides = hiding(text => text.replaceAll(state, "[mark]").replaceAll("SECRET", "[mark]"));
    const edits = [{ messageId: "m", callId: "c" }];
    const file = { uri: "file:///SECRET.ts", path: "SECRET.ts" };
    const counts = { added: 1, removed: 1 };
    const stored = { sha256: state };
    const change = { ...file, ...counts, created: false, diff: state, before: state, after: null };
    const records = [
      { kind: "revert", direction: "undo", turn: 1, edits, ...file, ...counts, before: state, after: state, stored },
      { kind: "result", changes: [change] },
      { kind: "compaction", snapshot: { untold: { [`m c ${file.uri}`]: { path: file.path } } } },
      { kind: "note", text: "x", before: "a SECRET" },
    ] as unknown as LogRecord[];
    const redacted = records.map(record => redactRecord(record, hides)) as Record<string, unknown>[];
    assert.deepEqual([redacted[0]?.before, redacted[0]?.after, redacted[0]?.path], [state, state, "[mark].ts"]);
    assert.deepEqual(redacted[0]?.stored, stored);
    const kept = { ...change, path: "[mark].ts", diff: "[mark]" };
    assert.deepEqual(redacted[1]?.changes, [kept]);
    assert.equal(redacted[3]?.before, "a [mark]", "what is no name is a text");
    const out = records.map(record => redactRecord(record, hides, { uris: true }));
    assert.deepEqual(left(out), []);
    assert.ok(JSON.stringify(out).includes(state));
  });

  it("are gone on disk, in memory and in what listeners hear", async () => {
    const storage = new MemoryStorage();
    const files = await storage.create("ses_1");
    const events: AgentEvent[] = [];
    const deps = {
      clock: new FakeClock(),
      ids: new FakeIds(),
      hash,
      emit: (event: AgentEvent) => events.push(event),
      redact,
    };
    const history = new History(files, deps);
    const written = await history.append({ kind: "title", title: "a SECRET" });
    assert.equal(written.title, "a [mark]");
    const disk = await files.read("history.jsonl");
    for (const text of [
      disk,
      ...[history.records, history.conversation.title, events].map(value => JSON.stringify(value)),
    ]) {
      assert.ok(text?.includes("[mark]") && !text.includes("SECRET"), text);
    }
  });
});
