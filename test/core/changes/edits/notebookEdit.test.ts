import assert from "node:assert/strict";
import {
  notebookChange,
  planReplacements,
  requireNotebook,
  sameCells,
} from "../../../../src/core/changes/edits/notebookEdit";
import { applyEdits } from "../../../../src/core/changes/edits/textEdits";
import { ToolError } from "../../../../src/core/ground/ports";
import { linesWithEnds } from "../../../../src/core/ground/text/lines";
import { asItIs } from "../../../fakes/redact";

const ref = { path: "a.ipynb" };
type Cell = Record<string, unknown>;
const json = (cells: Cell[], indent: number | string | undefined = 1) =>
  `${JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 }, undefined, indent)}\n`;
const code = (source: string | string[], more: Cell = {}): Cell => ({
  ...{ cell_type: "code", execution_count: 2, id: "a1", metadata: {}, outputs: [], source },
  ...more,
});
const three = [code(["# Title\n", "words"], { cell_type: "markdown" }), code(["x = 1\n", "print(x)"]), code(["y = 1"])];

function fails(text: string, oldText: string, newText = "new", more = {}): { code: string; message: string } {
  try {
    planReplacements(ref, text, [{ oldText, newText, ...more }]);
  } catch (error) {
    assert.ok(error instanceof ToolError);
    return error;
  }
  throw new Error("it was planned");
}

