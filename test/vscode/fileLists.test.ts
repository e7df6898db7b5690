/** Indexes of files: there while they grow, and made anew when somebody asks again. */

import assert from "node:assert/strict";
import { setImmediate as laterTurn } from "node:timers/promises";
import { FileLists, type FileListsDeps } from "../../src/vscode/mentions/fileLists";
import { FakeClock } from "../fakes/clock";
import { pluck } from "../fakes/pluck";

/** Lists of a workspace, and the time. */
function listing(files: FileListsDeps["files"], most?: number) {
  const clock = new FakeClock();
  const logged: string[] = [];
  const made: string[] = [];
  const lists = new FileLists({
    files(root, ...how) {
      made.push(root);
      return files(root, ...how);
    },
    ...{ clock, ignoreCase: false, log: message => logged.push(message) },
    ...(most !== undefined && { most }),
  });
  /** Somebody asks, so many ms later. */
  const ask = async (ms: number, ...roots: string[]) => {
    await clock.advance(ms);
    lists.refresh(roots);
    await laterTurn();
  };
  const found = (root: string) => lists.indexOf(root)?.search("a", { open: [], recent: [] }, 99).length;
  return { lists, logged, made, ask, found, clock };
}

const give = (count: number, onFile: (path: string) => boolean) => {
  for (let n = 0; n < count; n++) if (!onFile(`a${n}`)) return;
};

describe("file lists", () => {
  it("answer while the first is made, and with the one before it while another is", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { lists, found, ask } = listing(async (_, onFile) => {
      give(3, onFile);
      await gates.shift()?.promise;
      give(4, onFile);
    });
    const [first, second] = gates;
    await ask(0, "r");
    assert.deepEqual([found("r"), lists.isFirst, lists.isListing], [3, true, true]);
    first?.resolve();
    await lists.listed();
    assert.deepEqual([found("r"), lists.isFirst, lists.isListing], [4, false, false]);
    await ask(1_000, "r");
    assert.deepEqual([found("r"), lists.isFirst, lists.isListing], [4, false, true], "the next one has three so far");
    second?.resolve();
    await lists.listed();
  });

  it("end at the bound, over all roots together, and say so once", async () => {
    const { logged, ask, found } = listing(async (_, onFile) => give(5, onFile), 7);
    await ask(0, "one");
    await ask(0, "one", "two");
    await ask(1_000, "one", "two");
    assert.deepEqual([found("one"), found("two")], [5, 2]);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? "", /more than 7 files/);
    await ask(1_000, "two");
    assert.equal(found("two"), 5, "what is gone counts no more");
  });

  it("keep what they have where they fail, and say why in the log", async () => {
    let count = 1;
    const { lists, logged, ask, found } = listing(async (_, onFile) => {
      give(count, onFile);
      if (count !== 2) throw new Error("no ripgrep");
    });
    await ask(0, "r");
    assert.deepEqual([found("r"), lists.isFirst], [1, false], "the first one is better than none");
    for (const [files, known] of [
      [2, 2],
      [3, 2],
    ] as const) {
      count = files;
      await ask(1_000, "r");
      assert.equal(found("r"), known);
    }
    assert.match(logged[0] ?? "", /r could not be listed: no ripgrep/);
  });

  it("count for a second; after a long one they rest", async () => {
    let takes = 0;
    const { ask, made, clock, lists } = listing(() => clock.sleep(takes));
    for (const ms of [0, 500, 499]) await ask(ms, "r");
    assert.equal(made.length, 1);
    takes = 1_000;
    await ask(1, "r");
    await ask(999, "r");
    assert.deepEqual([made.length, lists.isListing], [2, true], "one at a time");
    await ask(1, "r");
    await ask(3_999, "r");
    assert.equal(made.length, 2, "it rests");
    await ask(1, "r");
    assert.equal(made.length, 3);
  });

  it("of folders that are gone end, untold", async () => {
    const signals: AbortSignal[] = [];
    const { lists, logged, ask, found } = listing((_root, _onFile, signal) => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    await ask(0, "r", "s");
    await ask(0, "s");
    assert.deepEqual(pluck(signals, "aborted"), [true, false]);
    lists.dispose();
    await laterTurn();
    assert.deepEqual([found("r"), found("s"), logged], [undefined, undefined, []]);
  });
});
