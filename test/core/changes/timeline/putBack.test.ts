import assert from "node:assert/strict";
import fc from "fast-check";
import type { PutBackStep } from "../../../../src/core/changes/timeline/putBack";
import { editsBetween, putAllBack, refusalWords, staysWords } from "../../../../src/core/changes/timeline/putBack";
import type { TextEdit } from "../../../../src/core/ground/ports";
import { withEdits } from "../../../../src/core/ground/ports/files";

const lines = (...texts: string[]) => texts.map(text => `${text}\n`).join("");
const BEFORE = lines("a", "b", "c", "d", "e", "f", "g", "h");
const AFTER = BEFORE.replace("c", "C");

describe("taking edits back in a text", () => {
  const check = (name: string, now: string | null, steps: PutBackStep[], text: string | null) =>
    it(name, () => assert.deepEqual(putAllBack(now, steps), { kind: "text", text }));
  const step = (from: string | null, to: string | null): PutBackStep => ({ from, to });
  const undo = step(AFTER, BEFORE);

  check("nothing happened since", AFTER, [undo], BEFORE);
  check("somebody did the same by hand", BEFORE, [undo], BEFORE);
  check("something was typed elsewhere", AFTER.replace("g", "typed"), [undo], BEFORE.replace("g", "typed"));
  check("lines moved above it", `x\ny\n${AFTER}`, [undo], `x\ny\n${BEFORE}`);
  check(
    "exactly as it was, mixed line ends and all",
    "a\r\nb\nC",
    [step("a\r\nb\nC", "a\r\nb\nc\r\n")],
    "a\r\nb\nc\r\n",
  );
  const crlf = (text: string) => text.replaceAll("\n", "\r\n");
  check("line ends alone", crlf(BEFORE), [step(crlf(BEFORE), BEFORE)], BEFORE);
  check("line ends alone, beside what was typed", `${crlf(BEFORE)}x\r\n`, [step(crlf(BEFORE), BEFORE)], `${BEFORE}x\n`);
  check("line ends with lines", `${crlf(AFTER)}x\r\n`, [step(crlf(AFTER), BEFORE)], `${BEFORE}x\n`);
  check(
    "line ends, but those that somebody changed since",
    "a\nb\r\nx\n",
    [step("a\nb\n", "a\r\nb\r\n")],
    "a\r\nb\r\nx\r\n",
  );
  check("lines alone leave line ends as they are", crlf(`${AFTER}x\n`), [undo], crlf(`${BEFORE}x\n`));
  check("a file that was created goes", "new\n", [step("new\n", null)], null);
  check("it went already", null, [step("new\n", null)], null);
  check("a file that was removed comes back", null, [step(null, "old\n")], "old\n");
  check("several, the last first", "3\n", [step("3\n", "2\n"), step("2\n", "1\n"), step("1\n", null)], null);
  check(
    "several, with what was typed between them kept",
    AFTER.replace("a", "mine").replace("h", "H"),
    [step(AFTER.replace("a", "mine").replace("h", "H"), AFTER.replace("a", "mine")), undo],
    BEFORE.replace("a", "mine"),
  );

  const refuse = (name: string, now: string | null, steps: PutBackStep[], kind: string) =>
    it(`not: ${name}`, () => {
      const refused = putAllBack(now, steps);
      assert.ok(refused.kind !== "text");
      assert.equal(refused.kind, kind);
    });
  refuse("the very lines were changed", AFTER.replace("C", "CC"), [undo], "conflict");
  refuse("the line beside it was changed", AFTER.replace("b", "B"), [undo], "conflict");
  refuse("the file is gone", null, [undo], "gone");
  refuse("what was created was typed into", "new\ntyped\n", [step("new\n", null)], "differs");
  refuse("there is another file in the place", "other\n", [step(null, "old\n")], "exists");
  refuse(
    "the second of two",
    AFTER.replace("h", "H").replace("C", "CC"),
    [step(lines("H"), lines("H")), undo],
    "conflict",
  );

  it("the edits leave alone what does not change, and line ends as they are", () => {
    const now = "a\r\nC\r\nd\r\ne\r\n";
    const reverted = putAllBack(now, [step("a\nC\nd\n", "a\nc\nd\n")]);
    assert.deepEqual(reverted, { kind: "text", text: "a\r\nc\r\nd\r\ne\r\n" });
    assert.deepEqual(editsBetween(now, "a\r\nc\r\nd\r\ne\r\n"), [{ start: 3, end: 4, text: "c" }]);
    const exact = "a\r\nb\nc";
    assert.equal(withEdits("a\r\nb\r\nc\r\n", editsBetween("a\r\nb\r\nc\r\n", exact)), exact);
  });
});

describe("where an undo is in conflict", () => {
  const check = (name: string, now: string, expected: string) =>
    it(name, () => {
      const refused = putAllBack(now, [{ from: AFTER, to: BEFORE }]);
      assert.ok(refused.kind === "conflict");
      const words = refusalWords("The change of a.ts can't be undone", refused, now);
      assert.equal(
        words,
        `The change of a.ts can't be undone: the same lines were changed since (${expected}). Open the diff of the turn to do it by hand.`,
      );
      assert.equal(staysWords("a.ts", refused, now), `a.ts stays: the same lines were changed since (${expected}).`);
    });
  check("one line", AFTER.replace("C", "CC"), "line 3");
  check("some lines", `x\n${AFTER.replace("C", "1\n2\n3")}`, "lines 4–6");
  check("no lines: they were removed", AFTER.replace("C\n", ""), "line 2");

  it("what cannot be said of the place is not said", () => {
    const twice = lines("1", "x", "3", "x");
    const refused = { kind: "conflict" as const, text: "other", conflicts: [] };
    const span = { first: 1, count: 1, text: "x\n" };
    const conflict = { base: span, ours: span, theirs: span };
    assert.equal(
      staysWords("a.ts", { ...refused, conflicts: [conflict] }, twice),
      "a.ts stays: the same lines were changed since.",
    );
  });
});

