/**
 * Which of the facts that a person told still stand in the request after 1, 3, 5 and 10 compactions, whoever summarises: a real
 * session on fakes; bundled by bench/survival.mjs.
 */
import { setImmediate } from "node:timers/promises";
import { createSession } from "../../src/core/agent/session/openSession";
import { world } from "../../test/fakes/agent";
import type { ScriptedAnswer } from "../../test/fakes/model";
import { explained, FACTS, type Fact, factful, filler, messageWith, named } from "./facts";

export { FACTS } from "./facts";

/** How the model writes its summaries. */
export const SUMMARISERS: Record<string, () => ScriptedAnswer> = {
  good: () => ({
    text: "### 🎯 Objectives & Status\n* **Objectives**: modules are settled one by one\n### ✅ Completed Milestones\n* [✓] the modules of these rounds - settled\n### 🧠 Key Insights & Decisions\n* **Decisions**: the rate is applied before rounding",
  }),
  lazy: () => ({ text: "### ✅ Completed Milestones\n* [✓] Some work was done." }),
  empty: () => ({ text: "" }),
  rubbish: () => ({ text: "lorem ipsum ".repeat(400) }),
  French: () => ({
    text: "### 🎯 Objectifs\n* Les modules sont réglés un par un.\n### ✅ Jalons\n* [✓] les modules de ces tours sont réglés",
  }),
  Chinese: () => ({ text: "### 🎯 目标\n* 逐个处理模块。\n### ✅ 已完成\n* [✓] 这些轮次的模块已处理" }),
  "calls tools": () => ({ calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] }),
  fails: () => ({ fail: { code: "auth", message: "The key was refused.", retryable: false } }),
  hangs: () => ({ hang: true }),
  "hangs half way": () => ({ text: "### 🎯 Objectives & Status\n* **Objectives**: modules are", hang: true }),
};

export interface Survival {
  /** after so many compactions: facts in the request, of all */
  after: Map<number, { kept: number; told: number; lost: string[] }>;
  /** tokens of the ledger in the newest request */
  ledgerTokens: number;
  /** what it costs a request that has it: a tenth where the request before had it too, else all of it */
  ledgerCost: number;
  compactions: number;
  /** requests for a summary: a model that fails or hangs is asked again */
  asked: number;
  turns: number;
  turnsApart: number;
}

/** ms by which the clock is moved on at a time */
const PATIENCE = 10_000;
/** of a turn */
const REQUESTS = 5;

/** What stands before the history. */
const ledgerOf = (prompt: readonly unknown[] = []): string =>
  prompt
    .map(message => JSON.stringify(message))
    .filter(text => text.includes("<earlier-words>"))
    .join("");

const MARKS = [1, 3, 5, 10];

export async function survival({
  wordy = false,
  window,
  language,
  summariser,
  alone = false,
}: {
  window: number;
  language: string;
  summariser: string;
  alone?: boolean;
  /** each request is a paragraph, and one stands before each fact; `names`: of those that name something; `concrete`: each has a fact of its own */
  wordy?: boolean | "names" | "concrete";
}): Promise<Survival> {
  const agent = world({
    settings: { "model.contextWindow": window, "permissions.runEverything": false },
    mode: "ask",
  });
  agent.models.reportsUsage = false;
  const session = await createSession(agent.ports);
  const facts = FACTS[language] ?? [];
  let compactions = 0;
  session.subscribe(event => {
    if (event.type === "record" && event.record.kind === "compaction") compactions += 1;
    if (event.type === "record" && event.record.kind === "question" && !event.record.answer)
      answer(event.record.questionId);
    if (event.type === "record" && event.record.kind === "approval" && !event.record.answer)
      deny(event.record.approvalId);
  });
  let words = "";
  const answer = (id: string) => queueMicrotask(() => session.reply(id, { action: "accept", words }));
  const deny = (id: string) => queueMicrotask(() => session.answer(id, { decision: "deny", scope: "once", words }));
  const after: Survival["after"] = new Map();
  let turns = 0;
  const cost = { tokens: 0, requests: 0, before: "" };
  const measureCost = () => {
    const ledger = ledgerOf(agent.models.requests.at(-1)?.prompt);
    if (ledger === "") return;
    // A compaction changes the summaries before it, so that all of it is new.
    const first = ledger === cost.before ? 0.1 : 1;
    cost.tokens += (ledger.length * (first + 0.1 * (REQUESTS - 1))) / 3;
    cost.requests += REQUESTS;
    cost.before = ledger;
  };
  const say = async (text: string, ...answers: ScriptedAnswer[]) => {
    turns += 1;
    agent.models.summaries.length = 0;
    for (let at = 0; at < 3; at++) agent.models.summaries.push(SUMMARISERS[summariser]?.() ?? {});
    agent.models.play(...answers);
    await session.submit(text);
    await idle();
    measureCost();
    const mark = MARKS.find(each => each === compactions && !after.has(each));
    if (mark !== undefined) after.set(mark, seen(facts.slice(0, told)));
  };
  /** While somebody waits for a summary that does not come, the clock moves on. */
  const idle = async () => {
    let isIdle = false;
    const ended = session.idle().finally(() => {
      isIdle = true;
    });
    while (!isIdle) {
      if (SUMMARISERS[summariser]?.().hang && agent.clock.waiting > 0) await agent.clock.advance(PATIENCE);
      await setImmediate();
    }
    await ended;
  };
  const seen = (all: readonly Fact[]) => {
    const request = JSON.stringify(agent.models.requests.at(-1)?.prompt ?? []);
    const lost = all.filter(({ needle }) => !request.includes(JSON.stringify(needle).slice(1, -1)));
    return { kept: all.length - lost.length, told: all.length, lost: lost.map(({ needle }) => needle) };
  };
  // So that a turn takes about a tenth of the window, or a twentieth where there is much to be said.
  const long = `Done. ${"word ".repeat(Math.round(window / (wordy ? 40 : 9)))}`;
  const ways = { names: named, concrete: factful } as const;
  const request = (at: number) =>
    typeof wordy === "string" ? ways[wordy](at) : wordy ? explained(at) : filler(at, language);
  let [said, told] = [0, 0];
  const go = (): Promise<void> => {
    said += 1;
    return say(request(said), { text: long });
  };
  for (const fact of facts) {
    if (wordy) await go();
    words = fact.text;
    told += 1;
    if (fact.how === "answer")
      await say(
        "Set the next thing up.",
        {
          calls: [
            {
              name: "AskUser",
              input: { questions: [{ question: "How?", options: [{ label: "A" }, { label: "B" }] }] },
            },
          ],
        },
        { text: "Noted." },
      );
    else if (fact.how === "denial")
      await say(
        "Clean up.",
        { calls: [{ name: "Bash", input: { command: `rm -rf old${turns}` } }] },
        { text: "I leave it." },
      );
    else await say(alone ? fact.text : messageWith(fact), { text: "Noted." });
  }
  for (let at = 0; compactions < 10 && at < 400; at++) await go();
  await session.close();
  return {
    after,
    compactions,
    asked: agent.models.summaryRequests.length,
    turns,
    ledgerTokens: Math.ceil(ledgerOf(agent.models.requests.at(-1)?.prompt).length / 3),
    ledgerCost: cost.tokens / Math.max(1, cost.requests),
    turnsApart: (turns - facts.length) / Math.max(1, compactions),
  };
}
