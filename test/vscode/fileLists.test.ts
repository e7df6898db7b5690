/** Lists of files: told part by part, and made anew after a quiet second. */
import assert from "node:assert/strict";
import { setImmediate as laterTurn } from "node:timers/promises";
import type { FilesParams } from "../../src/shared/mentions/serverProtocol";
import { FileLists, type FileListsDeps } from "../../src/vscode/mentions/fileLists";
import { FakeClock } from "../fakes/clock";

/** Whoever is told, and the time. */
function listing(files: FileListsDeps["files"], most?: number) {
  const clock = new FakeClock();
  const told: FilesParams[] = [];
  const logged: string[] = [];
  const lists = new FileLists({
    ...{ files, clock, tell: part => told.push(part), log: message => logged.push(message) },
    ...(most !== undefined && { most }),
  });
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await laterTurn();
  };
  const paths = (root: string) => told.filter(part => part.root === root).map(each => each.paths.length);
  return { lists, told, logged, pass, paths, clock };
}

const give = (count: number, onFile: (path: string) => boolean) => {
  for (let n = 0; n < count; n++) if (!onFile(`a${n}`)) return;
};

describe("file lists", () => {
  it("are told in parts, before the last file was found", async () => {
    const { promise: rest, resolve: go } = Promise.withResolvers<void>();
    const { lists, told, pass } = listing(async (_, onFile) => {
      give(12_000, onFile);
      await rest;
      onFile("last");
    });
    lists.keep(["r"]);
    assert.deepEqual(
      told.map(({ paths, begins, ends }) => [paths.length, begins, ends]),
      [
        [5_000, true, undefined],
        [5_000, undefined, undefined],
      ],
    );
    go();
    await pass(0);
    const { paths, ...last } = told.at(-1) ?? assert.fail();
    assert.deepEqual([paths.length, last], [2_001, { root: "r", ends: "whole" }]);
  });

  it("of nothing are whole", async () => {
    const { lists, told, pass } = listing(async () => undefined);
    lists.keep(["r"]);
    await pass(0);
    assert.deepEqual(told, [{ root: "r", paths: [], begins: true, ends: "whole" }]);
  });

  it("end at the bound, over all roots together, and say so once", async () => {
    const { lists, logged, pass, paths } = listing(async (_, onFile) => give(5, onFile), 7);
    lists.keep(["one"]);
    await pass(0);
    lists.keep(["one", "two"]);
    await pass(0);
    lists.changed("two");
    await pass(1_000);
    assert.deepEqual([paths("one"), paths("two")], [[5], [2, 2]]);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? "", /more than 7 files/);
    lists.keep(["two"]);
    lists.changed("two");
    await pass(1_000);
    assert.deepEqual(paths("two").at(-1), 5, "what is gone counts no more");
  });

  it("say where they fail, and why in the log", async () => {
    const { lists, told, logged, pass } = listing(async (_, onFile) => {
      onFile("a");
      throw new Error("no ripgrep");
    });
    lists.keep(["r"]);
    await pass(0);
    assert.deepEqual(told, [{ root: "r", paths: ["a"], begins: true, ends: "failed" }]);
    assert.match(logged[0] ?? "", /r could not be listed: no ripgrep/);
  });

  it("are made anew once it is quiet for a second, and in ten seconds where it never is", async () => {
    const { lists, pass, paths } = listing(async (_, onFile) => give(1, onFile));
    lists.keep(["r"]);
    await pass(0);
    for (const ms of [0, 900, 900]) {
      await pass(ms);
      lists.changed("r");
    }
    await pass(999);
    assert.equal(paths("r").length, 1);
    await pass(1);
    assert.equal(paths("r").length, 2);
    await pass(60_000);
    assert.equal(paths("r").length, 2, "nothing changed");
    for (let ms = 0; ms < 10_000; ms += 500) {
      lists.changed("r");
      await pass(500);
    }
    assert.equal(paths("r").length, 3);
    lists.changed("of no workspace");
  });

  it("come at once where somebody asks, but rest between them after a long one", async () => {
    let takes = 0;
    const { lists, pass, paths, clock } = listing(async (_, onFile) => {
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
    assert.equal(paths("r").length, 2);
    assert.equal(lists.hurry(), true);
    await pass(3_999);
    assert.equal(clock.waiting, 0, "it rests");
    await pass(1);
    assert.equal(clock.waiting, 1);
  });

  it("of folders that are gone end, untold", async () => {
    const signals: AbortSignal[] = [];
    const { lists, told, logged, pass } = listing((_root, _onFile, signal) => {
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
    assert.deepEqual([told, logged], [[], []]);
  });
});
