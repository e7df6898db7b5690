/** Summaries that have become too many go behind handles; ten compactions in a row lose no memory. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { MemorySlots } from "../../../../src/core/context/compaction/memorySlots";
import { archiveOldSummaries, isHandlesSummary } from "../../../../src/core/context/compaction/oldSummaries";
import { readSummary, type SummarySections } from "../../../../src/core/context/compaction/readSummary";
import { composeSummary, missingSlots } from "../../../../src/core/context/compaction/summaryText";
import { estimateTokens } from "../../../../src/core/ground/text/estimate";
import { toHandle } from "../../../../src/core/ground/text/format";
import type { Summary } from "../../../../src/shared/compaction";
import { hash } from "../../../fakes/hash";
import { FakeIds } from "../../../fakes/ids";
import { cases } from "../../../fakes/soak";
import { anything, changing, said, slotsOf } from "./segments";

const summary = (turn: number, text: string): Summary => ({
  id: `sum${turn}`,
  text,
  sha256: hash.sha256(text),
  turns: { from: turn, to: turn + 1 },
  sourceRange: { fromId: `m${turn}`, toId: `m${turn + 1}`, count: 2 },
  startTs: turn * 60_000,
  cutoffTs: (turn + 1) * 60_000,
});

const MEMORY = { goal: "The first goal", environment: "linux, bash" };
const archive = (summaries: readonly Summary[], window: number, words = "") =>
  archiveOldSummaries({ summaries, window, estimate: estimateTokens, hash, ids: new FakeIds(), memory: MEMORY, words });

const sum = (all: readonly Summary[]) => all.reduce((tokens, { text }) => tokens + estimateTokens(text), 0);
const of = (turn: number, tokens: number) => summary(turn, `${turn} ${"abc".repeat(tokens - 2)}`);

describe("summaries that are too many", () => {
  const check = (title: string, sizes: number[], window: number, expected: string) =>
    it(title, () => {
      const given = sizes.map((tokens, at) => of(at * 2 + 1, tokens));
      const stand = archive(given, window);
      assert.equal(stand.map(one => (isHandlesSummary(one) ? "handles" : String(one.turns.from))).join(" "), expected);
      assert.deepEqual(
        stand.slice(isHandlesSummary(stand[0] ?? of(1, 9)) ? 1 : 0),
        given.slice(given.length - stand.length + (expected.startsWith("handles") ? 1 : 0)),
      );
    });

  check("none", [], 10_000, "");
  check("with room, all stay", [500, 500, 500], 10_000, "1 3 5");
  check("the oldest go", [500, 500, 500, 500], 10_000, "handles 5 7");
  check("no more than have to", [1_000, 300, 300], 10_000, "handles 3 5");
  check("the newest stays, however long it is", [500, 500, 5_000], 10_000, "handles 5");
  check("one alone stays", [5_000], 10_000, "1");
  check("what would not save anything is not done", [20, 5_000], 10_000, "1 3");

  const INSIGHTS = `### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**: half up, since floats lie
* **Learnings**:
  * depth 200
    more of it
  * CRLF is one
* **User Preferences**: short answers`;

  it("their place: handles, range, what was decided and learnt; no time, and the goal where no words of the user have it", () => {
    const text = `${"abc".repeat(800)}\n\n${INSIGHTS}\n\n### 📂 File System State (Snapshot)\n* (none)`;
    const [first, ...others] = archive([summary(1, text), of(3, 900), of(5, 900)], 10_000);
    assert.equal(others.length, 1);
    assert.equal(
      first?.text,
      `## 📌 Archived Session Summaries (handles)
*(Recall {"handle":"obs:…"} gives each whole)*
* **Original Goal**: The first goal
* **Environment**: linux, bash
* turns 1 to 2: ${toHandle(hash.sha256(text))}
* turns 3 to 4: ${toHandle(of(3, 900).sha256)}

### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**:
  * half up, since floats lie
* **Learnings**:
  * depth 200
    more of it
  * CRLF is one
* **User Preferences**:
  * short answers`,
    );
    assert.deepEqual(
      { ...first, text: "" },
      {
        id: "sum_2",
        text: "",
        sha256: hash.sha256(first?.text ?? ""),
        turns: { from: 1, to: 4 },
        sourceRange: { fromId: "m1", toId: "m4", count: 4 },
        startTs: 60_000,
        cutoffTs: 240_000,
      },
    );
    const [beside] = archive([summary(1, text), of(3, 900), of(5, 900)], 10_000, "* turn 1: “The first goal”");
    assert.doesNotMatch(beside?.text ?? "", /The first goal/);
  });

  it("what was decided is carried on and on, each once, the newest first where room is short", () => {
    const decided = (at: number) =>
      `### 🧠 Key Insights & Decisions (Persistent Memory)\n* **Decisions**: choice ${at} ${"x".repeat(200)}`;
    let standing: Summary[] = [];
    for (let at = 0; at < 30; at += 1)
      standing = archive([...standing, summary(at * 2 + 1, `${"abc".repeat(200)}\n\n${decided(at)}`)], 8_000);
    const kept = [...(standing[0]?.text ?? "").matchAll(/ {2}\* choice (\d+) /g)].map(([, at]) => Number(at));
    assert.ok(kept.length >= 5, `${kept}`);
    assert.deepEqual(
      kept,
      [...new Set(kept)].sort((a, b) => a - b),
    );
    assert.equal(kept.at(-1), 29 - (standing.length - 1));
  });

  it("many decisions leave room for what was learnt, and the other way round", () => {
    for (const [many, few] of [
      ["Decisions", "Learnings"],
      ["Learnings", "Decisions"],
    ]) {
      const text = (at: number) => {
        const items = Array.from({ length: 8 }, (_, item) => `  * choice ${at}.${item} ${"x".repeat(90)}`);
        const own = `* **${few}**: CRLF is ${at}`;
        return `${"abc".repeat(200)}\n\n### 🧠 Key Insights & Decisions (Persistent Memory)\n* **${many}**:\n${items.join("\n")}\n${own}`;
      };
      let standing: Summary[] = [];
      for (let at = 0; at < 12; at += 1) standing = archive([...standing, summary(at * 2 + 1, text(at))], 16_000);
      const shown = standing.map(each => each.text).join("\n");
      assert.equal(shown.match(/CRLF is/g)?.length, 12, `${many}`);
    }
  });

  it("what was decided is not looked for in a goal that is a summary itself", () => {
    const heading = "### 🧠 Key Insights & Decisions (Persistent Memory)";
    const text = `### 🎯 Objectives & Status\n* **Original Goal**:\n~~~\n${heading}\n* **Decisions**: old\n~~~\n\n${"abc".repeat(800)}\n\n${heading}\n* **Decisions**: new`;
    const [first] = archive([summary(1, text), of(3, 900), of(5, 900)], 10_000);
    assert.match(first?.text ?? "", /^ {2}\* new$/m);
    assert.doesNotMatch(first?.text ?? "", /^ {2}\* old$/m);
  });

  it("a gist stands beside each handle: what was done, or what it was about", () => {
    const done = `### ✅ Completed Milestones (The "Done" Pile)\n* [✓] Rounding - half up\n* [✓] Parsing\n\n${"abc".repeat(900)}`;
    const about = `### 🎯 Objectives & Status\n* **Original Goal**: x\n* **Objectives**: Port the lexer\n\n${"abc".repeat(900)}`;
    const [first] = archive([summary(1, done), summary(3, about), of(5, 900)], 10_000);
    assert.match(first?.text ?? "", /^\* turns 1 to 2: obs:[0-9a-f]{12} – Rounding - half up; Parsing$/m);
    assert.match(first?.text ?? "", /^\* turns 3 to 4: obs:[0-9a-f]{12} – Port the lexer$/m);
  });

  it("handles are carried on; too many of them go behind one", () => {
    let standing: Summary[] = [];
    const before: string[] = [];
    for (let at = 0; at < 60; at += 1) {
      standing = archive([...standing, of(at * 2 + 1, 400)], 6_000);
      before.push(standing[0]?.text ?? "");
      assert.ok(sum(standing) <= 900);
    }
    assert.match(before[3] ?? "", /turns 1 to 2: obs:.*\n\* turns 3 to 4: obs:/);
    assert.match(before.at(-1) ?? "", /\* turns 1 to \d+, a list of summaries: obs:/);
  });
});

/** All that can be reached from what stands: its text, and what is behind its handles, and theirs. */
function reachable(standing: readonly Summary[], made: ReadonlyMap<string, string>): string[] {
  const texts = standing.map(({ text }) => text);
  const seen = new Set<string>();
  for (const text of texts) {
    for (const handle of text.match(/obs:[0-9a-f]{12}/g) ?? []) {
      const behind = made.get(handle);
      if (behind === undefined || seen.has(handle)) continue;
      seen.add(handle);
      texts.push(behind);
    }
  }
  return texts;
}

