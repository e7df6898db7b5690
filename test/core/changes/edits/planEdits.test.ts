import assert from "node:assert/strict";
import fc from "fast-check";
import { planEdits, planLines, type Replacement } from "../../../../src/core/changes/edits/planEdits";
import { ToolError } from "../../../../src/core/ground/ports";
import { withEdits } from "../../../../src/core/ground/ports/files";
import { withLf } from "../../../../src/core/ground/text/lines";
import { cases } from "../../../fakes/soak";

const edit = (oldText: string, newText: string, replaceAll = false): Replacement => ({ oldText, newText, replaceAll });

/** What the edits make of the text; where they are refused, code and message. */
function run(text: string, edits: Replacement[]): string {
  try {
    const plan = planEdits(text, edits, "a.ts");
    assert.equal(withEdits(text, plan.edits), plan.newText);
    return plan.newText;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const check = (text: string, edits: Replacement[], expected: string) => assert.equal(run(text, edits), expected);
const refused = (text: string, edits: Replacement[], expected: RegExp) => assert.match(run(text, edits), expected);

describe("editEngine", () => {
  it("replaces what matches once, or all", () => {
    check("let a = 1;\n", [edit("1", "2")], "let a = 2;\n");
    check("a b a", [edit("a", "c", true)], "c b c");
    check("aaa", [edit("aa", "b", true)], "ba");
    check("a\nb", [edit("b", "c")], "a\nc");
    check("a\nb\n", [edit("b\n", "")], "a\n");
  });

  it("keeps the line ends of the file, whatever the model writes", () => {
    check("a\r\nb\r\n", [edit("a\nb", "a\nx\nb")], "a\r\nx\r\nb\r\n");
    check("a\r\nb\r\n", [edit("a\r\nb", "c")], "c\r\n");
    check("a\nb\n", [edit("b", "b\r\nc")], "a\nb\nc\n");
    check("a\rb\r", [edit("b", "b\nc")], "a\rb\rc\r");
    check("x\r\ny\nz", [edit("y", "y\ny2")], "x\r\ny\ny2\nz");
    check("x\ny\r\nz", [edit("y", "y\ny2")], "x\ny\r\ny2\r\nz");
    check("one", [edit("one", "one\ntwo")], "one\ntwo");
  });

  it("leaves two line ends two, also where the text between a lone CR and an LF goes", () => {
    check("a\rb\nc", [edit("b", "")], "a\r\n\nc");
    check("a\rb\nc", [edit("b\nc", "\nd")], "a\r\n\nd");
    check("a\rb\nc", [edit("b", "x\n")], "a\rx\r\n\nc");
    check("\ra\n", [edit("a", "")], "\r\n\n");
    check("a\r\rb\n\n", [edit("b", "")], "a\r\r\n\n\n");
    assert.equal(planLines("a\rb\nc", "a\n\nc").newText, "a\r\n\nc");
  });

  it("leaves all other lines their ends, also where it replaces more places than a comparison of lines bears", () => {
    const text = Array.from({ length: 12_000 }, (_, at) => `foo(${at % 5})${at % 3 ? "\n" : "\r\n"}`).join("");
    check(text, [edit("foo(2)", "foo(0)", true)], text.replaceAll("foo(2)", "foo(0)"));
  });

  it("replaces 20,000 places of a line of 4 MB without looking for its ends each time", () => {
    const unit = `foo(${"x".repeat(195)})`;
    for (const newText of ["bar", "foo\n"]) {
      const text = `a\r\n${unit.repeat(20_000)}\r\n`;
      const before = process.threadCpuUsage();
      const plan = planEdits(text, [edit("foo", newText, true)], "a.js");
      const ms = process.threadCpuUsage(before).user / 1000;
      assert.equal(plan.newText, text.replaceAll("foo", newText.replace("\n", "\r\n")));
      assert.ok(ms < 5_000, `${ms} ms`);
    }
  });

  it("refuses to change more places than one call may, of all its edits together", () => {
    const much = "a1 ".repeat(50_000);
    assert.equal(run(much, [edit("a", "b", true)]), "b1 ".repeat(50_000));
    refused(`${much}a`, [edit("a", "b", true)], /^INVALID_INPUT: This would change more than 50000 places of a\.ts/);
    refused(much, [edit("a", "b", true), edit("1", "2", true)], /^INVALID_INPUT: Edit 2 of 2: .*Nothing was changed/);
  });

  it("applies several in order, each to what the one before left", () => {
    check("a\nb\nc\n", [edit("a", "x"), edit("x\nb", "y"), edit("c", "z")], "y\nz\n");
    check("abc", [edit("b", ""), edit("ac", "ca")], "ca");
    assert.deepEqual(planEdits("a1\nb1\nc1", [edit("c1", "c2"), edit("a1", "a2")], "a.ts").edits, [
      { start: 1, end: 2, text: "2" },
      { start: 7, end: 8, text: "2" },
    ]);
  });

  it("never cuts a surrogate pair in two", () => {
    const plan = planEdits("x = '😀';", [edit("😀", "😁")], "a.ts");
    assert.deepEqual(plan.edits, [{ start: 5, end: 7, text: "😁" }]);
  });

  it("refuses what has no effect", () => {
    refused("a", [edit("", "b")], /^INVALID_INPUT: old_string is empty.*Write/);
    refused("a", [edit("a", "a")], /^INVALID_INPUT: old_string and new_string are the same/);
    refused("a\r\nb", [edit("a\nb", "a\r\nb")], /^INVALID_INPUT: .*the same/);
    refused("ab", [edit("a", "x"), edit("x", "a")], /^INVALID_INPUT: The edits cancel each other out/);
  });

  it("names the lines of an ambiguous match", () => {
    refused("a\nb\na\n", [edit("a", "c")], /^AMBIGUOUS: old_string is in a\.ts 2 times, at lines 1, 3\. Add lines/);
    refused("a\n".repeat(15), [edit("a", "c")], /15 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 5 more/);
    refused("aaa", [edit("aa", "b")], /^AMBIGUOUS: .* 2 times, at lines 1, 1/);
  });

  it("is all or nothing, and says which edit failed", () => {
    refused("a\nb\n", [edit("a", "x"), edit("nope", "y")], /^NO_MATCH: Edit 2 of 2: old_string is not in a\.ts/);
  });

  it("sets a whole text, touching only what differs", () => {
    assert.deepEqual(planLines("a\r\nb\r\nc\r\n", "a\nB\nc\n"), {
      edits: [{ start: 3, end: 4, text: "B" }],
      newText: "a\r\nB\r\nc\r\n",
    });
    assert.deepEqual(planLines("a\r\nb", "a\nb").edits, []);
    assert.equal(planLines("a\r\nb\r\n", "x\ny\nz\n").newText, "x\r\ny\r\nz\r\n");
    assert.equal(planLines("", "x\ny").newText, "x\ny");
  });

  it("leaves what stands between two changes of a whole text as it is, with its line ends", () => {
    assert.deepEqual(planLines("a\r\nb\nc\r\nd\n", "A\nb\nc\nD\n"), {
      edits: [
        { start: 0, end: 1, text: "A" },
        { start: 8, end: 9, text: "D" },
      ],
      newText: "A\r\nb\nc\r\nD\n",
    });
    const many = (line: (index: number) => string) =>
      Array.from({ length: 10_000 }, (_, index) => line(index)).join("");
    const text = many(index => `line ${index}\n}\n`);
    const changed = many(index => (index % 3 === 1 ? `changed ${index}\n}\n` : `line ${index}\n}\n`));
    assert.equal(planLines(text, changed).edits.length, 3_333);
  });

  describe("property", () => {
    const lineEnds = fc.constantFrom("\n", "\r\n", "mixed", "mixed with \r");
    const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "中", "😀"), maxLength: 6 });
    const text = fc.tuple(fc.array(line, { maxLength: 12 }), lineEnds, fc.boolean()).map(([lines, end, last]) => {
      const mixed = end === "mixed" ? ["\r\n", "\n", "\n"] : ["\r\n", "\r", "\n"];
      const at = (index: number) => (end.startsWith("mixed") ? mixed[index % 3] : end);
      return lines.map((part, index) => (index === lines.length - 1 && !last ? part : part + at(index))).join("");
    });
    const request = fc.record({
      from: fc.nat(),
      length: fc.integer({ min: 1, max: 8 }),
      newText: line,
      all: fc.boolean(),
    });

    /** Requests whose old text does stand in the text, by position. */
    const requestsFor = (base: string, wanted: { from: number; length: number; newText: string; all: boolean }[]) => {
      const requests: Replacement[] = [];
      let current = withLf(base);
      for (const { from, length, newText, all } of wanted) {
        const characters = [...current];
        const start = characters.length === 0 ? 0 : from % characters.length;
        const oldText = characters.slice(start, start + length).join("");
        if (oldText === "" || oldText === newText) continue;
        if (!all && current.indexOf(oldText) !== current.lastIndexOf(oldText)) continue;
        requests.push(edit(oldText, newText, all));
        current = all ? current.split(oldText).join(newText) : current.replace(oldText, () => newText);
      }
      return { requests, expected: current };
    };

    it("does what the model asked for, byte for byte elsewhere", () => {
      fc.assert(
        fc.property(text, fc.array(request, { minLength: 1, maxLength: 5 }), (base, wanted) => {
          const { requests, expected } = requestsFor(base, wanted);
          fc.pre(requests.length > 0 && expected !== withLf(base));
          const plan = planEdits(base, requests, "a.ts");
          assert.equal(withLf(plan.newText), expected);
          assert.equal(withEdits(base, plan.edits), plan.newText);
          let end = 0;
          for (const { start, end: next } of plan.edits) {
            assert.ok(start >= end && next >= start);
            end = next;
          }
        }),
        { numRuns: cases(500) },
      );
    });

    it("is the same work on CRLF as on LF", () => {
      fc.assert(
        fc.property(text, fc.array(request, { minLength: 1, maxLength: 3 }), (base, wanted) => {
          const lf = withLf(base);
          fc.pre(lf.includes("\n"));
          const { requests, expected } = requestsFor(lf, wanted);
          fc.pre(requests.length > 0 && expected !== lf);
          const plan = planEdits(lf.replaceAll("\n", "\r\n"), requests, "a.ts");
          assert.equal(plan.newText, expected.replaceAll("\n", "\r\n"));
        }),
      );
    });

    it("sets any text to any other, up to line ends", () => {
      fc.assert(
        fc.property(text, text, (base, content) =>
          assert.equal(withLf(planLines(base, content).newText), withLf(content)),
        ),
      );
    });
  });
});
