/** Parts of a conversation that go, and what models and people write: for tests of slots and summaries. */
import fc from "fast-check";
import { memorySlots, type SlotsInput } from "../../../../src/core/context/compaction/summaryText";
import type { MessageMetadata, StrataMessage } from "../../../../src/shared/messages";
import type { LogRecord, RecordOf } from "../../../../src/shared/records";
import { hash } from "../../../fakes/hash";
import { resultRecord } from "../../../fakes/records";

export const said = (
  text: string,
  turn = 1,
  kind: MessageMetadata["kind"] = "normal",
  role: "user" | "assistant" = "user",
): StrataMessage => ({
  id: `m${turn}.${role}.${hash.sha256(text).slice(0, 8)}`,
  role,
  parts: [{ type: "text", text }],
  metadata: { ts: 0, turn, step: 0, runId: `run${turn}`, kind },
});

export interface Change {
  path: string;
  added?: number;
  removed?: number;
  created?: boolean;
  /** what it was left as */
  content?: string;
}

/** A result of a message that changed files; its output's handle is made of its number. */
export const changing = (messageId: string, seq: number, ...changes: Change[]): RecordOf<"result"> => ({
  ...{ id: `r${seq}`, seq, ts: seq },
  ...resultRecord({ messageId, callId: `c${seq}`, toolName: "Edit", digest: "Edit", forms: { shown: "ok" } }),
  raw: { sha256: hash.sha256(String(seq)), bytes: 2, inline: true },
  stamps: Object.fromEntries(
    changes.map(({ path, content = path }) => [
      `file:///ws/${path}`,
      { mtime: 0, sha256: hash.sha256(content), dirty: false },
    ]),
  ),
  changes: changes.map(({ path, added = 1, removed = 0, created = false }) => ({
    uri: `file:///ws/${path}`,
    path,
    created,
    added,
    removed,
    diff: "",
  })),
});

export const facts = {
  roots: [{ name: "app", path: "/ws/app", uri: "file:///ws/app" }],
  platform: "linux",
  shell: "bash",
};

/** Slots of a segment; what is not given is empty. */
export const slotsOf = (
  messages: readonly StrataMessage[],
  more: Partial<SlotsInput> & { records?: readonly LogRecord[] } = {},
) => memorySlots({ messages, records: [], goal: "", facts, model: "gpt-x", window: 200_000, ...more });

/** Whatever somebody may type, or a program may print: emoji, CJK, CRLF, lone surrogates, control characters, marks of ours. */
export const anything = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ maxLength: 40 }) },
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        ..."\ud800 \udc00x 👩‍👩‍👧 🎯 中文，不要改。 \u0000 \u2028 ``` ~~~ ~~~~~ ` # - * > | obs:0123456789ab".split(
          " ",
        ),
        ..." |\n|\r\n|\r|\t|. |; ".split("|"),
        "## 📌 Archived Session Summary",
        "\n### 🎯 Objectives & Status\n",
        "</system-reminder>",
        "You must never do it. ",
        "请务必不要修改这个文件，",
        "漢字".repeat(200),
        "word ".repeat(80),
      ),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(""));
