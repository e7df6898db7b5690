/** Lists of files, given away part by part. */
import assert from "node:assert/strict";
import { FileLists, type FileListsDeps } from "../../src/vscode/mentions/fileLists";

const cut: number[] = [];
const listsOf = (files: FileListsDeps["files"], most?: number) =>
  new FileLists({ files, onCut: count => cut.push(count), ...(most !== undefined && { most }) });

async function whole(lists: FileLists, root: string, list = 1): Promise<string[]> {
  const found: string[] = [];
  let more = true;
  for (let parts = 0; more && parts < 10_000; parts++) {
    const { paths, done } = await lists.next({ root, list });
    found.push(...paths);
    more = !done;
  }
  assert.equal(more, false, "the list has an end");
  return found;
}

describe("file lists", () => {
  beforeEach(() => cut.splice(0));

  it("give all of many files, in parts, before the last one was found", async () => {
    const { promise: rest, resolve: go } = Promise.withResolvers<void>();
    const lists = listsOf(async (_, onFile) => {
      for (let n = 0; n < 12_000; n++) onFile(`a${n}`);
      await rest;
      onFile("last");
    });
    const first = await lists.next({ root: "r", list: 1 });
    assert.equal(first.done, false);
    assert.equal(first.paths.length, 5_000);
    go();
    assert.equal((await whole(lists, "r")).length, 7_001);
  });

  it("are empty where nothing is", async () => {
    assert.deepEqual(await listsOf(async () => undefined).next({ root: "r", list: 1 }), { paths: [], done: true });
  });

  it("end at the bound, over all roots together, and say so once", async () => {
    const asked: boolean[] = [];
    const lists = listsOf(async (_, onFile) => {
      for (let n = 0; n < 5; n++) asked.push(onFile(`a${n}`));
    }, 7);
    assert.equal((await whole(lists, "one")).length, 5);
    assert.equal((await whole(lists, "two")).length, 2);
    assert.equal((await whole(lists, "two", 2)).length, 2);
    assert.deepEqual(cut, [7]);
    assert.equal(asked.filter(wanted => !wanted).length, 6);
  });

  it("begin anew with a new number, and end what runs for the old one", async () => {
    const signals: AbortSignal[] = [];
    const lists = listsOf((_, onFile, signal) => {
      signals.push(signal);
      onFile(`list ${signals.length}`);
      return signals.length === 1 ? new Promise(() => undefined) : Promise.resolve();
    });
    assert.deepEqual(await lists.next({ root: "r", list: 1 }), { paths: ["list 1"], done: false });
    assert.deepEqual(await whole(lists, "r", 2), ["list 2"]);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
  });

  it("reject with what kept the files from being listed, after what was found", async () => {
    const lists = listsOf(async (_, onFile) => {
      onFile("a");
      throw new Error("no ripgrep");
    });
    await assert.rejects(whole(lists, "r"), /no ripgrep/);
    await assert.rejects(whole(lists, "r", 2), /no ripgrep/);
  });

  it("are forgotten when whoever asked is gone", async () => {
    let runs = 0;
    const lists = listsOf(async (_, onFile) => void onFile(`run ${++runs}`));
    await lists.next({ root: "r", list: 1 });
    lists.reset();
    assert.deepEqual(await whole(lists, "r", 1), ["run 2"]);
  });

  it("of folders that are gone count no more, and what lists them ends", async () => {
    const signals: AbortSignal[] = [];
    const lists = listsOf((root, onFile, signal) => {
      signals.push(signal);
      for (let n = 0; n < 5; n++) onFile(`a${n}`);
      if (root !== "under way") return Promise.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }, 12);
    assert.equal((await whole(lists, "one")).length, 5);
    assert.equal((await lists.next({ root: "under way", list: 2 })).paths.length, 5);
    const rest = lists.next({ root: "under way", list: 2 });
    lists.keep(["two", "three"]);
    await assert.rejects(rest);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, true],
    );
    // Asked before the server knew: nothing is listed that nobody needs.
    assert.deepEqual(await lists.next({ root: "under way", list: 2 }), { paths: [], done: true });
    assert.equal(signals.length, 2);
    assert.equal((await whole(lists, "two", 3)).length, 5);
    assert.equal((await whole(lists, "three", 4)).length, 5);
    assert.deepEqual(cut, []);
  });
});
