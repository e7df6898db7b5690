/** Pictures of compactions, their marks, and pins (test/out/panel-*.png). */
import { pictures } from "./look";
import { fixed } from "./scenes";
import { Script, snapshot, surroundings } from "./script";

const title = "Fix the failing invoice test";
const context = { tokens: 148_000, window: 200_000, ratio: 1.04 };
const base = { title, surroundings, context };
const rounds = { summarised: 12, kept: 10, pinned: 1 };

const full = (changes = {}) => snapshot({ ...base, records: fixed().records, ...changes });
const compacting = (script: Script) => {
  script.state("running").compaction("planning", { reason: "manual" });
  script.compaction("summarising", { reason: "manual", rounds });
  return script.pending("p1", "added", "steer", "then update the changelog");
};

function compacted(): Script {
  const guidance = "keep the names of the customers";
  return fixed()
    .compacted(12, { rounds: { ...rounds, kept: 6 }, reason: "manual", guidance })
    .user("and now the changelog");
}

function undone(): Script {
  const script = fixed().compacted(0, { rounds, tokens: { before: 171_000, after: 62_000 } });
  script.compacted(0, {
    rounds: { summarised: 3, kept: 8, pinned: 0 },
    failure: { code: "timeout", message: "Summary generation timed out, keeping recent history only." },
  });
  return script.record({ kind: "undo", compactionId: script.records.at(-1)?.id ?? "" });
}

function paid(): Script {
  const error = {
    code: "max-cost-turn",
    message: "This turn has cost $2.04 so far; the limit is $2.00.",
    actions: ["continue" as const],
  };
  const script = new Script().user("fix the totals").answer("r", "They add up now.");
  script.end("done", undefined, { cost: 0.1234, input: 52_000, cachedInput: 41_000 });
  return script.user("and the changelog").answer("s", "Reading all of it.").end("limit", error, { cost: 2.04 });
}

describe("panel: how the context looks", function () {
  this.timeout(120_000);
  const width = 300;
  pictures({
    "a compaction under way": [
      { width, snapshot: full() },
      async panel => {
        const script = fixed();
        script.take();
        await panel.play(compacting(script).take());
      },
    ],
    "a compaction's mark that is open": [
      { width, snapshot: full({ records: compacted().records }) },
      async panel => {
        await panel.page.getByRole("button", { name: /^History compacted/ }).click();
        await panel.page.locator(".mark-summary").scrollIntoViewIfNeeded();
      },
    ],
    "a mark that was undone, and one that timed out": [{ width, snapshot: full({ records: undone().records }) }],
    "what it cost": [{ width, snapshot: full({ records: paid().records }) }],
    "a full context, a command being typed, a pointer on a message, sessions that take too much": [
      {
        snapshot: full({
          records: new Script()
            .user("fix the totals")
            .answer("r", "They add up now.")
            .end("done")
            .user("and now the changelog\nof all three packages").records,
          pins: [1],
          context: { ...context, tokens: 191_000 },
          surroundings: { ...base.surroundings, storage: { bytes: 2_340_000_000, maxBytes: 2_000_000_000 } },
        }),
      },
      async panel => {
        await panel.composer.fill("/comp");
        await panel.page.locator(".user").last().hover();
      },
    ],
  });
});
