/** Conversations that take so many tokens, for what happens when they take too many. */
import { runTurn, start, type WorldOptions } from "./agent";
import type { ScriptedAnswer } from "./model";

/** Words that take about so many tokens. */
export const words = (tokens: number, mark: string) => `${mark} ${"word ".repeat(Math.ceil((tokens * 3) / 5))}`;

export const settings = { "model.contextWindow": 40_000, "history.keepRounds": 2, "context.memory": "plain" as const };

/** "Question 1.", "Answer 1. word word …" and so on, in a window of 40,000; the server counts nothing. */
export async function conversation(turns: number, tokens: number, options: WorldOptions = {}) {
  const agent = await start({ ...options, settings: { ...settings, ...options.settings } });
  agent.models.reportsUsage = false;
  for (let turn = 1; turn <= turns; turn++)
    await say(agent, `Question ${turn}.`, { text: words(tokens, `Answer ${turn}.`) });
  return agent;
}
export type Agent = Awaited<ReturnType<typeof conversation>>;

/** Resolves when the turn, and what it set off, has ended. */
export async function say({ session, models }: Agent, text: string, ...answers: ScriptedAnswer[]) {
  models.play(...answers);
  await runTurn(session, text);
}

/** What a model writes of the rounds that a compaction takes away. */
export const SUMMARY = `## 📌 Archived Session Summary
### 🎯 Objectives & Status
* Rounding was looked at.
### 🏗️ Technical Context (Static)
* **Stack**: TypeScript
### ✅ Completed Milestones (The "Done" Pile)
* [✓] Rounding - done
### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**: round half up
* **Learnings**: floats lie
* **User Preferences**: short answers
`;
