/** Compactions as lines in the terminal. */
import assert from "node:assert/strict";
import type { AgentEvent, AgentEventOf } from "../../src/shared/events";
import type { RecordOf } from "../../src/shared/records";
import { tickingPrinter } from "./printed";

type Progress = AgentEventOf<"compaction">;

function printer() {
  const { print, ...rest } = tickingPrinter();
  const tell = (phase: Progress["phase"], more: Partial<Progress> = {}) =>
    print({
      ...{ type: "compaction", phase, reason: "manual", startedAt: 1_000_000, tokens: { before: 148_000 } },
      ...more,
    });
  return { print, tell, ...rest };
}

const rounds = { summarised: 12, kept: 10, pinned: 0 };
const record: RecordOf<"compaction"> = {
  ...{ kind: "compaction", id: "r1", seq: 9, ts: 1, reason: "manual", removed: [], folded: [], summaries: [] },
  ...{ archive: "archive/0001.jsonl", tokens: { before: 148_000, after: 41_000 }, rounds, durationMs: 1 },
  snapshot: {
    ...{ title: "", turn: 1, turnOpen: false, runId: "", step: 0, todos: [], pending: [], stamps: {}, grants: [] },
    ...{ pins: [], fingerprints: [], nestedRules: [], changed: [], goal: "" },
  },
};
const recordEvent = (): AgentEvent => ({ type: "record", record });

describe("a compaction in the terminal", () => {
  it("is told step by step, with the time that the summary takes, and in the end what stayed", async () => {
    const { print, pass, tell, texts, ticking } = printer();
    tell("planning");
    tell("summarising", { rounds });
    await pass(10_000);
    await pass(10_000);
    await pass(2_300);
    tell("checking", { rounds });
    tell("committing", { rounds });
    print(recordEvent());
    tell("done", { rounds, tokens: { before: 148_000, after: 41_000 } });
    assert.equal(ticking(), 0);
    assert.equal(texts.out, "");
    assert.deepEqual(texts.err.split("\n"), [
      "· Compacting history. Ctrl+C cancels it: history stays as it is.",
      "· Summarising, 10 s",
      "· Summarising, 20 s",
      "· History compacted: 148k → 41k tokens, 12 turns summarised, 10 kept, as you asked.",
      "  Kept: turn 1, the newest.",
      "",
    ]);
  });

  const check = (name: string, tellAll: (at: ReturnType<typeof printer>) => void, expected: string[]) =>
    it(name, () => {
      const at = printer();
      tellAll(at);
      assert.deepEqual(at.texts.err.trim().split("\n"), expected);
      assert.equal(at.ticking(), 0);
    });
  check("failed", ({ tell }) => tell("failed", { message: "The disk is full." }), [
    "! The compaction failed, and history stays as it was. The disk is full.",
  ]);
  check("unneeded", ({ tell }) => tell("unneeded", { message: "There is nothing to gain." }), [
    "· Nothing was compacted. There is nothing to gain.",
  ]);
  check(
    "without a summary: only outputs were folded, though a compaction before had a record",
    ({ tell, print }) => {
      print(recordEvent());
      tell("planning");
      tell("done", { message: "Only tool outputs were folded." });
    },
    [
      "· History compacted: 148k → 41k tokens, 12 turns summarised, 10 kept, as you asked.",
      "  Kept: turn 1, the newest.",
      "· Compacting history. Ctrl+C cancels it: history stays as it is.",
      "· Only tool outputs were folded.",
    ],
  );
  check(
    "a session that started afresh: in words for the terminal, which has no composer and no button",
    ({ print }) =>
      print({
        type: "record",
        record: {
          ...{
            kind: "turnEnd",
            id: "r",
            seq: 1,
            ts: 1,
            turn: 1,
            runId: "run",
            reason: "error",
            steps: 1,
            toolCalls: 0,
          },
          ...{ toolFailures: 0, usage: { input: 1, output: 1, cachedInput: 0 }, durationMs: 1000 },
          error: { code: "context-reset", message: "… in the composer again", actions: [] },
        },
      }),
    [
      "! The model's server refused the conversation as too long, so Strata set it aside. Nothing is lost: strata compact ID undo brings it back. Send your message again to go on without it.",
      "(1 step, 0 tool calls, 1 token in, 1 out, 1.0 s)",
    ],
  );
});
