/** What changed since a file was read is told once, and an edit of the model's own is not told as somebody else's. */
import assert from "node:assert/strict";
import { Harness, numbered } from "../../looking/harness";

const file_path = "a.txt";
const TEXT = numbered(100);
const SINCE = "it changed in other places too";
/** Lines 40 to 60 are others: more than an edit's result tells of. */
const MANY = numbered(100, line => (line >= 40 && line <= 60 ? `other ${line}` : `line ${line}`));

const edit = (harness: Harness, old_string: string, new_string: string) =>
  harness.call("Edit", { file_path, old_string, new_string });

async function readOf(commands: Record<string, string> = {}): Promise<Harness> {
  const shell = Object.entries(commands).map(([name, text]) => [
    name,
    { does: () => harness.files.put(file_path, text) },
  ]);
  const harness: Harness = new Harness({ app: { [file_path]: TEXT } }, { shell: Object.fromEntries(shell) });
  await harness.call("Read", { file_path });
  return harness;
}

/** The first edit after many lines changed: it tells of some of them. */
async function cut(harness: Harness): Promise<void> {
  harness.files.put(file_path, MANY);
  const { status, text } = await edit(harness, "line 1\n", "edited 1\n");
  assert.equal(status, "ok");
  assert.ok(text.includes(SINCE) && text.includes("more lines"), text);
}

describe("what changed since the file was read", () => {
  it("is told once, also where it was too much to tell all of it", async () => {
    const harness = await readOf();
    await cut(harness);
    for (const line of [3, 5, 7]) {
      const { status, text, data } = await edit(harness, `line ${line}\n`, `edited ${line}\n`);
      assert.equal(status, "ok", text);
      assert.ok(!text.includes(SINCE), text);
      assert.equal(data.modifiedExternally, undefined);
    }
  });

  it("after that is told where it changed again, and nothing else", async () => {
    const harness = await readOf();
    await cut(harness);
    const stands = harness.files.onDisk(file_path) ?? "";
    harness.files.put(file_path, stands.replace("line 90\n", "line 90 typed\n"));
    const { text, data } = await edit(harness, "line 3\n", "edited 3\n");
    assert.match(text, /that was kept:\n-line 90\n\+line 90 typed$/);
    assert.equal(data.modifiedExternally, true);
    const next = await edit(harness, "line 5\n", "edited 5\n");
    assert.ok(!next.text.includes(SINCE), next.text);
  });

  it("is told of a command that changed it after that, without the model's own edit", async () => {
    const made = MANY.replace("line 1\n", "edited 1\n").replace("line 90\n", "line 90 formatted\n");
    const harness = await readOf({ format: made });
    await cut(harness);
    await harness.call("Bash", { command: "format" });
    const { text } = await edit(harness, "line 3\n", "edited 3\n");
    assert.match(text, /that was kept:\n-line 90\n\+line 90 formatted$/);
  });

  it("when it was saved, and was told in part, no Write takes away", async () => {
    const harness = await readOf();
    harness.files.formatOnSave = text => text.replace(/^line (4\d|5\d)$/gm, "other $1");
    assert.match(
      (await edit(harness, "line 1\n", "edited 1\n")).text,
      /changed more:\n-.*(?:\n[-+].*){11}\n… 28 more lines$/,
    );
    harness.files.formatOnSave = undefined;
    const stands = harness.files.onDisk(file_path) ?? "";
    const write = (content: string) => harness.call("Write", { file_path, content });
    const meant = TEXT.replace("line 1\n", "edited 1\n");
    assert.equal((await write(meant.replace("line 9\n", "nine\n"))).status, "ok");
    assert.equal(harness.files.onDisk(file_path), stands.replace("line 9\n", "nine\n"));
    assert.equal((await write(meant.replace("line 50\n", "fifty\n"))).status, "CONFLICT");
    await harness.call("Read", { file_path });
    assert.equal((await write(meant)).status, "ok");
  });

  it("and was told in part, no Write takes away, however often it was edited since", async () => {
    const harness = await readOf();
    await cut(harness);
    await edit(harness, "line 3\n", "edited 3\n");
    const stands = harness.files.onDisk(file_path) ?? "";
    harness.files.put(file_path, stands.replace("line 90\n", "line 90 typed\n"));
    await edit(harness, "line 5\n", "edited 5\n");
    const own = (text: string) => [1, 3, 5].reduce((now, n) => now.replace(`line ${n}\n`, `edited ${n}\n`), text);
    const meant = own(TEXT).replace("line 8\n", "line eight\n");
    const { status, text } = await harness.call("Write", { file_path, content: meant });
    assert.equal(status, "ok", text);
    const kept = own(MANY).replace("line 8\n", "line eight\n").replace("line 90\n", "line 90 typed\n");
    assert.equal(harness.files.onDisk(file_path), kept);
  });
});
