import assert from "node:assert/strict";
import { FileError } from "../../../src/core/ground/ports";
import type { Json } from "../../../src/shared/messages";
import { pluck } from "../../fakes/pluck";
import { assertAnswer, type ExpectedAnswer, Harness } from "./harness";

const edit = (old_string: string, new_string: string, more = {}) => ({
  file_path: "src/a.ts",
  old_string,
  new_string,
  ...more,
});

/** A session that has read `src/a.ts`. */
async function reader(content: string | Uint8Array, open = false): Promise<Harness> {
  const harness = new Harness({ app: { "src/a.ts": content } });
  if (open) harness.files.edit("src/a.ts");
  await harness.call("Read", { file_path: "src/a.ts" });
  return harness;
}

/** Edits a file that was read; status, text and what is on disk afterwards. */
async function check(
  content: string,
  input: Json,
  expected: Partial<ExpectedAnswer> & { disk?: string },
  tool = "Edit",
): Promise<Harness> {
  const harness = await reader(content);
  const answer = await harness.call(tool, input);
  assertAnswer(answer, { text: /^Edited/, ...expected });
  assert.equal(harness.files.onDisk("src/a.ts"), expected.disk ?? content);
  return harness;
}

describe("Edit", () => {
  it("changes the place, saves, and says where: the new text stands in the call", async () => {
    const harness = await check("one\ntwo\nthree\n", edit("two", "2"), {
      text: "Edited src/a.ts: line 2, +1 −1, saved.",
      disk: "one\n2\nthree\n",
    });
    const answer = await harness.call("Edit", edit("three", "3"));
    assert.equal(answer.digest, "Edit src/a.ts +1 −1");
    assert.equal(
      answer.performed?.changes?.[0]?.diff,
      "--- src/a.ts\n+++ src/a.ts\n@@ -1,3 +1,3 @@\n one\n 2\n-three\n+3",
    );
  });

  it("refuses what was not read", async () => {
    const unread = new Harness({ app: { "src/a.ts": "a" } });
    const answer = await unread.call("Edit", edit("a", "b"));
    assert.deepEqual(
      [answer.status, answer.text],
      ["NOT_READ", "src/a.ts was not read in this session. Read it first. Nothing was changed."],
    );
  });

  it("binds base and new text", async () => {
    const harness = await reader("a\nb\n");
    const bind = async (input: Json) => (await harness.prepare("Edit", input)).binding;
    const first = await bind(edit("a", "x"));
    assert.equal(await bind(edit("a", "x")), first);
    assert.notEqual(await bind(edit("a", "y")), first);
    harness.files.put("src/a.ts", "a\nb\nc\n");
    await harness.call("Read", { file_path: "src/a.ts" });
    assert.notEqual(await bind(edit("a", "x")), first);
    const { detail, targets, title } = await harness.prepare("Edit", edit("a", "x"));
    assert.equal(title, "Edit src/a.ts");
    assert.deepEqual(pluck(targets, "path"), ["src/a.ts"]);
    assert.equal(detail.type === "edit" && detail.changes[0]?.diff.includes("-a\n+x"), true);
    assert.deepEqual(harness.files.asked, [], "asking changes nothing");
  });

  it("says what a formatter changed on save", async () => {
    const harness = await reader("a = 1\nb = 2\n");
    harness.files.formatOnSave = text => text.replaceAll("\n", ";\n");
    const { text, performed } = await harness.call("Edit", edit("1", "3"));
    assert.match(text, /changed more:\n-a = 3\n-b = 2\n\+a = 3;\n\+b = 2;$/);
    assert.equal(performed?.changes?.[0]?.added, 2);
    assert.equal((await harness.call("Edit", edit("3", "4"))).status, "ok");
  });

  it("says where the text stands when it is not saved", async () => {
    const harness = await reader("a\n");
    harness.files.save = false;
    const { text, digest } = await harness.call("Edit", edit("a", "b"));
    assert.match(text, /^Edited src\/a\.ts: line 1, \+1 −1, not saved: it stands unsaved in the editor\./);
    assert.equal(digest, "Edit src/a.ts +1 −1");
    assert.equal(harness.files.onDisk("src/a.ts"), "a\n");
    assert.equal(harness.files.inEditor("src/a.ts"), "b\n");
  });

  it("refuses binary files", async () => {
    const harness = await reader("text");
    harness.files.put("src/a.ts", Buffer.from([0, 1, 2]));
    assert.equal((await harness.call("Edit", edit("a", "b"))).status, "BINARY");
  });

  it("changes nothing once it was stopped", async () => {
    const harness = await reader("a\n");
    harness.between = () => harness.stop.abort();
    await assert.rejects(harness.call("Edit", edit("a", "b")), /abort/i);
    assert.equal(harness.files.onDisk("src/a.ts"), "a\n");
  });

  it("passes on what the disk refuses", async () => {
    const harness = await reader("a\n");
    harness.files.failNext.apply = new FileError("READ_ONLY", "src/a.ts is read-only");
    await assert.rejects(harness.call("Edit", edit("a", "b")), /read-only/);
  });
});

