/** The check before a summary is committed: what it must hold is in it, whatever a model wrote. */
import assert from "node:assert/strict";
import type { MemorySlots } from "../../../../src/core/context/compaction/memorySlots";
import { readSummary, type SummarySections } from "../../../../src/core/context/compaction/readSummary";
import { checkSummary, type SummaryAnswer } from "../../../../src/core/context/compaction/writeSummary";

const slots: MemorySlots = {
  ...{
    goal: "Round half up",
    files: [],
    moreFiles: [],
    environment: "linux",
  },
};
const sections = readSummary(
  "### ✅ Completed Milestones\n* [✓] Rounding - done, all tests pass now",
  "",
) as SummarySections;
const NOTHING = { summaries: [], words: "" };
const whole = "Round half up. Never use floats. linux.";

describe("the check of a summary", () => {
  const check = (what: string, compose: (given: SummaryAnswer) => string, expected: ReturnType<typeof checkSummary>) =>
    it(what, () => assert.deepEqual(checkSummary({ sections }, slots, NOTHING, compose), expected));

  check("lets a text pass that holds all", () => whole, { text: whole });
  check("takes the model's words out where they displaced something", given => (given.sections ? "linux" : whole), {
    text: whole,
    failure: {
      code: "unusable",
      message: "The model's summary could not be used: with it, this would have been lost (the original goal).",
    },
  });
  it("has nothing to ask where there are no words of a model", () => {
    const failure = { code: "timeout", message: "Late." } as const;
    assert.deepEqual(
      checkSummary({ failure }, slots, NOTHING, given => `${whole} ${given.failure?.failure}`),
      { text: `${whole} timeout`, failure },
    );
  });
});
