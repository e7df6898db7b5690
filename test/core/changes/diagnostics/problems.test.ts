import assert from "node:assert/strict";
import fc from "fast-check";
import { compareProblems } from "../../../../src/core/changes/diagnostics/problems";
import type { Problem } from "../../../../src/core/ground/ports";
import { problem } from "../../../fakes/diagnostics";
import { cases } from "../../../fakes/soak";

/** `problems` as "line message" */
const listed = (text: string, problems: readonly string[]) => ({
  text,
  problems: problems.map(spec => {
    const [line = "", ...words] = spec.split(" ");
    return problem(Number(line), words.join(" "));
  }),
});
const shown = (problems: readonly Problem[]) => problems.map(({ line, message }) => `${line} ${message}`);
const lines = (...texts: string[]) => texts.map(text => `${text}\n`).join("");

describe("problems that are new since an edit", () => {
  const check = (
    name: string,
    before: [text: string, ...problems: string[]],
    after: [text: string, ...problems: string[]],
    expected: { fresh?: string[]; gone?: string[] },
  ) =>
    it(name, () => {
      const [[from, ...old], [to, ...now]] = [before, after];
      const { fresh, gone } = compareProblems(listed(from, old), listed(to, now));
      assert.deepEqual({ fresh: shown(fresh), gone: shown(gone) }, { fresh: [], gone: [], ...expected });
    });

  const abc = lines("a", "b", "c");
  check("none", [abc], [lines("a", "B", "c")], {});
  check("one that the edit made", [abc], [lines("a", "B", "c"), "2 bad"], { fresh: ["2 bad"] });
  check("one elsewhere that it caused", [abc], [lines("A", "b", "c"), "3 no a"], { fresh: ["3 no a"] });
  check("one that stays where it was", [abc, "3 old"], [lines("A", "b", "c"), "3 old"], {});
  check("one that lines put in above move down", [abc, "3 old"], [lines("x", "y", "a", "b", "c"), "5 old"], {});
  check("one that lines taken out above move up", [abc, "3 old"], [lines("c"), "1 old"], {});
  check("the same words on another line are another problem", [abc, "1 bad"], [lines("a", "b", "C"), "3 bad"], {
    fresh: ["3 bad"],
    gone: ["1 bad"],
  });
  check("one on the edited line that is still there", [abc, "2 old"], [lines("a", "B", "c"), "2 old"], {});
  check("one on the edited line that is another now", [abc, "2 old"], [lines("a", "B", "c"), "2 bad"], {
    fresh: ["2 bad"],
    gone: ["2 old"],
  });
  check("one somewhere in replaced lines", [abc, "2 old"], [lines("a", "x", "y", "z", "c"), "4 old"], {});
  check("two on a line where one was", [abc, "2 bad"], [lines("A", "b", "c"), "2 bad", "2 bad"], { fresh: ["2 bad"] });
  check("one on a line where two were", [abc, "2 bad", "2 bad"], [lines("A", "b", "c"), "2 bad"], { gone: ["2 bad"] });
  check("gone with its line", [abc, "2 old"], [lines("a", "c")], { gone: ["2 old"] });
  check(
    "a line that was moved takes its problem along",
    [lines("bad line", "a", "b", "c"), "1 old"],
    [lines("a", "b", "c", "  bad line"), "4 old"],
    {},
  );
  check("behind the last line", [abc, "4 } expected"], [lines("a", "b", "c", "d"), "5 } expected"], {});
  check("in a text that was empty", ["", "1 empty"], [lines("a"), "1 bad"], { fresh: ["1 bad"], gone: ["1 empty"] });
  check("line ends do not count", ["a\r\nb\r\n", "2 old"], [lines("x", "a", "b"), "3 old"], {});
  check("the whole text replaced", [abc, "2 old", "3 gone"], [lines("x", "y"), "1 old", "2 bad"], {
    fresh: ["2 bad"],
    gone: ["3 gone"],
  });

  it("severity and code tell problems apart; the worst come first", () => {
    const before = { text: abc, problems: [problem(1, "m", { severity: "warning", code: "1" })] };
    const after = [
      problem(1, "m", { severity: "warning", code: "1" }),
      problem(1, "m", { severity: "warning", code: "2" }),
      problem(3, "m", { severity: "error" }),
      problem(1, "m", { severity: "info", code: "1" }),
      problem(2, "m", { severity: "error", column: 9 }),
      problem(2, "m", { severity: "error", column: 3 }),
    ];
    const { fresh } = compareProblems(before, { text: abc, problems: after });
    assert.deepEqual(
      fresh.map(({ severity, line, column, code }) => [severity, line, column, code ?? ""].join(" ")),
      ["error 2 3 ", "error 2 9 ", "error 3 1 ", "warning 1 1 2", "info 1 1 1"],
    );
  });
});

