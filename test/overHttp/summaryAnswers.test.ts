/** Whatever the model that writes a summary does, over real HTTP: the compaction ends, and what code extracts stands in it. */
import assert from "node:assert/strict";
import type { OfflineAnswer } from "../../scripts/offline-model/server.mjs";
import type { SummaryFailure } from "../../src/shared/compaction";
import { soak } from "../fakes/soak";
import { endWorlds, newest, proven, say, sent, type World, words, world } from "./world";

const headed = (learning: string) => `### 🎯 Objectives & Status
* **Objectives**: rounding was repaired
### 🏗️ Technical Context (Static)
* **Stack**: TypeScript
### ✅ Completed Milestones (The "Done" Pile)
* [✓] rounding - all tests pass
### 🧠 Key Insights & Decisions (Persistent Memory)
* **Learnings**: ${learning}
### 📂 File System State (Snapshot)
* \`src/a.ts\`: rounds half up`;

/** A rule of the user and a changed file, a good deal of text, and a third round that stays. */
async function conversation(): Promise<World> {
  const at = await world({
    settings: { "history.keepRounds": 1, "context.memory": "plain" as const },
    files: { "src/a.ts": words(400, "floor") },
  });
  const edit = { file_path: "src/a.ts", old_string: "floor", new_string: "round" };
  await say(
    at,
    "Repair the rounding. Always answer in English.",
    { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
    { calls: [{ name: "Edit", input: edit }] },
    { text: "Repaired." },
  );
  await say(at, words(4500, "Question 2."), { text: "Answer 2." });
  await say(at, "Question 3.", { text: "Answer 3." });
  return at;
}

async function compacted(...answers: OfflineAnswer[]): Promise<{ at: World; text: string; asked: number }> {
  const at = await conversation();
  at.script.summaries.push(...answers);
  await at.session.compaction.compact();
  const text = newest(at, "compaction").summaries.at(-1)?.text ?? "";
  const asked = at.script.askedForSummary.length;
  for (const slot of [/\*\*Original Goal\*\*:/, /`src\/a\.ts`: \+1 −1, obs:[0-9a-f]{12}/, /\*\*Environment\*\*: linux/])
    assert.match(text, slot);
  assert.match(JSON.stringify(newest(at, "compaction").ledger), /Always answer in English\./);
  assert.doesNotMatch(text, /\(none\)|T\d\d:\d\dZ/);
  assert.ok(text.length < 24_000, `${text.length} characters`);
  await say(at, "Next.", { text: "Yes." });
  assert.ok(sent(at).includes(text));
  assert.equal(newest(at, "turnEnd").reason, "done");
  await proven(at);
  return { at, text, asked };
}

const thrice = (answer: OfflineAnswer): OfflineAnswer[] => Array.from({ length: 3 }, () => answer);
const read = { name: "Read", input: { file_path: "src/a.ts" } };

describe("over HTTP: the model that writes the summary", () => {
  afterEach(endWorlds);

  describe("gives none: code's words stand alone, and the failure says why", () => {
    const check = (name: string, answers: OfflineAnswer[], code: SummaryFailure, asked: number) =>
      it(name, async () => {
        const result = await compacted(...answers);
        assert.equal(newest(result.at, "compaction").failure?.code, code);
        assert.equal(result.asked, asked);
        assert.match(result.text, /keeping recent history only\./);
      });
    check("it is empty", Array(6).fill({ text: "" }), "failed", 6);
    soak("marathons", () => check("it calls tools and nothing else", thrice({ calls: [read, read] }), "unusable", 3));
    check("it goes on with the task", thrice({ text: "Sure, I will read the file first." }), "unusable", 3);
    check("the server fails", Array(5).fill({ fault: "500" }), "failed", 5);
    soak("marathons", () => check("a key that is wrong", [{ fault: "401" }], "failed", 1));
    check("too long for it, whatever is folded", thrice({ fault: "context-length" }), "failed", 2);
    soak("marathons", () =>
      check("headings without a word", thrice({ text: headed("").replace(/^[^#].*$/gm, "* ") }), "unusable", 3),
    );
  });

  describe("gives a bad one at first: it is asked again", () => {
    const check = (name: string, ...answers: OfflineAnswer[]) =>
      it(name, async () => {
        const result = await compacted(...answers, { text: headed("floats lie") });
        assert.equal(newest(result.at, "compaction").failure, undefined);
        assert.equal(result.asked, answers.length + 1);
        assert.match(result.text, /\*\*Learnings\*\*: floats lie/);
      });
    check("cut off at the limit", { text: headed("half").slice(0, 300), finishReason: "length" });
    check("a connection that is cut in the middle", { text: headed("half"), fault: "cut" });
    soak("marathons", () => check("garbage in the stream", { text: headed("half"), fault: "garbage" }));
    soak("marathons", () => check("a call, and no words", { calls: [read] }));
    check("a request that is too long until outputs are folded", { fault: "context-length" });
  });

  describe("gives an odd one: what can be used is used", () => {
    const check = (name: string, answer: OfflineAnswer, expected: RegExp, without?: RegExp) =>
      it(name, async () => {
        const result = await compacted(answer);
        assert.equal(newest(result.at, "compaction").failure, undefined);
        assert.equal(result.asked, 1);
        assert.match(result.text, expected);
        if (without) assert.doesNotMatch(result.text, without);
      });
    const long = Array.from({ length: 5_000 }, (_, at) => `word${at}`).join(" ");
    check("too long", { text: headed(`floats lie ${long}`) }, /floats lie/);
    check(
      "another language",
      {
        text: "### 🎯 目标与状态\n* **目标**: 修复舍入\n### 🧠 关键见解\n* **决定**: 四舍五入\n* **经验**: 浮点数不准\n* **偏好**: 简短",
      },
      /修复舍入[\s\S]*浮点数不准/,
    );
    check(
      "no headings",
      { text: `The rounding was repaired. ${long.slice(0, 500)}` },
      /^The rounding was repaired\. word0/m,
    );
    soak("marathons", () =>
      check("a call beside the words", { text: headed("floats lie"), calls: [read] }, /floats lie/),
    );
    check(
      "thinking before the words",
      { reasoning: "Hm.", text: `<think>Hm.</think>\n${headed("floats lie")}` },
      /floats lie/,
      /Hm\./,
    );
    soak("marathons", () =>
      check("lone surrogates and NUL", { text: headed("floats \ud800 lie \u0000 \udc00") }, /floats .* lie/),
    );
  });

  it("repeats the prompt: its lines are no summary", async () => {
    const at = await conversation();
    at.script.answer = (answer => request => {
      const asked = request.messages.at(-1)?.text ?? "";
      return asked.includes("Write the archive summary") ? { text: asked } : answer(request);
    })(at.script.answer);
    await at.session.compaction.compact();
    const { failure } = newest(at, "compaction");
    assert.match(failure?.message ?? "", /repeated the instruction/);
    await proven(at);
  });
});
