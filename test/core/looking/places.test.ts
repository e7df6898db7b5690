/** Files that are not where tools expect them: renamed, in documents that were never saved. */
import assert from "node:assert/strict";
import type { FileRef, Files } from "../../../src/core/ground/ports";
import { mentionedPlaces } from "../../../src/core/mentions/message";
import type { Json } from "../../../src/shared/messages";
import { Harness } from "./harness";

describe("a file that was renamed", () => {
  const renaming = (harness: Harness, to: string) => {
    const files: Files = harness.files;
    files.renamedTo = async () => harness.files.resolve(to);
    return harness;
  };

  it("is named by where it went", async () => {
    const harness = renaming(new Harness({ app: { "new.ts": "a", "old.tsx": "b" } }), "new.ts");
    const file_path = "old.ts";
    const calls: [string, Json][] = [
      ["Read", { file_path }],
      ["Edit", { file_path, old_string: "a", new_string: "b" }],
      ["LS", { path: file_path }],
      ["Grep", { path: file_path, pattern: "a" }],
    ];
    for (const [tool, input] of calls) {
      const { status, text, data } = await harness.call(tool, input);
      assert.equal(status, "NOT_FOUND", tool);
      assert.equal(text, "old.ts does not exist: it was renamed to new.ts. Read it there.");
      assert.equal(data.renamedTo, "new.ts");
    }
  });

  it("and is gone since is searched for like any other", async () => {
    const harness = renaming(new Harness({ app: { "old.tsx": "b" } }), "gone.ts");
    const { text } = await harness.call("Read", { file_path: "old.ts" });
    assert.equal(text, "old.ts does not exist. Nearest: old.tsx.");
  });
});

describe("Write of a file that went away since it was read", () => {
  const file_path = "src/a.ts";
  const write = { file_path, content: "1\ntwo\n" };
  const gone = async () => {
    const harness = new Harness({ app: { [file_path]: "one\ntwo\n" } });
    await harness.call("Read", { file_path });
    harness.files.remove(file_path);
    return harness;
  };
  const isCreated = async (harness: Harness) =>
    assert.equal((await harness.call("Write", write)).text, "Created src/a.ts: 2 lines, +2 −0, saved.");

  it("says so once: whoever writes it again means it", async () => {
    const harness = await gone();
    const { status, text } = await harness.call("Write", write);
    assert.equal(status, "NOT_FOUND");
    assert.match(text, /^src\/a\.ts was deleted or moved since you last read or wrote it\. Nothing was written\./);
    assert.equal(harness.files.onDisk(file_path), undefined);
    await isCreated(harness);
  });

  it("names where it was renamed to", async () => {
    const harness = await gone();
    harness.files.put("b.ts", "one\ntwo\n");
    Object.assign(harness.files, { renamedTo: async () => harness.files.resolve("b.ts") });
    const { text, data } = await harness.call("Write", write);
    assert.match(text, /^src\/a\.ts was renamed to b\.ts since/);
    assert.equal(data.renamedTo, "b.ts");
  });

  it("makes it anew where the model knows: of another call, or of its own command", async () => {
    const told = await gone();
    const edit = { file_path, old_string: "one", new_string: "1" };
    assert.equal((await told.call("Edit", edit)).status, "NOT_FOUND");
    await isCreated(told);
    const rm = { does: () => own.files.remove(file_path) };
    const own: Harness = new Harness({ app: { [file_path]: "one\ntwo\n" } }, { shell: { "*": rm } });
    await own.call("Read", { file_path });
    await own.call("Bash", { command: "rm src/a.ts" });
    await isCreated(own);
  });

  it("edits it where it was away for a moment only, as git takes files away", async () => {
    const harness = await gone();
    harness.whileWaiting = () => harness.files.put(file_path, "one\ntwo\nthree\n");
    assert.equal((await harness.call("Write", write)).status, "ok");
    assert.equal(harness.files.onDisk(file_path), "1\ntwo\nthree\n");
  });
});

describe("where no folder is open", () => {
  it("commands are refused", async () => {
    const harness = new Harness();
    harness.cwd = "";
    const { status, text } = await harness.call("Bash", { command: "ls" });
    assert.deepEqual([status, text], ["INVALID_INPUT", "Commands need a folder, and none is open."]);
  });
});

describe("a document that was never saved", () => {
  const ref: FileRef = {
    ...{ uri: "untitled:Untitled-1", absolute: "untitled:Untitled-1" },
    ...{ path: "untitled:Untitled-1", relative: "Untitled-1", inside: true },
  };

  it("can be mentioned, with lines", async () => {
    const stat = async () => ({ type: "file" as const, size: 1, mtime: 0 });
    const files = { roots: [], resolve: async () => ref, stat };
    assert.deepEqual(await mentionedPlaces("see @untitled:Untitled-1:3-4.", files), [
      { name: "untitled:Untitled-1:3-4", kind: "file" },
    ]);
  });

  it("is read as what stands in the editor only", async () => {
    const harness = new Harness();
    const stamp = { mtime: 0, version: 2, sha256: "1", dirty: true };
    Object.assign(harness.files, {
      resolve: async () => ref,
      stat: async () => ({ type: "file", size: 1, mtime: 0 }),
      read: async () => ({ kind: "text", text: "one\n", encoding: "utf8", stamp, from: "editor" }),
    });
    const { text } = await harness.call("Read", { file_path: "untitled:Untitled-1" });
    assert.equal(text, "This document was never saved: it stands in the editor only.\n1\tone");
  });
});