describe("problems that are new since an edit, any edit", () => {
  const RUNS = { numRuns: cases(2_000) };
  const counts = (messages: readonly string[]) => {
    const counted = new Map<string, number>();
    for (const message of messages) counted.set(message, (counted.get(message) ?? 0) + 1);
    return counted;
  };

  it("a checker that judges each line by itself: new is what there is more of, gone what there is less of", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "bad x", "bad y", "}"), { maxLength: 25 });
    const judged = (texts: readonly string[]) =>
      listed(
        lines(...texts),
        texts.flatMap((line, at) => (line.startsWith("bad") ? [`${at + 1} ${line}`] : [])),
      );
    fc.assert(
      fc.property(text, text, (from, to) => {
        const { fresh, gone } = compareProblems(judged(from), judged(to));
        for (const message of ["bad x", "bad y"]) {
          const [was, is] = [from, to].map(texts => texts.filter(line => line === message).length) as [number, number];
          assert.equal(fresh.filter(one => one.message === message).length, Math.max(0, is - was));
          assert.equal(gone.filter(one => one.message === message).length, Math.max(0, was - is));
        }
      }),
      RUNS,
    );
  });

  it("a checker that says what it likes: each line that stayed is compared with itself, each replaced run with its own", () => {
    // what happens to each line of the text: it stays, or goes; then the lines that come after it
    const step = fc.record({
      stays: fc.boolean(),
      was: fc.nat(2),
      is: fc.nat(2),
      added: fc.array(fc.nat(1), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), steps => {
        const from: string[] = [];
        const to: string[] = [];
        const old: string[] = [];
        const now: string[] = [];
        let [expectedNew, expectedGone, removed, added] = [0, 0, 0, 0];
        const closeRun = () => {
          expectedNew += Math.max(0, added - removed);
          expectedGone += Math.max(0, removed - added);
          [removed, added] = [0, 0];
        };
        const put = (side: string[], problems: string[], text: string, many: number) => {
          side.push(text);
          for (let one = 0; one < many; one += 1) problems.push(`${side.length} bad`);
        };
        for (const [at, { stays, was, is, added: more }] of steps.entries()) {
          put(from, old, `line ${at}`, was);
          if (stays) {
            closeRun();
            put(to, now, `line ${at}`, is);
            expectedNew += Math.max(0, is - was);
            expectedGone += Math.max(0, was - is);
          } else removed += was;
          for (const [index, many] of more.entries()) {
            put(to, now, `new ${at}.${index}`, many);
            added += many;
          }
        }
        closeRun();
        const { fresh, gone } = compareProblems(listed(lines(...from), old), listed(lines(...to), now));
        assert.deepEqual([fresh.length, gone.length], [expectedNew, expectedGone]);
        const all = counts(now);
        for (const [spec, many] of counts(shown(fresh))) assert.ok(many <= (all.get(spec) ?? 0), "nothing is made up");
      }),
      RUNS,
    );
  });
});
