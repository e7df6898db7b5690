/** What changed while a command ran was told by name alone: no edit is refused for it, and no Write undoes it unseen. */
import assert from "node:assert/strict";
import { Harness, numbered } from "../looking/harness";

const TEXT = numbered(9);
const file_path = "a.txt";

/** a.txt was read, then holds `text` when a command has ended. */
async function changedTo(text: string): Promise<Harness> {
  const harness = new Harness(
    { app: { [file_path]: TEXT } },
    { shell: { make: { does: () => harness.files.put(file_path, text) }, "*": {} } },
  );
  harness.dirtyFiles = "leave";
  await harness.call("Read", { file_path });
  await harness.call("Bash", { command: "make" });
  return harness;
}

const write = (harness: Harness, content: string) => harness.call("Write", { file_path, content });
const edit = (harness: Harness, old_string: string, new_string: string, more = {}) =>
  harness.call("Edit", { file_path, old_string, new_string, ...more });
const onDisk = (harness: Harness) => harness.files.onDisk(file_path);

const FIRST_CHANGED = TEXT.replace("line 1\n", "line one\n");

describe("Write of a file that changed while a command ran", () => {
  it("keeps what changed elsewhere, and says so", async () => {
    const harness = await changedTo(FIRST_CHANGED);
    const { status, text } = await write(harness, TEXT.replace("line 9", "line nine"));
    assert.equal(status, "ok", text);
    assert.equal(onDisk(harness), FIRST_CHANGED.replace("line 9", "line nine"));
    assert.match(text, /it changed in other places too; that was kept:\n-line 1\n\+line one$/);
    // All of it was told: from here on it is known.
    assert.equal((await write(harness, TEXT)).status, "ok");
    assert.equal(onDisk(harness), TEXT);
  });

  it("is a conflict where both touch the same place, and nothing is written", async () => {
    const harness = await changedTo(FIRST_CHANGED);
    const { status, text } = await write(harness, TEXT.replace("line 1\n", "line I\n"));
    assert.equal(status, "CONFLICT");
    assert.match(text, /line one[\s\S]*line I/);
    assert.equal(onDisk(harness), FIRST_CHANGED);
    await harness.call("Read", { file_path });
    assert.equal((await write(harness, TEXT.replace("line 1\n", "line I\n"))).status, "ok", "once it was read");
  });

  it("through several commands, and an edit whose result told a part of it only", async () => {
    const many = TEXT.split("line").join("Line");
    const harness = await changedTo(many.replace("Line 9", "line 9"));
    harness.files.put(file_path, many.replace("Line 9", "line 9").replace("Line 8", "line 8"));
    await harness.call("Bash", { command: "true" });
    assert.equal((await edit(harness, "line 9", "line nine")).status, "ok");
    const { status } = await write(harness, TEXT.replace("line 9", "line nine").replace("line 1\n", "line I\n"));
    assert.equal(status, "CONFLICT");
  });

  it("is refused where nobody knows any more what the model saw", async () => {
    const harness = await changedTo(FIRST_CHANGED);
    harness.forgets = true;
    const { status, text } = await write(harness, "new\n");
    assert.equal(status, "STALE");
    assert.match(text, /Read it again/);
    assert.equal(onDisk(harness), FIRST_CHANGED);
  });

  it("saved before a command by the editor, which changed more of it", async () => {
    const harness = await changedTo(TEXT);
    harness.files.edit(file_path, `${TEXT} `);
    await harness.call("Read", { file_path });
    harness.files.formatOnSave = text => text.replace("line 1\n", "line one\n");
    harness.dirtyFiles = "save";
    await harness.call("Bash", { command: "true" });
    assert.match(onDisk(harness) ?? "", /^line one\n/);
    assert.equal((await write(harness, TEXT.replace("line 1\n", "line I\n"))).status, "CONFLICT");
  });
});

describe("Edit of a file that changed while a command ran", () => {
  it("quotes it as it stands now, everywhere it stands", async () => {
    const harness = await changedTo(FIRST_CHANGED.replace("line 2\n", "line one\n"));
    const { status, text } = await edit(harness, "line one", "line I", { replace_all: true });
    assert.equal(status, "ok", text);
    assert.equal(onDisk(harness), TEXT.replace("line 1\nline 2\n", "line I\nline I\n"));
  });

  it("shows both sides where it quotes what stood there before", async () => {
    const { status, text } = await edit(await changedTo(FIRST_CHANGED), "line 1", "line I");
    assert.equal(status, "CONFLICT", text);
    assert.match(text, /line one[\s\S]*line I/);
  });

  it("of what never stood there says what is closest", async () => {
    const { status, text } = await edit(await changedTo(FIRST_CHANGED), "line 10", "line ten");
    assert.equal(status, "NO_MATCH");
    assert.match(text, /^old_string is not in a\.txt\./);
  });
});
