/** Real processes on a real disk, killed (in the soak 200 times) wherever they are in appending, compacting, undo and redo. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NodeStorage } from "../../src/node/storage/sessionStorage";
import type { LogRecord } from "../../src/shared/records";
import { isSoak } from "../fakes/soak";
import { temporaryFolder } from "../fakes/temporary";
import { check, recordsOn } from "./agent";
import { buildChildren, killed } from "./killing";
import { goesOn, openedAfter, survives } from "./survives";
import { checkTree, treeProgram } from "./tree";

/** Kills of each session, one after the other: what the first left, the last one works on. */
const KILLS_OF_EACH = isSoak("kills") ? 20 : 5;
const [HISTORIES, AGENTS, TREES] = isSoak("kills")
  ? [[..."abcdefgh"], ["y", "z"], [..."12345"]]
  : [["a"], ["y"], ["1"]];
/** Each lives until it told a number of records, and a little longer, so that it is in the middle of something. */
const MOST_RECORDS = 12;
const LITTLE_MS = 4;
/** Of a turn with agents: each request is a sign too. */
const SIGNS_OF_TREE = { mostRecords: 60, littleMs: 8 };

describe("a process that is killed", function () {
  this.timeout(isSoak("kills") ? 1_200_000 : 240_000);
  const folder = temporaryFolder("killed");
  before(() => buildChildren(folder, "history", "agent", "tree"));

  /** @param opens looks at what is left, and works on it @returns how many records were told */
  async function killAgainAndAgain(
    what: string,
    name: string,
    opens: (storage: NodeStorage, told: LogRecord[], before: LogRecord[], kill: number) => Promise<void>,
    { mostRecords, littleMs } = { mostRecords: MOST_RECORDS, littleMs: LITTLE_MS },
  ): Promise<number> {
    const place = join(folder, name);
    let before: LogRecord[] = [];
    let count = 0;
    for (let kill = 1; kill <= KILLS_OF_EACH; kill++) {
      mkdirSync(place, { recursive: true });
      const program = join(folder, `${what}.mjs`);
      const told = await killed({ program, place, kill, mostRecords, littleMs });
      count += told.length;
      const storage = new NodeStorage(place, { pollMs: 5 });
      if (before.length + told.length === 0 && (await storage.usage()).length === 0) {
        // killed before the first write: a folder without a session, whose name nobody uses again
        rmSync(place, { recursive: true });
        continue;
      }
      await opens(storage, told, before, kill).catch(error => {
        throw new Error(`${name}, kill ${kill}: ${error.message}`, { cause: error });
      });
      before = await recordsOn(storage);
    }
    return count;
  }

  it("over a history: nothing that was told is lost, the last write at most is cut, what is left can be worked with", async () => {
    const opens = async (storage: NodeStorage, told: LogRecord[], before: LogRecord[], kill: number) => {
      const files = await openedAfter(storage, true);
      assert.ok(files);
      await goesOn(await survives(files, { records: [...before, ...told] }, "unknown", `after${kill}_`));
      await files.close();
    };
    const several = (names: string[]) => names.map(name => () => killAgainAndAgain("history", name, opens));
    const counts = await sideBySide(several(HISTORIES));
    assert.ok(Math.min(...counts) > KILLS_OF_EACH, `${counts} records were told`);
  });

  it("over a whole agent: the same, and every request is proven", async () => {
    const counts = await sideBySide(
      AGENTS.map(
        name => () =>
          killAgainAndAgain("agent", name, (storage, told, before, kill) => check(storage, told, before, `c${kill}_`)),
      ),
    );
    assert.ok(Math.min(...counts) > KILLS_OF_EACH, `${counts} records were told`);
  });

  it("over a tree of agents: each that began has ended, is paid for, and what it changed is known", async () => {
    const opens = async (storage: NodeStorage, told: LogRecord[], before: LogRecord[], kill: number) => {
      await check(storage, told, before, `c${kill}_`, treeProgram);
      interrupted = await checkTree(storage);
    };
    let interrupted = 0;
    await sideBySide(TREES.map(name => () => killAgainAndAgain("tree", name, opens, SIGNS_OF_TREE)));
    assert.ok(interrupted > 0, `${interrupted} agents were at work`);
  });
});

/** Two at a time. */
async function sideBySide<T>(tasks: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const work = async () => {
    for (let task = tasks.shift(); task; task = tasks.shift()) results.push(await task());
  };
  await Promise.all([work(), work()]);
  return results;
}
