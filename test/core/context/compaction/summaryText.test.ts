/** The text of a summary: a head that code writes, and the model's words below it; and what becomes of too many summaries. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  archiveOldSummaries,
  composeSummary,
  isHandlesSummary,
} from "../../../../src/core/context/compaction/summaryText";
import { estimateTokens } from "../../../../src/core/ground/text/estimate";
import { toHandle } from "../../../../src/core/ground/text/format";
import { type Summary, summaryFailureSchema } from "../../../../src/shared/compaction";
import { hash } from "../../../fakes/hash";
import { FakeIds } from "../../../fakes/ids";
import { cases } from "../../../fakes/soak";
import { anything, changing, said, slotsOf } from "./segments";

const segment = () => {
  const messages = [said("Port the parser. Never push to main."), said("done", 1, "normal", "assistant")];
  const own = messages[1]?.id ?? "";
  const records = [
    changing(own, 1, { path: "src/a.ts", added: 40, created: true }, { path: "src/b.ts", removed: 1 }),
    changing(own, 2, { path: "src/a.ts", added: 2, removed: 1 }),
  ];
  return slotsOf(messages, { records, goal: "Port the parser." });
};

const HEAD = `* **Original Goal**: Port the parser.
* **Environment**: linux, bash; folder /ws/app; model gpt-x
*(Modified files in this archive segment)*
* \`src/b.ts\`: +1 −1, obs:6b86b273ff34
* \`src/a.ts\`: created, +42 −1 in 2 changes, obs:d4735e3a265e`;

describe("a summary's text", () => {
  it("has code's head, and below it the model's words as it wrote them", () => {
    const text = "### ✅ Completed Milestones\n* [✓] parser - obs:0123456789ab\n\nand *prose*, as it came";
    assert.equal(
      composeSummary({ slots: segment(), said: { text }, standing: [] }),
      `## 📌 Archived Session Summary\n${HEAD}\n\n${text}`,
    );
  });

  it("says why there are no words of a model", () => {
    assert.equal(
      composeSummary({ slots: segment(), said: { failure: "timeout" }, standing: [] }),
      `## 📌 Archived Session Summary\nSummary generation timed out, keeping recent history only.\n${HEAD}\n\nRecall finds these rounds by words.`,
    );
    for (const failure of summaryFailureSchema.options)
      assert.match(
        composeSummary({ slots: segment(), said: { failure }, standing: [] }),
        /^[A-Z][^!]*keeping recent history only\.$/m,
      );
  });

  it("has the goal, as it came, and the environment where no summary before it has them", () => {
    const slots = slotsOf([], { goal: "one\ntwo" });
    const behind = (...standing: string[]) => composeSummary({ slots, said: { text: "Done it." }, standing });
    const first = behind();
    assert.match(first, /^\* \*\*Original Goal\*\*:\n~~~\none\ntwo\n~~~$/m);
    assert.doesNotMatch(behind(first, "Another."), /Original Goal|Environment/);
    // An older version may have said so, and its ledger was shortened since.
    const older = first.replace(
      /\*\*Original Goal\*\*:\n~~~[^~]*~~~/,
      "**Original Goal**: as in the user's first words",
    );
    assert.match(behind(older), /\none\ntwo\n/);
    assert.doesNotMatch(behind(older), /Environment/);
    assert.match(behind(first.replace(/model \S+$/m, "model other")), /Environment/);
  });

  it("has no heading of Strata's own but the first, whatever a model writes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anything, fc.constantFrom("## 💬 The User's Words", " # 📌 Archived", "❓")), {
          maxLength: 8,
        }),
        lines => {
          const text = composeSummary({ slots: slotsOf([]), said: { text: lines.join("\n") }, standing: [] });
          assert.equal(text.match(/^[ \t]*#+[ \t]*(?:📌|💬|❓)/gmu)?.length, 1, text);
        },
      ),
      { numRuns: cases(1_000) },
    );
  });
});

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
const archive = (summaries: readonly Summary[], window: number) =>
  archiveOldSummaries({ summaries, window, hash, ids: new FakeIds(), memory: MEMORY });
const of = (turn: number, tokens: number) => summary(turn, `${turn} ${"abc".repeat(tokens - 2)}`);

describe("summaries that are too many", () => {
  const check = (title: string, sizes: number[], window: number, expected: string) =>
    it(title, () => {
      const stand = archive(
        sizes.map((tokens, at) => of(at * 2 + 1, tokens)),
        window,
      );
      assert.equal(stand.map(one => (isHandlesSummary(one) ? "handles" : String(one.turns.from))).join(" "), expected);
    });
  check("the oldest go", [500, 500, 500, 500], 10_000, "handles 5 7");
  check("no more than have to", [1_000, 300, 300], 10_000, "handles 3 5");
  check("the newest stays, however long it is", [500, 500, 5_000], 10_000, "handles 5");
  check("what would not save anything is not done", [20, 5_000], 10_000, "1 3");

  it("their place: goal, environment, and a handle each", () => {
    const [first, ...others] = archive([of(1, 900), of(3, 900), of(5, 900)], 10_000);
    assert.equal(others.length, 1);
    assert.equal(
      first?.text,
      `## 📌 Archived Session Summaries (handles)
*(Recall {"handle":"obs:…"} gives each whole)*
* **Original Goal**: The first goal
* **Environment**: linux, bash
* turns 1 to 2: ${toHandle(of(1, 900).sha256)}
* turns 3 to 4: ${toHandle(of(3, 900).sha256)}`,
    );
    assert.deepEqual([first?.turns, first?.sourceRange.count], [{ from: 1, to: 4 }, 4]);
  });

  it("after a hundred compactions each stands, or is behind a handle that does, in little room", () => {
    let standing: Summary[] = [];
    const texts = new Map<string, string>();
    for (let at = 0; at < 100; at++) {
      standing = archive([...standing, of(2 * at + 1, 900)], 20_000);
      for (const { text, sha256 } of standing) texts.set(toHandle(sha256), text);
    }
    assert.ok(standing.reduce((tokens, { text }) => tokens + estimateTokens(text), 0) <= 3_000);
    const found = new Set<string>();
    const follow = (text: string) => {
      for (const [handle] of text.matchAll(/obs:[0-9a-f]{12}/g)) {
        found.add(handle);
        follow(texts.get(handle) ?? "");
      }
    };
    for (const { text } of standing) follow(text);
    const all = Array.from({ length: 100 }, (_, at) => of(2 * at + 1, 900));
    const isIn = (each: Summary) => standing.some(({ id }) => id === each.id) || found.has(toHandle(each.sha256));
    assert.ok(all.every(isIn));
  });
});
