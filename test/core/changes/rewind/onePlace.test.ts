/** What a rewind shows and notes is the place that it acts on, whatever path a record has for it. */
import assert from "node:assert/strict";
import { RewindFiles } from "../../../../src/core/changes/rewind/rewindFiles";
import { fileChains } from "../../../../src/core/changes/timeline/chain";
import type { FileState } from "../../../../src/shared/fileStates";
import { MemoryFiles } from "../../../fakes/files";
import { hash } from "../../../fakes/hash";
import { rewinding } from "../../../fakes/rewinding";
import { MemoryStorage } from "../../../fakes/storage";

async function planned(path: string, uri: string) {
  const files = new MemoryFiles({ app: { "a.txt": "a\n", "b.txt": "b\n" } });
  const history = { files: await new MemoryStorage().create("ses_1"), hash };
  const rewind = new RewindFiles({ history, files, disk: rewinding(files).disk });
  const after: FileState = { type: "file", sha256: hash.sha256("b\n") };
  const change = { uri, path, before: null, after, made: true as const };
  const besides = { folders: [], gone: [], repositories: [], since: 0 };
  return { files, rewind, ...(await rewind.plan(fileChains([{ at: 1, who: "command", change }]), besides)) };
}

describe("a rewind of a record that shows one file and means another", () => {
  it("names the file that it deletes", async () => {
    const { files, rewind, ...plan } = await planned("a.txt", "file:///ws/app/b.txt");
    assert.deepEqual(
      plan.actions.map(({ chain }) => chain.path),
      ["b.txt"],
    );
    const { done } = await rewind.apply(plan, await rewind.keep(plan));
    assert.deepEqual(
      done.map(({ path }) => path),
      ["b.txt"],
    );
    assert.deepEqual([files.onDisk("a.txt"), files.onDisk("b.txt")], ["a\n", undefined]);
  });
});
