/** Compactions as people read them: before, and after. */
import assert from "node:assert/strict";
import { leftOutReport, planReport } from "../../../src/core/compaction/compactionReport";
import type { CompactionPlan } from "../../../src/core/compaction/plan";
import { takeSnapshot } from "../../../src/core/history/applyCompaction";
import { emptyConversation } from "../../../src/core/history/conversation";
import type { LoggedMessage } from "../../../src/shared/messages";
import type { LogRecord, RecordOf } from "../../../src/shared/records";
import { changing } from "./segments";

const plan: CompactionPlan = {
  items: [
    {
      turn: 1,
      messageIds: ["a"],
      title: "Fix | the [parser](x)",
      fate: "summarised",
      tokens: { before: 90_000, after: 0 },
    },
    { turn: 2, messageIds: ["b"], title: "", fate: "pinned", tokens: { before: 1_000, after: 1_000 } },
    { turn: 3, messageIds: ["c"], title: "Go on", fate: "folded", tokens: { before: 30_000, after: 9_000 } },
  ],
  removed: ["a"],
  folded: [{ messageId: "c", callId: "1" }],
  rounds: { summarised: 1, kept: 1, pinned: 1 },
  tokens: { before: 150_000, after: 40_000 },
};

describe("what a compaction would do", () => {
  it("says what happens to each round, and how to keep one", () => {
    assert.equal(
      planReport(plan, { window: 200_000, estimated: plan.tokens.before }),
      `# What a compaction would do now

A request takes 150k (75 % of the window) now and would take 40k (20 % of the window) after it.

- 1 turn would be summarised. Every message stays in the session's archive, where the model finds it with Recall, and Undo brings all of it back.
- 1 turn would stay, and 1 turn that you pinned.
- 1 observation of what stays would become one line each, with a handle to the whole.
- A turn that must stay word for word: pin it at its message in the panel.

| Turn | Round | What happens | Tokens now | Tokens after |
| ---: | --- | --- | ---: | ---: |
| 1 | Fix \\| the \\[parser\\](x) | is summarised | 90k | 0 |
| 2 | (no words) | stays, pinned | 1k | 1k |
| 3 | Go on | stays, observations become one line each | 30k | 9k |
| | **History** | | **121k** | **10k** |

The rows have no room for the summary in them; the request above has.
`,
    );
  });

  const check = (title: string, more: Partial<CompactionPlan>, expected: RegExp) =>
    it(title, () =>
      assert.match(planReport({ ...plan, ...more }, { window: 200_000, estimated: 2 * plan.tokens.before }), expected),
    );
  check(
    "that it is not needed",
    { unneeded: "There is nothing to compact." },
    /^# .*\n\n\*\*Nothing, for now\.\*\* There is nothing to compact\.\n/,
  );
  check("what to know of it", { warning: "Unpin some." }, /\n- \*\*Note:\*\* Unpin some\.\n/);
  check(
    "that no round goes",
    { rounds: { summarised: 0, kept: 3, pinned: 0 } },
    /\n\n- No turn would be summarised\.\n- 3 turns would stay\.\n/,
  );
  check("all in the provider's measure", { items: [] }, /takes 300k \(150 % of the window\) now and would take 80k/);
});

const message = (id: string, turn: number, role: "user" | "assistant", text: string): RecordOf<"message"> => ({
  ...{ kind: "message", id: `r.${id}`, seq: turn, ts: 0, parentId: null },
  message: {
    id,
    role,
    parts: [{ type: "text", text }],
    metadata: { ts: 0, turn, step: 0, runId: "run", kind: "normal" },
  } satisfies LoggedMessage,
});

const record: RecordOf<"compaction"> = {
  kind: "compaction",
  id: "x",
  seq: 9,
  ts: 0,
  reason: "manual",
  guidance: "keep the *names*",
  archive: "archive/0001.jsonl",
  removed: ["u1", "a1"],
  folded: [],
  summaries: [
    {
      ...{ id: "s", text: "## Summary\n~~~\nx\n~~~", sha256: "0", turns: { from: 1, to: 1 }, startTs: 0, cutoffTs: 0 },
      sourceRange: { fromId: "u1", toId: "a1", count: 2 },
    },
  ],
  tokens: { before: 150_000, after: 40_000 },
  rounds: { summarised: 1, kept: 10, pinned: 0 },
  durationMs: 5,
  snapshot: takeSnapshot(emptyConversation(), []),
};
const archived: LogRecord[] = [
  message("u1", 1, "user", "Fix <b>it</b> 🚀\r\nplease"),
  message("a1", 1, "assistant", "Done."),
  changing("a1", 1, { path: "a.ts" }),
  message("u2", 2, "user", "stays"),
  message("u1", 1, "user", "again, after an undo"),
];

describe("what a compaction left out", () => {
  it("the summary, and each round that went, once", () => {
    assert.equal(
      leftOutReport(record, archived, [
        { recordId: "r1", turn: 1, text: "Use *tabs*.", sight: "none", mark: "none" },
        { recordId: "r2", turn: 1, text: "Never push.", sight: "whole", mark: "pinned" },
      ]),
      `# What the compaction left out

History compacted: 150k → 40k tokens, 1 turn summarised, 10 kept. 1970-01-01T00:00Z, since you asked for it.

Your wish for the summary: keep the \\*names\\*

Nothing is lost: everything below is in the session's archive, and the model finds it with Recall, by words or by handle. To put it back into the model's view: **Undo** at the notice in the conversation. Every turn made since stays.

## What you said in turns that left

- **1 not in the model's view**
  - turn 1: Use \\*tabs\\*.
- **1 still in the model's view, word for word**
  - turn 1, pinned: Never push.

**Show What You Said** in the command palette pins words, and brings back what the model does not see.

## What the model reads instead

~~~~markdown
## Summary
~~~
x
~~~
~~~~

## The turns

### Turn 1

- **You**: Fix \\<b\\>it\\</b\\> 🚀 please
- **Strata**: Done.
  - Edit \`obs:6b86b273ff34\`

`,
    );
  });

  const check = (title: string, more: Partial<typeof record>, records: LogRecord[], expected: RegExp) =>
    it(title, () => assert.match(leftOutReport({ ...record, ...more }, records), expected));
  const entries = [{ recordId: "r1", turn: 1, pieces: [{ text: "Use ~~~ here." }] }];
  check(
    "what people said, as the model goes on reading it",
    { ledger: [{ id: "led1", turns: { from: 1, to: 1 }, entries, unsaid: 0, whole: [] }] },
    archived,
    /## What the model reads instead\n\n~~~~markdown\n## 💬 The User's Words.*\n.*\n\* turn 1: “Use ~~~ here\.”\n~~~~\n\n~~~~markdown\n## Summary/,
  );
  check(
    "of an archive that is missing, which",
    {},
    [],
    /The archive `archive\/0001\.jsonl` could not be read, or has none of these turns/,
  );
  check(
    "a failure in its own sentence",
    { failure: { code: "timeout", message: "It timed out." } },
    archived,
    /10 kept\. It timed out\. 1970/,
  );
  check("by itself", { reason: "threshold" }, archived, /since the model's window was nearly full\./);
});
