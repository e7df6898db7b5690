import assert from "node:assert/strict";
import type { EditorCell } from "../../../../src/core/changes/edits/notebook";
import { EMPTY_NOTEBOOK, notebookText, readNotebook } from "../../../../src/core/changes/edits/notebook";

type Cell = Record<string, unknown>;
const json = (cells: Cell[], indent: number | undefined = 1) =>
  `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, indent)}\n`;
const output = { name: "stdout", output_type: "stream", text: ["hi\n", "there"] };
const picture = {
  ...{ data: { "text/plain": ["2"], "image/png": "iVBO\nRw0=\n" }, execution_count: 3, metadata: { x: 1 } },
  output_type: "execute_result",
};
const stored = [
  { cell_type: "markdown", id: "a", metadata: { tags: ["t"] }, source: ["# T\n", "words"] },
  {
    cell_type: "code",
    execution_count: 3,
    id: "b",
    metadata: {},
    outputs: [output, picture],
    source: ["x = 1\n", "y"],
  },
  { cell_type: "raw", id: "c", metadata: {}, source: "raw" },
];
const inEditor = (
  type: string,
  id: string | undefined,
  source: string,
  outputs: EditorCell["outputs"] = [],
): EditorCell => ({
  ...{ type, id, source, outputs, more: { metadata: {} } },
});
/** as VS Code has them: text in one piece, base64 without line ends, no metadata of outputs */
const opened = [
  inEditor("markdown", "a", "# T\nwords"),
  inEditor("code", "b", "x = 1\ny", [
    { output_type: "stream", name: "stdout", text: "hi\nthere" },
    { output_type: "execute_result", data: { "image/png": "iVBORw0=", "text/plain": "2" }, metadata: {} },
  ]),
  inEditor("raw", "c", "raw"),
];

function textOf(before: string, cells: readonly EditorCell[]): string {
  const notebook = readNotebook(before);
  assert.ok(notebook);
  return notebookText(notebook, cells);
}

describe("the text of an open notebook", () => {
  const [title, work, raw] = opened;
  assert.ok(title && work && raw);
  const base = json(stored);

  it("keeps the numbers of other cells: JavaScript has no 1.0, and rounds nanoseconds", () => {
    const numbers = '{"at":1600000000000000001,"v":[1.0,1E5]}';
    const data = { "application/json": "NUMBERS" };
    const chart = { cell_type: "code", execution_count: 1, id: "d", metadata: {}, source: "plot" };
    const cells = [...stored, { ...chart, outputs: [{ data, metadata: {}, output_type: "display_data" }] }];
    const before = json(cells, 0).replace('"NUMBERS"', numbers);
    const shown = [{ data: { "application/json": JSON.parse(numbers) }, metadata: {}, output_type: "display_data" }];
    const after = textOf(before, [title, work, inEditor("raw", "c", "new"), inEditor("code", "d", "plot", shown)]);
    assert.equal(after, before.replace('"source":"raw"', '"source":"new"'));
  });

  it("is the file's where nothing was changed, in every layout", () => {
    for (const before of [base, json(stored, 4), json(stored, undefined), base.replaceAll("\n", "\r\n")]) {
      assert.equal(textOf(before, opened), before);
    }
    const noIds = json(stored.map(({ id, ...cell }) => cell));
    assert.equal(
      textOf(
        noIds,
        opened.map(cell => ({ ...cell, id: undefined })),
      ),
      noIds,
    );
  });

  it("has the sources of the editor, and all else of the file", () => {
    assert.equal(textOf(base, [title, { ...work, source: "x = 2\ny" }, raw]), base.replace("x = 1", "x = 2"));
    assert.equal(
      textOf(base, [title, work, { ...raw, source: "raw\nmore" }]),
      base.replace('"raw"\n', '"raw\\nmore"\n'),
    );
    const noIds = json(stored.map(({ id, ...cell }) => cell));
    const cells = opened.map(cell => ({ ...cell, id: undefined, source: cell.source.replace("x = 1", "x = 2") }));
    assert.equal(textOf(noIds, cells), noIds.replace("x = 1", "x = 2"));
  });

  it("nested without an end is no notebook", () => {
    assert.equal(readNotebook(`{"cells":[],"x":${"[".repeat(99_999)}${"]".repeat(99_999)}}`), undefined);
  });

  it("has cells that were added, removed and moved", () => {
    const [first, second, third] = stored;
    assert.ok(first && second && third);
    assert.equal(textOf(base, [work, title]), json([second, first]));
    const added = inEditor("code", "new", "z = 1\nz");
    const fresh = {
      cell_type: "code",
      execution_count: null,
      id: "new",
      metadata: {},
      outputs: [],
      source: ["z = 1\n", "z"],
    };
    assert.equal(textOf(base, [title, added, work, raw]), json([first, fresh, second, third]));
    assert.equal(textOf(base, []), json([]));
    assert.equal(textOf(json(stored, 4), [title, added]), json([first, fresh], 4));
    assert.equal(textOf(EMPTY_NOTEBOOK, [added]), json([fresh]));
  });

  it("has the outputs of the editor where the cell ran since", () => {
    const error = { ename: "NameError", evalue: "x", output_type: "error", traceback: ["a", "b"] };
    assert.equal(
      textOf(base, [title, { ...work, outputs: [error] }, raw]),
      json(stored.map(cell => (cell.id === "b" ? { ...cell, outputs: [error] } : cell))),
    );
  });

  it("takes a cell whose kind was changed for another one", () => {
    const after = textOf(base, [{ ...title, type: "raw" }, work, raw]);
    assert.deepEqual(
      readNotebook(after)?.cells.map(({ type, source, id }) => [type, source, id]),
      [
        ["raw", "# T\nwords", "a"],
        ["code", "x = 1\ny", "b"],
        ["raw", "raw", "c"],
      ],
    );
  });
});