interface Segment {
  slots: MemorySlots;
  sections: SummarySections | undefined;
}

function assertReachable(
  standing: readonly Summary[],
  made: ReadonlyMap<string, string>,
  segments: readonly Segment[],
) {
  const texts = reachable(standing, made);
  for (const { slots } of segments)
    assert.ok(texts.some(text => missingSlots({ summaries: [text], words: "" }, slots).length === 0));
}

/** Compacts one segment after the other; from the one numbered `from` on, all memory is within reach after each. */
function compactAll(segments: readonly Segment[], window: number, from = 0): Summary[] {
  const made = new Map<string, string>();
  let standing: Summary[] = [];
  for (const [at, { slots, sections }] of segments.entries()) {
    const text = composeSummary({ slots, sections });
    standing = archive([...standing, summary(at * 2 + 1, text)], window);
    for (const one of [...standing, summary(at * 2 + 1, text)]) made.set(toHandle(one.sha256), one.text);
    if (at >= from) assertReachable(standing, made, segments.slice(0, at + 1));
  }
  return standing;
}

const segmentOf = (at: number, words: readonly string[], answer: string): Segment => {
  const messages = words.map((text, round) => said(text, at * 10 + round));
  const records = words.map((_, round) =>
    changing(messages[round]?.id ?? "", round, { path: `src/s${at}/f${round}.ts` }),
  );
  const read = readSummary(answer, "");
  return { slots: slotsOf(messages, { records, goal: "The first goal" }), sections: "why" in read ? undefined : read };
};

describe("ten compactions in a row", () => {
  const segments = Array.from({ length: 10 }, (_, at) =>
    segmentOf(
      at,
      Array.from(
        { length: 10 },
        (_, round) => `Do task ${round}. You must never break rule ${at}.${round}. 不要改文件${at}。`,
      ),
      `### ✅ Completed Milestones\n${`* task ${at} is finished\n`.repeat(30)}`,
    ),
  );

  for (const window of [200_000, 32_000, 8_000, 1_000]) {
    it(`a window of ${window}: every slot of each stands in the request or behind a handle in it`, () => {
      const standing = compactAll(segments, window);
      assert.equal(standing.length === 10, window >= 32_000);
      assert.ok(sum(standing.slice(0, -1)) <= 0.15 * window || standing.length <= 2);
    });
  }

  it("whatever users and models write", () => {
    const segment = fc.record({ words: fc.array(anything, { maxLength: 3 }), answer: anything });
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 2, maxLength: 10 }),
        fc.integer({ min: 500, max: 40_000 }),
        (given, window) => {
          const all = given.map(({ words, answer }, at) => segmentOf(at, words, answer));
          compactAll(all, window, all.length - 1);
        },
      ),
      { numRuns: cases(1_000) },
    );
  });
});