describe("edits from one text to another", () => {
  const check = (name: string, now: string, target: string, expected: TextEdit[]) =>
    it(name, () => {
      assert.equal(withEdits(now, expected), target, "the test is wrong");
      assert.deepEqual(editsBetween(now, target), expected);
    });
  check("with other line ends leave what is alike at both ends alone", "ab\r\nc", "ab\nc", [
    { start: 2, end: 4, text: "\n" },
  ]);
  check("never bring half a character", "😀\r\nb\r\n", "😁\nb\n", [{ start: 0, end: 7, text: "😁\nb\n" }]);
  check("nor half of one at the end", "a\r\n\u{1f600}", "a\n\u{1f200}", [{ start: 1, end: 5, text: "\n\u{1f200}" }]);
  check("nor half of a line end", "a\r\r\nb", "a\r\nb", [{ start: 1, end: 4, text: "\r\n" }]);

  it("hold no half of a pair, whatever they are", () => {
    const character = fc.constantFrom("a", "\r", "\n", "\r\n", "😀", "😁", "\u{1f200}");
    const text = fc.array(character, { maxLength: 8 }).map(all => all.join(""));
    fc.assert(
      fc.property(text, text, (now, target) => {
        const edits = editsBetween(now, target);
        assert.equal(withEdits(now, edits), target);
        for (const edit of edits) {
          assert.ok(edit.text.isWellFormed());
          assert.ok(now.slice(edit.start, edit.end).isWellFormed());
          const cuts = [edit.start, edit.end].filter(at => now[at - 1] === "\r" && now[at] === "\n");
          assert.deepEqual(cuts, []);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("taking an edit back, whatever was typed", () => {
  const word = fc.stringMatching(/^[a-z]{1,3}$/);
  const text = fc.array(word, { minLength: 0, maxLength: 14 }).map(words => lines(...words));
  /** Replaces lines `at` to `at + count` by others; every new line is one that no other has. */
  const change = (mark: string, takes = 3) =>
    fc.record({ at: fc.nat(14), count: fc.nat(takes), put: fc.nat(3) }).map(({ at, count, put }) => (base: string) => {
      const all = base.split("\n").slice(0, -1);
      all.splice(
        Math.min(at, all.length),
        count,
        ...Array.from({ length: put }, (_, index) => `${mark}${at}.${index}`),
      );
      return lines(...all);
    });

  it("never loses a line that was typed, and gives the edit's lines back only where nobody touched them", () => {
    let [merged, refused] = [0, 0];
    fc.assert(
      fc.property(text, change("agent"), change("user"), (before, edit, type) => {
        const after = edit(before);
        const now = type(after);
        const reverted = putAllBack(now, [{ from: after, to: before }]);
        if (reverted.kind !== "text" || reverted.text === null) {
          refused++;
          return;
        }
        merged++;
        const typed = (all: string) => all.split("\n").filter(line => line.startsWith("user"));
        assert.deepEqual(typed(reverted.text), typed(now));
        if (now === after) assert.equal(reverted.text, before);
        assert.equal(withEdits(now, editsBetween(now, reverted.text)), reverted.text);
      }),
      { numRuns: 2_000 },
    );
    assert.ok(merged > 500 && refused > 100, `${merged} merged, ${refused} refused`);
  });

  it("is what typing into the file without the edit would have given, where typing does not touch it", () => {
    const parts = fc.record({
      head: fc.array(word, { minLength: 2, maxLength: 6 }),
      old: fc.array(word, { maxLength: 3 }),
      fresh: fc.nat(3),
      tail: fc.array(word, { minLength: 2, maxLength: 6 }),
      typed: fc.boolean(),
    });
    fc.assert(
      fc.property(parts, ({ head, old, fresh, tail, typed }) => {
        const made = Array.from({ length: fresh }, (_, index) => `agent${index}`);
        const file = (middle: string[], top: string[], end: string[]) =>
          lines(...top, ...head, "-", ...middle, "-", ...tail, ...end);
        const [top, end] = typed ? [["user top"], []] : [[], ["user end"]];
        const reverted = putAllBack(file(made, top, end), [{ from: file(made, [], []), to: file(old, [], []) }]);
        assert.deepEqual(reverted, { kind: "text", text: file(old, top, end) });
      }),
      { numRuns: 500 },
    );
  });

  it("and making it again gives what stood before, where only lines came", () => {
    fc.assert(
      fc.property(text, change("agent"), change("user", 0), (before, edit, type) => {
        const after = edit(before);
        const now = type(after);
        const undone = putAllBack(now, [{ from: after, to: before }]);
        if (undone.kind !== "text") return;
        const redone = putAllBack(undone.text, [{ from: before, to: after }]);
        if (redone.kind === "text") assert.equal(redone.text, now);
      }),
      { numRuns: 1_000 },
    );
  });
});
