/** A Read of some lines shows these alone: what the model has not seen, no Write takes away. */
import assert from "node:assert/strict";
import type { Json } from "../../../../src/shared/messages";
import { runTurn, start } from "../../../fakes/agent";
import { Harness, numbered } from "../../looking/harness";

const TEXT = numbered(400);
const file_path = "a.txt";
const TYPED = TEXT.replace("line 300\n", "line 300 typed\n");
const MEANT = TEXT.replace("line 1\n", "line one\n");
const BOTH = TYPED.replace("line 1\n", "line one\n");

const holding = (text = TEXT) =>
  new Harness({ app: { [file_path]: text } }, { shell: { make: { does: () => undefined } } });
const read = (harness: Harness, part: Record<string, number> = {}) => harness.call("Read", { file_path, ...part });
const write = (harness: Harness, content: string) => harness.call("Write", { file_path, content });
const edit = (harness: Harness, old_string: string, new_string: string) =>
  harness.call("Edit", { file_path, old_string, new_string });
const onDisk = (harness: Harness) => harness.files.onDisk(file_path);

describe("a file that was read whole, then changed, then read in part", () => {
  it("keeps at a Write what was typed in lines that were not read again", async () => {
    const harness = holding();
    await read(harness);
    harness.files.edit(file_path, TYPED);
    await read(harness, { offset: 1, limit: 5 });
    const { status, text } = await write(harness, MEANT);
    assert.equal(status, "ok", text);
    assert.equal(harness.files.inEditor(file_path), BOTH);
    assert.match(text, /it changed in other places too; that was kept:\n-line 300\n\+line 300 typed$/);
  });

  it("keeps what another program wrote, and conflicts where the Write is made on the same lines", async () => {
    const harness = holding();
    await read(harness);
    harness.files.put(file_path, TYPED);
    await read(harness, { offset: 290, limit: 20 });
    assert.equal((await write(harness, TEXT.replace("line 300\n", "mine\n"))).status, "CONFLICT");
    assert.equal(onDisk(harness), TYPED);
  });

  it("is known whole once all of its lines were read, in any order", async () => {
    const harness = holding();
    await read(harness);
    harness.files.put(file_path, TYPED);
    for (const offset of [301, 1, 101, 201]) await read(harness, { offset, limit: 100 });
    assert.equal((await write(harness, MEANT)).status, "ok");
    assert.equal(onDisk(harness), MEANT, "it meant to take the typed line away");
  });

  it("is known whole where it stands again as it was read", async () => {
    const harness = holding();
    await read(harness);
    harness.files.put(file_path, TYPED);
    await read(harness, { offset: 1, limit: 5 });
    harness.files.put(file_path, TEXT);
    await read(harness, { offset: 1, limit: 5 });
    assert.equal((await write(harness, MEANT)).status, "ok");
    assert.equal(onDisk(harness), MEANT);
  });

  it("and that did not change stays known whole", async () => {
    const harness = holding();
    await read(harness);
    await read(harness, { offset: 7, limit: 2 });
    const { status, text } = await write(harness, "short\n");
    assert.equal(status, "ok", text);
    assert.equal(onDisk(harness), "short\n");
  });
});