describe("Edit of several places", () => {
  const several = (...edits: [string, string][]) => ({
    file_path: "src/a.ts",
    edits: edits.map(([old_string, new_string]) => ({ old_string, new_string })),
  });

  it("applies all edits as one change, or none", async () => {
    await check("a\nb\nc\n", several(["a", "1"], ["c", "3"]), {
      text: /^Edited src\/a\.ts: line 1, line 3, \+2 −2, saved\./,
      disk: "1\nb\n3\n",
    });
    const harness = await check("a\nb\nc\n", several(["a", "1"], ["z", "3"]), {
      status: "NO_MATCH",
      text: /^Edit 2 of 2: old_string is not/,
    });
    assert.deepEqual(harness.files.asked, []);
    const again = await reader("a\nb\nc\n");
    const { digest } = await again.call("Edit", several(["a", "1"], ["1\nb", "2"]));
    assert.equal(digest, "Edit src/a.ts +1 −2");
    assert.equal(again.files.asked.length, 1);
  });

  it("takes what models write beside them, and needs one of the two", async () => {
    const many = several(["a", "1"], ["b", "2"]);
    const disk = "1\n2\nc\n";
    await check("a\nb\nc\n", { ...many, old_string: "", new_string: "" }, { disk });
    await check("a\nb\nc\n", { ...edit("a", "1"), edits: [] }, { disk: "1\nb\nc\n" });
    await check("a\nb\nc\n", { ...edit("a", "1"), edits: [{ old_string: "b", new_string: "2" }] }, { disk });
    const lacking: Record<string, Json>[] = [{}, { edits: [] }, { old_string: "a" }, { new_string: "a" }];
    for (const more of lacking)
      await check(
        "a\nb\nc\n",
        { file_path: "src/a.ts", ...more },
        { status: "INVALID_INPUT", text: /^Give old_string and new_string, or edits\./ },
      );
  });
});

describe("Write", () => {
  const write = (content: string, file_path = "src/a.ts") => ({ file_path, content });

  it("creates a file and its folders", async () => {
    const harness = new Harness();
    const answer = await harness.call("Write", write("a\nb\n", "new/deep/b.ts"));
    assert.equal(answer.text, "Created new/deep/b.ts: 2 lines, +2 −0, saved.");
    assert.equal(answer.digest, "Write new/deep/b.ts +2 −0 (new)");
    assert.equal(harness.files.onDisk("new/deep/b.ts"), "a\nb\n");
    assert.equal(
      (await harness.call("Edit", { file_path: "new/deep/b.ts", old_string: "a", new_string: "x" })).status,
      "ok",
    );
    assert.equal(
      (await harness.call("Write", write("", "empty.txt"))).text,
      "Created empty.txt: 0 lines, +0 −0, saved.",
    );
    const { detail, title } = await harness.prepare("Write", write("a", "c.ts"));
    assert.equal(title, "Create c.ts");
    assert.equal(detail.type === "edit" && detail.changes[0]?.created, true);
  });

  it("overwrites what was read, touching only what differs", async () => {
    const harness = await check(
      "a\r\nb\r\nc\r\n",
      write("a\nB\nc\n"),
      { text: "Overwrote src/a.ts: line 2, +1 −1, saved.", disk: "a\r\nB\r\nc\r\n" },
      "Write",
    );
    assert.deepEqual(harness.files.asked[0]?.edits, [{ start: 3, end: 4, text: "B" }]);
    assert.equal((await harness.prepare("Write", write("z"))).title, "Overwrite src/a.ts");
  });

  it("refuses to overwrite what was not read, and to write what stands there", async () => {
    const unread = new Harness({ app: { "src/a.ts": "a" } });
    assert.equal((await unread.call("Write", write("b"))).status, "NOT_READ");
    await check("a\n", write("a\n"), { status: "INVALID_INPUT", text: /exactly this content already/ }, "Write");
    await check("a\n", write("b", "src"), { status: "INVALID_INPUT", text: /is a folder/ }, "Write");
  });

  it("does not overwrite a file that appeared while it was asked", async () => {
    const harness = new Harness();
    harness.between = () => harness.files.put("b.ts", "theirs");
    assert.equal((await harness.call("Write", write("mine", "b.ts"))).status, "NOT_READ");
    assert.equal(harness.files.onDisk("b.ts"), "theirs");
  });
});