describe("edits of a notebook", () => {
  const check = (title: string, before: string, oldText: string, newText: string, after: string, more = {}) =>
    it(title, () => {
      const plan = planReplacements(ref, before, [{ oldText, newText, ...more }]);
      assert.equal(plan.newText, after);
      assert.equal(applyEdits(before, plan.edits), after);
      const changed = plan.edits.reduce((sum, { start, end }) => sum + end - start, 0);
      assert.ok(changed <= 3 * oldText.length + 20, `${changed} characters of JSON are touched`);
    });

  const base = json(three);
  check("change one line of one cell", base, "x = 1", "x = 22", base.replace("x = 1", "x = 22"));
  check("add a line", base, "print(x)", "print(x)\nz()", base.replace('"print(x)"', '"print(x)\\n",\n    "z()"'));
  check("remove a line", base, "x = 1\n", "", base.replace('"x = 1\\n",\n    ', ""));
  check("empty a cell", base, "y = 1", "", base.replace('[\n    "y = 1"\n   ]', "[]"));
  check("match over the lines of a cell", base, "1\nprint", "2\nprint", base.replace("x = 1", "x = 2"));
  const quoted = json([code(['print("a\\n")'])]);
  check("quote what JSON quotes", quoted, '"a\\n"', '"b\\t"', json([code(['print("b\\t")'])]));

  for (const [name, indent] of [
    ["4 spaces", 4],
    ["tabs", "\t"],
    ["one line", undefined],
  ] as const) {
    const cells = (first: string[]) => [code(first), code("a string\nof lines")];
    const at = (first: string[]) =>
      indent === undefined ? JSON.stringify({ cells: cells(first) }) : json(cells(first), indent);
    check(`keep a layout of ${name}`, at(["a\n", "b"]), "b", "b\nc", at(["a\n", "b\n", "c"]));
    check(`keep a layout of ${name}, from a single line`, at(["q"]), "q", "b\nc", at(["b\n", "c"]));
    const string = (source: string) => at(["a"]).replace('"a string\\nof lines"', JSON.stringify(source));
    check(
      `keep a source that is one string (${name})`,
      string("a string\nof lines"),
      "of",
      "on",
      string("a string\non lines"),
    );
  }

  it("keep the line ends of JSON and of sources, and escapes that others wrote", () => {
    const before = json([code(["é\r\n", "b\r\n"])])
      .replaceAll("\n", "\r\n")
      .replace("é", "\\u00e9");
    const { newText } = planReplacements(ref, before, [{ oldText: "b\n", newText: "c\nd\n" }]);
    assert.equal(newText, before.replace('"b\\r\\n"', '"c\\r\\n",\r\n    "d\\r\\n"'));
    assert.match(newText, /"\\u00e9\\r\\n",\r\n/);
  });

  it("keep elements that are not lines apart from the change to lines", () => {
    const { newText } = planReplacements(ref, json([code(["a", "b\nc\n", "d"])]), [{ oldText: "c", newText: "C" }]);
    assert.equal(newText, json([code(["ab\n", "C\n", "d"])]));
  });

  it("several in order, each on what the one before left, in several cells", () => {
    const edits = [
      { oldText: "y = 1", newText: "y = 2" },
      { oldText: "y = 2", newText: "y = 3" },
      { oldText: "words", newText: "text" },
    ];
    const plan = planReplacements(ref, base, edits);
    assert.equal(plan.newText, base.replace("y = 1", "y = 3").replace("words", "text"));
    assert.equal(plan.edits.length, 2);
    const back = [
      { oldText: "y = 1", newText: "y = 2" },
      { oldText: "y = 2", newText: "y = 1" },
    ];
    assert.throws(() => planReplacements(ref, base, back), /cancel each other out/);
  });

  it("all places, where asked for", () => {
    const { newText } = planReplacements(ref, base, [{ oldText: "= 1", newText: "= 7", replaceAll: true }]);
    assert.equal(newText, base.replaceAll("= 1", "= 7"));
  });

  it("are refused where a text stands in several places, with cells and lines", () => {
    const { code, message } = fails(base, "= 1");
    assert.equal(code, "AMBIGUOUS");
    assert.match(message, /in the cells of a\.ipynb 2 times: cell 2, line 1; cell 3, line 1\./);
  });

  const refused = (title: string, oldText: string, words: RegExp, text = base) =>
    it(`are refused: ${title}`, () => {
      const error = fails(text, oldText);
      assert.equal(error.code, "NO_MATCH");
      assert.match(error.message, words);
      assert.match(error.message, /Nothing was changed\.$/);
    });
  refused("no such text", "y =  1", /In cell 3: The closest lines are:\n1\ty = 1\n.*\nline 1: /);
  refused("in a line further down", "print( x)", /In cell 2: The closest lines are:\n2\tprint\(x\)/);
  refused("two cells at once", "print(x)\ny = 1", /Quote the source of one cell alone/);
  refused("the line above a cell", "[Cell 3 of 3: code]\ny = 1", /Read puts above each cell/);
  const withOutput = json([code(["x"], { outputs: [{ output_type: "stream", name: "stdout", text: ["made\n"] }] })]);
  refused("an output", "made", /is in the source of no cell of a\.ipynb/, withOutput);
  refused("JSON", '"x = 1\\n"', /In cell 2/);
  refused("no cells", "x", /is in the source of no cell of a\.ipynb/, json([]));

  it("of an .ipynb that is no notebook are those of its text", () => {
    assert.equal(planReplacements(ref, '{"a": 1}', [{ oldText: "1", newText: "2" }]).newText, '{"a": 2}');
    assert.equal(
      planReplacements({ path: "a.txt" }, base, [{ oldText: '"y = 1"', newText: '"z"' }]).newText,
      base.replace("y = 1", "z"),
    );
  });

  it("whatever the layout, change the source of that cell and nothing else", () => {
    const words = ["a = 1\n", "\n", 'print("é\\n")\n', "中文 😀\n", "end", "  tab\t\n"];
    let seed = 7;
    let made = 0;
    const random = (most: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return (seed >> 12) % most;
    };
    for (let round = 0; round < 300; round += 1) {
      const sources = Array.from({ length: 1 + random(4) }, () =>
        Array.from({ length: random(4) }, () => words[random(6)] ?? ""),
      );
      const cells = sources.map((source, index) => {
        const text = source.join("");
        return code(random(2) === 0 ? text : linesWithEnds(text), { id: `c${index}`, execution_count: round });
      });
      const before = json(cells, [1, 2, "\t", undefined][random(4)]);
      const chosen = random(cells.length);
      const old = sources[chosen]?.join("") ?? "";
      const hits = sources.filter(source => source.join("").includes(old)).length;
      if (old === "" || hits > 1) continue;
      made += 1;
      const text = `unique ${round}\n${old}`;
      const { newText } = planReplacements(ref, before, [{ oldText: old, newText: text }]);
      const expected = JSON.parse(before);
      const { source } = expected.cells[chosen];
      expected.cells[chosen].source = Array.isArray(source) ? linesWithEnds(text) : text;
      assert.deepEqual(JSON.parse(newText), expected);
    }
    assert.ok(made > 100, `${made} edits were made`);
  });
});

describe("a notebook as a whole", () => {
  it("is written only where it is one", () => {
    requireNotebook(ref, json(three));
    requireNotebook({ path: "a.json" }, "no");
    for (const content of ["", "{}", "x", '{"cells": [{}]}', '{"cells": [],}']) {
      assert.throws(() => requireNotebook(ref, content), { code: "INVALID_INPUT" }, content);
    }
  });

  it("says which cells changed, and shows them", () => {
    const after = json(three).replace("x = 1", "x = 2").replace("y = 1", "y = 3");
    assert.deepEqual(notebookChange(ref, json(three), after, asItIs), {
      where: "cell 2, line 1; cell 3, line 1",
      fragment: "[Cell 2 of 3: code]\n1\tx = 2\n2\tprint(x)\n[Cell 3 of 3: code]\n1\ty = 3",
    });
    assert.equal(notebookChange(ref, json(three), json(three.slice(1)), asItIs), undefined);
    assert.equal(notebookChange({ path: "a.txt" }, json(three), after, asItIs), undefined);
  });

  it("is the same in another layout", () => {
    assert.equal(sameCells(ref, json(three), json(three, 4)), true);
    assert.equal(sameCells(ref, json(three), json(three.slice(1))), false);
  });
});
