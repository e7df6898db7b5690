/** A Write of a notebook: what Read does not show of it stays. */
import assert from "node:assert/strict";
import { planWrite, writeNote } from "../../../../src/core/changes/edits/notebookEdit";
import { Harness } from "../../looking/harness";

type Cell = Record<string, unknown>;
const ref = { path: "a.ipynb" };
const json = (cells: Cell[], more: Cell = {}, indent: number | undefined = 1) =>
  `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5, ...more }, undefined, indent)}\n`;
const picture = { output_type: "display_data", data: { "image/png": "AAAA" }, metadata: {} };
const stored = (id: string, source: string[], more: Cell = {}): Cell => ({
  ...{ cell_type: "code", execution_count: 7, id, metadata: { tags: [id] }, outputs: [picture], source },
  ...more,
});
/** As a model writes one that only saw its source. */
const bare = (source: string[], more: Cell = {}): Cell => ({
  ...{ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source },
  ...more,
});
const words = { cell_type: "markdown", id: "m", metadata: {}, attachments: { "a.png": {} }, source: ["# Title"] };
const kernel = { metadata: { kernelspec: { name: "k" } } };
const before = json([words, stored("a", ["x = 1\n", "print(x)"]), stored("b", ["y = 1"])], kernel);
const write = (cells: Cell[], more?: Cell, base = before) => planWrite(ref, base, json(cells, more)).newText;

describe("a Write of a notebook", () => {
  const title = bare(["# Title"], { cell_type: "markdown" });
  const check = (name: string, cells: Cell[], after: string) => it(name, () => assert.equal(write(cells), after));

  check(
    "changes the source of a cell and nothing else of it",
    [title, bare(["x = 2\n", "print(x)"]), bare(["y = 1"])],
    before.replace("x = 1", "x = 2"),
  );
  check(
    "adds, removes and moves cells; those that stay keep all they have",
    [bare(["y = 1"]), bare(["new()"]), title],
    json([stored("b", ["y = 1"]), bare(["new()"]), words], kernel),
  );
  check(
    "finds cells again under ids that the model made up, and takes those for new cells",
    [bare(["y = 1"], { id: "one" }), bare(["new()"], { id: "two" })],
    json([stored("b", ["y = 1"]), bare(["new()"], { id: "two" })], kernel),
  );

  it("fills what is empty, and never takes another value", () => {
    const base = json([stored("a", ["x"], { metadata: {} }), stored("b", ["y"])]);
    const other = { metadata: { tags: ["new"] }, outputs: [] };
    assert.equal(
      write([bare(["x"], other), bare(["y"], other)], kernel, base),
      json([stored("a", ["x"], { metadata: { tags: ["new"] } }), stored("b", ["y"])], kernel),
    );
    assert.equal(
      write([bare(["x"]), bare(["y"])], { metadata: { kernelspec: { name: "other" } } }, before).includes("other"),
      false,
    );
  });

  it("of an empty notebook, or of one without cells before, is what was written", () => {
    assert.equal(write([bare(["x"])], kernel, json([])), json([bare(["x"])], kernel));
    assert.equal(planWrite({ path: "a.json" }, before, "{}").newText, "{}");
  });

  it("keeps line ends of sources, a layout on one line, and leaves ids out where there are none", () => {
    const base = JSON.stringify({ cells: [bare(["a\r\n", "b"], { outputs: [picture] })], metadata: {} });
    const after = planWrite(ref, base, json([bare(["a\n", "c"]), bare(["new"], { id: "n" })])).newText;
    assert.deepEqual(JSON.parse(after).cells, [bare(["a\r\n", "c"], { outputs: [picture] }), bare(["new"])]);
    assert.ok(!after.includes("\n"), after);
  });

  it("says what stays, and what went with its outputs", () => {
    assert.match(
      writeNote(ref, before, json([words, stored("a", ["x = 1\n", "print(x)"])])),
      /1 cell with outputs went\.$/,
    );
    assert.match(writeNote(ref, before, before), /Write sets sources only\.$/);
    assert.equal(writeNote(ref, json([]), before), "");
  });

  it("keeps pictures and metadata that Read did not show, and says so", async () => {
    const harness = new Harness({ app: { "a.ipynb": before } });
    await harness.call("Read", { file_path: "a.ipynb" });
    const call = (cells: Cell[]) => harness.call("Write", { file_path: "a.ipynb", content: json(cells) });
    const { status, text } = await call([title, bare(["x = 2\n", "print(x)"]), bare(["y = 1"])]);
    assert.equal(status, "ok", text);
    assert.match(text, /saved\.\nCells that stay keep outputs/);
    assert.equal(harness.files.onDisk("a.ipynb"), before.replace("x = 1", "x = 2"));
    const again = await call([title, bare(["x = 2\n", "print(x)"]), bare(["y = 1"])]);
    assert.match(again.text, /^a\.ipynb has exactly these cells already, and Write leaves outputs/);
  });
});
