/** Other programs write while a file is replaced: what they wrote is not overwritten. */
import assert from "node:assert/strict";
import { linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PreviousFile, removeFile, replaceContent } from "../../src/node/writeFile";
import { temporaryFolder } from "../fakes/temporary";

const BEFORE = "before\n";
const OURS = Buffer.from("ours\n");

describe("a file that another program writes at the same moment", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder("write");
  });

  function fresh(name: string): { path: string; before: PreviousFile } {
    const path = join(folder, name);
    writeFileSync(path, BEFORE);
    return { path, before: { bytes: Buffer.from(BEFORE), stats: statSync(path, { bigint: true }) } };
  }

  /**
   * Writes into it once, while it holds what was read, `ticks` turns of the loop after the call (or, if so, after the file
   * beside it came): gives whether both that and the call were done.
   */
  async function race(
    work: () => Promise<unknown>,
    path: string,
    theirs: string,
    ticks: number,
    afterNeighbour: boolean,
  ) {
    let over = false;
    const done = work().finally(() => {
      over = true;
    });
    const tick = () => new Promise(resolve => setImmediate(resolve));
    const isBeside = () => over || readdirSync(folder).some(name => name.startsWith(".strata-"));
    // Turn by turn, since it is there for a few of them; both ends are bounded by the work itself.
    for (let looks = 0; afterNeighbour && looks < 1_000_000 && !isBeside(); looks += 1) await tick();
    for (let count = 0; count < ticks && !over; count += 1) await tick();
    let wrote = false;
    if (!over && readIfThere(path) === BEFORE) {
      writeFileSync(path, theirs);
      wrote = true;
    }
    const isDone = await done;
    if (wrote) assert.equal(readIfThere(path), theirs);
    return wrote && Boolean(isDone);
  }

  const readIfThere = (path: string) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  };

  // As long as what was there, and not: the file system's clock may not have moved since.
  for (const theirs of ["theirs\n", "theirs, longer\n"]) {
    it(`is not replaced: ${JSON.stringify(theirs)}`, async () => {
      for (let ticks = 0; ticks < 150; ticks += 1) {
        const { path, before } = fresh(`${ticks}`);
        assert.equal(await race(() => replaceContent(path, OURS, before), path, theirs, ticks, true), false);
      }
      assert.deepEqual(
        readdirSync(folder).filter(name => name.startsWith(".strata-")),
        [],
      );
    });

    it(`is not removed: ${JSON.stringify(theirs)}`, async () => {
      for (let ticks = 0; ticks < 40; ticks += 1) {
        const { path, before } = fresh(`${ticks}`);
        assert.equal(await race(() => removeFile(path, before), path, theirs, ticks, false), false);
      }
    });

    it(`is not written in place, where it has two names: ${JSON.stringify(theirs)}`, async () => {
      for (let ticks = 0; ticks < 40; ticks += 1) {
        const { path } = fresh(`${ticks}`);
        linkSync(path, `${path} too`);
        const before = { bytes: Buffer.from(BEFORE), stats: statSync(path, { bigint: true }) };
        assert.equal(await race(() => replaceContent(path, OURS, before), path, theirs, ticks, false), false);
      }
    });
  }

  for (const isLinked of [false, true]) {
    it(`is not replaced${isLinked ? " in place" : ""} where whoever asked has second thoughts`, async () => {
      const { path } = fresh(`late-${isLinked}`);
      if (isLinked) linkSync(path, `${path} too`);
      const before = { bytes: Buffer.from(BEFORE), stats: statSync(path, { bigint: true }) };
      const neighbours = () => readdirSync(folder).filter(name => name.startsWith(".strata-")).length;
      const asked: number[] = [];
      const mayWrite = () => {
        asked.push(neighbours());
        return false;
      };
      assert.equal(await replaceContent(path, OURS, before, mayWrite), undefined);
      assert.equal(readIfThere(path), BEFORE);
      // The new file is whole by then: nothing is left to wait for.
      assert.deepEqual(asked, [isLinked ? 0 : 1]);
      assert.equal(neighbours(), 0);
    });
  }
});
