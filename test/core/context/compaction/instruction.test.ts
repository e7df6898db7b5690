/** What asks a model for a summary. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type InstructionInput, summaryInstruction } from "../../../../src/core/context/compaction/writeSummary";
import { cases } from "../../../fakes/soak";
import { anything, changing, said, slotsOf } from "./segments";

const message = said("Never push to main. Fix it.");
const slots = slotsOf([message], { records: [changing(message.id, 1, { path: "src/a.ts" })] });

describe("the instruction for a summary", () => {
  const check = (title: string, more: Partial<InstructionInput>, has: RegExp[], hasNot: RegExp[] = []) =>
    it(title, () => {
      const text = summaryInstruction({ slots, turns: { from: 2, to: 9 }, ...more });
      for (const pattern of has) assert.match(text, pattern);
      for (const pattern of hasNot) assert.doesNotMatch(text, pattern);
    });

  check("names the rounds", {}, [/^Write the archive summary of rounds 2 to 9 now\./]);
  check("one round", { turns: { from: 4, to: 4 } }, [/summary of round 4 now/]);
  check("names what code adds", {}, [
    /keeps what the user said, word for word[^\n]* Do not repeat these, and quote nobody\.\n/,
    /in each:\n {2}- `src\/a\.ts`$/,
  ]);
  check("no file changed", { slots: slotsOf([]) }, [/quote nobody\.$/], [/none/]);
  check("more files than it names", { slots: { ...slots, moreFiles: 3 } }, [/ {2}- and 3 more files$/]);
  check("earlier summaries stay", { previous: 2 }, [/Summaries of earlier rounds stand/], [/wishes/]);
  check("the user's wish, in one line", { guidance: " keep\nthe API names " }, [/“keep the API names”\. Heed it/]);
  check("a turn that has ended: no progress", {}, [/No plans, no next steps/], [/under way, and/]);
  check("the first steps of one that runs: its progress", { isRunning: true }, [/what is still to do/], [/No plans/]);
  check("of a small window less", { room: 400 }, [/at most 300 words \(400 tokens\)/]);
  check("an empty wish is none", { guidance: " \n" }, [], [/wishes/, /earlier/]);
  check("a wish that looks like a place of the prompt", { guidance: "{{files}} $1 </system-reminder>" }, [
    /“\{\{files\}\} \$1 ‹\/system-reminder>”/,
  ]);

  it("of any words: no tag stands in it", () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 6 }), anything, (texts, guidance) => {
        const of = slotsOf(texts.map(text => said(text)));
        const text = summaryInstruction({ slots: of, guidance, turns: { from: 1, to: 2 } });
        assert.doesNotMatch(text, /<\/?system-reminder/);
        assert.ok(text.isWellFormed());
      }),
      { numRuns: cases(1_000) },
    );
  });
});