describe("a file with a line that Read cuts", () => {
  const LONG = `const table = "${"x".repeat(5_000)}END";`;
  const THREE = `a\n${LONG}\nb\n`;
  /** As Read showed it, without numbers. */
  const shownIn = (text: string) => `${text.replace(/^ *\d+\t/gm, "")}\n`;

  it("is not overwritten, read however often; the model hears why, and can edit it", async () => {
    const harness = holding(THREE);
    const { text: shown } = await read(harness);
    await read(harness, { offset: 2, limit: 1 });
    const { status, text } = await write(harness, shownIn(shown).replace(/^b$/m, "B"));
    assert.equal(status, "NOT_READ");
    assert.equal(
      text,
      "Of a.txt, only lines 1, 3 of 3 were read: Write would replace all of it. Read the rest (of a line that is too long for it, there is no way to), or use Edit. Nothing was changed.",
    );
    assert.equal((await edit(harness, 'END";\n', 'end";\n')).status, "ok");
    assert.equal((await write(harness, "a\n")).status, "NOT_READ");
    assert.equal(onDisk(harness), THREE.replace("END", "end"));
  });

  it("of nothing else is not overwritten either", async () => {
    const harness = holding(LONG);
    await read(harness);
    assert.match((await write(harness, "a\n")).text, /^a\.txt was read in part only: .* or use Edit\./);
  });

  it("that the model wrote itself is overwritten, but not with what Read showed", async () => {
    const harness = holding(TEXT);
    await read(harness);
    await write(harness, THREE);
    const { text: shown } = await read(harness);
    const { status, text } = await write(harness, shownIn(shown));
    assert.equal(status, "NOT_READ");
    assert.match(text, /^content has the note "… \[3,\d{3} more characters\]", which stands where Read cuts/);
    assert.equal((await write(harness, "a\nb\n")).status, "ok");
  });

  it("is not quoted with the note at the cut", async () => {
    const harness = holding(THREE);
    const quoted = /const.*/.exec((await read(harness)).text)?.[0] ?? "";
    const { status, text } = await edit(harness, quoted, "b");
    assert.equal(status, "NO_MATCH");
    assert.match(text, /It has the note "… \[3,\d{3} more characters\]".*: quote a shorter part of that line\./);
  });

  it("in a notebook is a cell's source: its outputs are nobody's to write", async () => {
    const cell = (source: string, output: string) => ({
      ...{ cell_type: "code", execution_count: 1, metadata: {}, source },
      outputs: Array.from({ length: 40 }, () => ({ output_type: "stream", name: "stdout", text: output })),
    });
    const text = (...sources: string[]) =>
      JSON.stringify({ cells: sources.map(source => cell(source, "y".repeat(600))), metadata: {}, nbformat: 4 });
    const harness = new Harness({ app: { "a.ipynb": text("a"), "b.ipynb": text("b", "z".repeat(13_000)) } });
    const overwrite = async (path: string, content: string) => {
      await harness.call("Read", { file_path: path });
      return harness.call("Write", { file_path: path, content });
    };
    assert.equal((await overwrite("a.ipynb", text("c"))).status, "ok");
    const refused = await overwrite("b.ipynb", text("c"));
    assert.equal(refused.status, "NOT_READ");
    assert.match(refused.text, /only cells 1 of 2 were read: .* or use Edit\./);
  });
});

describe("a file that was read in part only", () => {
  it("is not overwritten, and the model hears which lines it has read", async () => {
    const harness = holding();
    await read(harness, { offset: 10, limit: 3 });
    await read(harness, { offset: 1, limit: 5 });
    await read(harness, { offset: 6, limit: 1 });
    const { status, text } = await write(harness, MEANT);
    assert.equal(status, "NOT_READ");
    assert.equal(
      text,
      "Of a.txt, only lines 1–6, 10–12 of 400 were read: Write would replace all of it. Read the rest (of a line that is too long for it, there is no way to), or use Edit. Nothing was changed.",
    );
    assert.equal(onDisk(harness), TEXT);
  });

  it("is overwritten once the rest was read, also where it is too long for one Read", async () => {
    const long = numbered(2_500);
    const harness = holding(long);
    await read(harness);
    assert.equal((await write(harness, "new\n")).status, "NOT_READ");
    await read(harness, { offset: 2_001 });
    assert.equal((await write(harness, "new\n")).status, "ok");
  });

  it("can be edited, and is still not overwritten after that", async () => {
    const harness = holding();
    await read(harness, { offset: 1, limit: 5 });
    assert.equal((await edit(harness, "line 2\n", "line two\n")).status, "ok");
    const { status, text } = await write(harness, MEANT);
    assert.equal(status, "NOT_READ");
    assert.match(text, /^a\.txt was read in part only: /);
    await read(harness);
    assert.equal((await write(harness, MEANT)).status, "ok");
  });

  it("is not overwritten where a command changed it, and it was read in part again", async () => {
    const harness = new Harness(
      { app: { [file_path]: TEXT } },
      { shell: { make: { does: () => harness.files.put(file_path, TYPED) } } },
    );
    await read(harness, { offset: 1, limit: 5 });
    await harness.call("Bash", { command: "make" });
    assert.equal((await write(harness, MEANT)).status, "NOT_READ");
    await read(harness, { offset: 6, limit: 395 });
    assert.equal((await write(harness, MEANT)).status, "NOT_READ", "lines 1 to 5 were those of another version");
    assert.equal(onDisk(harness), TYPED);
  });

  it("is overwritten where calls of one step read all of it", async () => {
    const agent = await start({ mode: "auto", files: { [file_path]: TEXT } });
    const call = (name: string, input: Json) => ({ name, input });
    agent.models.play(
      { calls: [1, 201].map(offset => call("Read", { file_path, offset, limit: 200 })) },
      { calls: [call("Write", { file_path, content: MEANT })] },
      { text: "Done." },
    );
    await runTurn(agent.session, "go");
    assert.equal(agent.files.onDisk(file_path), MEANT);
  });
});
