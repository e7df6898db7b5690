/** Indexes of files: there while they grow, and made anew after a quiet second. */
import assert from "node:assert/strict";
import { setImmediate as laterTurn } from "node:timers/promises";
import { FileLists, type FileListsDeps } from "../../src/vscode/mentions/fileLists";
import { FakeClock } from "../fakes/clock";

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
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await laterTurn();
  };
  const found = (root: string) => lists.indexOf(root)?.search("a", { open: [], recent: [] }, 99).length;
  const times = (root: string) => made.filter(each => each === root).length;
  return { lists, logged, pass, found, times, clock };
}

const give = (count: number, onFile: (path: string) => boolean) => {
  for (let n = 0; n < count; n++) if (!onFile(`a${n}`)) return;
};

describe("file lists", () => {
  it("answer while they are made, and are followed by the next one whole", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { lists, found, pass } = listing(async (_, onFile) => {
      give(3, onFile);
      await gates[0]?.promise;
      gates.shift();
      give(4, onFile);
    });
    lists.keep(["r"]);
    let isWhole = false;
    void lists.allListed().then(() => {
      isWhole = true;
    });
    await pass(0);
    assert.deepEqual([found("r"), lists.indexing, isWhole], [3, true, false]);
    gates[0]?.resolve();
    await pass(0);
    assert.deepEqual([found("r"), lists.indexing, isWhole], [4, false, true]);
    lists.changed("r");
    await pass(1_000);
    assert.deepEqual([found("r"), lists.indexing], [4, false], "the next one has three so far");
  });

  it("of nothing are whole", async () => {
    const { lists, pass } = listing(async () => undefined);
    lists.keep(["r"]);
    await pass(0);
    assert.equal(lists.indexing, false);
    await lists.allListed();
  });

  it("end at the bound, over all roots together, and say so once", async () => {
    const { lists, logged, pass, found } = listing(async (_, onFile) => give(5, onFile), 7);
    lists.keep(["one"]);
    await pass(0);
    lists.keep(["one", "two"]);
    await pass(0);
    lists.changed("two");
    await pass(1_000);
    assert.deepEqual([found("one"), found("two")], [5, 2]);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? "", /more than 7 files/);
    lists.keep(["two"]);
    lists.changed("two");
    await pass(1_000);
    assert.equal(found("two"), 5, "what is gone counts no more");
  });

  it("keep what they have where they fail, and say why in the log", async () => {
    let count = 1;
    const { lists, logged, pass, found } = listing(async (_, onFile) => {
      give(count, onFile);
      if (count !== 2) throw new Error("no ripgrep");
    });
    lists.keep(["r"]);
    await pass(0);
    assert.deepEqual([found("r"), lists.indexing], [1, false], "the first one is better than none");
    for (const [files, known] of [
      [2, 2],
      [3, 2],
    ] as const) {
      count = files;
      lists.changed("r");
      await pass(10_000);
      assert.equal(found("r"), known);
    }
    assert.match(logged[0] ?? "", /r could not be listed: no ripgrep/);
  });

  it("are made anew once it is quiet for a second, and in ten seconds where it never is", async () => {
    const { lists, pass, times } = listing(async (_, onFile) => give(1, onFile));
    lists.keep(["r"]);
    await pass(0);
    for (const ms of [0, 900, 900]) {
      await pass(ms);
      lists.changed("r");
    }
    await pass(999);
    assert.equal(times("r"), 1);
    await pass(1);
    assert.equal(times("r"), 2);
    await pass(60_000);
    assert.equal(times("r"), 2, "nothing changed");
    for (let ms = 0; ms < 10_000; ms += 500) {
      lists.changed("r");
      await pass(500);
    }
    assert.equal(times("r"), 3);
    lists.changed("of no workspace");
  });

  it("come at once where somebody asks, but rest between them after a long one", async () => {
    let takes = 0;
    const { lists, pass, times, clock } = listing(async (_, onFile) => {
      await clock.sleep(takes);
      give(1, onFile);
    });
    lists.keep(["r"]);
    await pass(0);
    assert.equal(lists.hurry(), false);
    lists.changed("r");
    assert.equal(lists.hurry(), true);
    takes = 1_000;
    await pass(0);
    assert.equal(lists.hurry(), true, "one is being made");
    lists.changed("r");
    await pass(1_000);
    assert.equal(times("r"), 2);
    assert.equal(lists.hurry(), true);
    await pass(3_999);
    assert.equal(clock.waiting, 0, "it rests");
    await pass(1);
    assert.equal(clock.waiting, 1);
  });

  it("of folders that are gone end, untold", async () => {
    const signals: AbortSignal[] = [];
    const { lists, logged, pass, found } = listing((_root, _onFile, signal) => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    lists.keep(["r", "s"]);
    lists.changed("r");
    lists.keep(["s"]);
    await pass(10_000);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    lists.dispose();
    await pass(10_000);
    assert.deepEqual([found("r"), logged], [undefined, []]);
  });
});
