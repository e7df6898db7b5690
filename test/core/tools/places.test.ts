/** Files that are not where tools expect them: renamed, in folders on no disk, in documents that were never saved. */
import assert from "node:assert/strict";
import { factsText } from "../../../src/core/context/layers";
import { mentionedPlaces } from "../../../src/core/mentions/find";
import type { FileRef, Files, Root } from "../../../src/core/ports";
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

describe("folders on no disk", () => {
  it("are named to the model, as out of reach of commands", () => {
    const root = (name: string, uri: string) => ({ name, path: uri, uri });
    const facts = (...roots: Root[]) => factsText({ roots, platform: "linux", shell: "bash" });
    const disk = root("lib", "file:///lib");
    const elsewhere = root("app", "memory:///app");
    assert.match(
      facts(elsewhere),
      /folders: memory:\/\/\/app[\s\S]*\n- on no disk of this machine, so that commands cannot reach it: app$/,
    );
    assert.match(
      facts(disk, elsewhere),
      /as folder:path\n- on no disk of this machine, so that commands cannot reach it: app$/,
    );
    assert.doesNotMatch(facts(disk), /no disk/);
  });

  it("run no commands", async () => {
    const harness = new Harness();
    harness.cwd = "";
    const { status, text } = await harness.call("Bash", { command: "ls" });
    assert.equal(status, "INVALID_INPUT");
    assert.match(text, /^Commands need a folder on this machine, .*ask the user to run it\.$/);
  });
});

describe("a document that was never saved", () => {
  const ref: FileRef = {
    ...{ uri: "untitled:Untitled-1", absolute: "untitled:Untitled-1" },
    ...{ path: "untitled:Untitled-1", relative: "Untitled-1", inside: true },
  };

  it("can be mentioned, with lines", async () => {
    const files = { resolve: async () => ref, stat: async () => ({ type: "file" as const, size: 1, mtime: 0 }) };
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
    assert.equal(text, "This document was never saved: it stands in the editor only.\n    1\tone");
  });
});
