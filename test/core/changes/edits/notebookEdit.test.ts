import assert from "node:assert/strict";
import {
  notebookChange,
  planReplacements,
  requireNotebook,
  sameCells,
} from "../../../../src/core/changes/edits/notebookEdit";
import { ToolError } from "../../../../src/core/ground/ports";
import { withEdits } from "../../../../src/core/ground/ports/files";
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
      assert.equal(withEdits(before, plan.edits), after);
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
  }

  it("keep the line ends of JSON and of sources", () => {
    const before = json([code(["a\r\n", "b\r\n"])]).replaceAll("\n", "\r\n");
    const { newText } = planReplacements(ref, before, [{ oldText: "b\n", newText: "c\nd\n" }]);
    assert.equal(newText, before.replace('"b\\r\\n"', '"c\\r\\n",\r\n    "d\\r\\n"'));
  });

  it("keep a source that is one string", () => {
    const { newText } = planReplacements(ref, json([code("a\nb")]), [{ oldText: "b", newText: "c" }]);
    assert.equal(newText, json([code("a\nc")]));
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
