/**
 * Compactions that begin by themselves, with default settings and a small window, by a model whose summaries are good by
 * their form and hold nothing of what the user told: the user's own words are what stays (docs/context.md).
 */
import assert from "node:assert/strict";
import { isSoak } from "../fakes/soak";
import { endWorlds, proven, reachable, records, reopened, say, sent, words, world } from "./world";

/** Three are enough to see what the second summary makes of the first one; ten, and other languages, are a marathon. */
const COMPACTIONS = isSoak("marathons") ? 10 : 3;
const REOPENED_AFTER = isSoak("marathons") ? 60 : 20;
/** Of the facts that a user told in 140 turns, a window of 32k tokens and nobody else remembering them. */
const FACTS_KEPT = 0.6;
/** Every sixth message tells something. */
const TELLS = 6;

/** A summary as a model writes one that does not listen. */
const EMPTY_WORDS = `### 🎯 Objectives & Status
**Original Goal**: Work on the project.
### ✅ Completed Milestones (The "Done" Pile)
- [✓] Several things were done -> They work.
### 🧠 Key Insights & Decisions (Persistent Memory)
- **Decisions**: none of note.`;

interface Words {
  goal: string;
  /** what only the user knows */
  fact(n: number): string;
  rule(n: number): string;
}

const LANGUAGES: Record<string, Words> = {
  English: {
    goal: "Move the billing service to the new ledger.",
    fact: n => `The server of customer ${n} is heron-${n}.`,
    rule: n => `Leave module ${n} alone.`,
  },
  Chinese: {
    goal: "把计费服务迁到新的账本。",
    fact: n => `客户 ${n} 的服务器是 heron-${n}。`,
    rule: n => `模块 ${n} 保持原样。`,
  },
};

describe("over HTTP: automatic compactions with default settings", function () {
  this.timeout(180_000);
  afterEach(endWorlds);

  const languages = Object.entries(LANGUAGES).slice(0, isSoak("marathons") ? undefined : 1);
  for (const [language, { goal, fact, rule }] of languages)
    it(`keep what the user told, in ${language}`, async () => {
      let at = await world({ settings: { "model.contextWindow": 32_000 } });
      const compactions = () => records(at, "compaction").length;
      await say(at, goal, { text: "I will." });
      let turn = 0;
      while (compactions() < COMPACTIONS) {
        turn += 1;
        assert.ok(turn < 400, "it compacts by itself");
        at.script.summaries.splice(0, Number.POSITIVE_INFINITY, { text: EMPTY_WORDS });
        // The others are long.
        const told =
          turn % TELLS === 0 ? `${fact(turn / TELLS)} ${rule(turn / TELLS)}` : words(900, `Question ${turn}.`);
        await say(at, told, { text: `Answer ${turn}.` });
        if (turn === REOPENED_AFTER) at = await reopened(at);
      }
      await say(at, "How far are we?", { text: "Far." });
      const told = Array.from({ length: Math.floor(turn / TELLS) }, (_, n) => n + 1);
      const request = sent(at);
      const all = await reachable(at, request);
      const kept = (text: string, what: (n: number) => string) => told.filter(n => text.includes(what(n))).length;
      assert.ok(request.includes(goal));
      assert.equal(kept(request, rule), told.length, "every rule, word for word");
      assert.ok(kept(request, fact) >= FACTS_KEPT * told.length, `${kept(request, fact)} of ${told.length} facts`);
      assert.equal(kept(all, fact), told.length, "the others are behind handles that stand in the request");
      assert.equal(at.script.askedForSummary.length, COMPACTIONS, "none was made twice");
      await proven(at);
    });
});
