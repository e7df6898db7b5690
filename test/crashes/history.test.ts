/** Appending, compacting, undo and redo on the real storage: power cuts, kills and refusals at every single operation. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { StorageError } from "../../src/core/ground/ports";
import { decodeLog } from "../../src/core/log/codec";
import { Conversation } from "../../src/core/log/conversation";
import { project } from "../../src/core/log/project";
import { readWholeLog } from "../../src/core/log/readLog";
import { everyKill, everyPowerCut, openToWrite, SESSION, SESSION_FOLDER, storageOn } from "../fakes/disk/crashes";
import { ModelDisk } from "../fakes/disk/modelDisk";
import { systemError } from "../fakes/disk/systemError";
import { copyOf, DEEDS, type Life, live, type State } from "./lived";
import { goesOn, openedAfter, STEP, survives } from "./survives";

describe("a history on a disk", function () {
  this.timeout(180_000);
  const states: State[] = [];
  before(async () => {
    await live(await storageOn(new ModelDisk()).create(SESSION), state => states.push(state));
    assert.equal(states.length, DEEDS.length);
  });

  it("loses nothing that was acknowledged, wherever the power is cut", async () => {
    const checked = await everyPowerCut<State>(
      async (storage, acknowledge) => void (await live(await storage.create(SESSION), acknowledge)),
      async (storage, acknowledged) => {
        const files = await openedAfter(storage, acknowledged.length > 0);
        if (!files) return;
        await goesOn(await survives(files, acknowledged.at(-1), states[acknowledged.length]));
        await files.close();
      },
      24,
      undefined,
      STEP,
    );
    assert.ok(checked > 200 / STEP, `${checked} states`);
  });

  it("loses nothing that was acknowledged, wherever the process is killed, nor what the next one writes", async () => {
    let reached = 0;
    const checked = await everyKill<State>(
      async storage => {
        reached = 0;
        await live(await storage.create(SESSION), () => ++reached);
      },
      async (storage, acknowledge) => {
        if ((await storage.usage()).length === 0) return assert.equal(reached, 0);
        const files = await openToWrite(storage);
        const history = await survives(files, states[reached - 1], states[reached]);
        await goesOn(history);
        const { records } = await readWholeLog(files);
        acknowledge({ records, conversation: copyOf(history.conversation) });
      },
      async (storage, [left]) => {
        if (!left) return;
        const files = await openToWrite(storage);
        await survives(files, left, undefined);
        await files.close();
      },
      undefined,
      undefined,
      STEP,
    );
    assert.ok(checked > 100 / STEP, `${checked} states`);
  });
});

/** what takes space */
const WRITES: readonly string[] = ["open", "write", "writeSync", "fdatasync", "mkdir", "rename", "link", "syncFolder"];

/** A life on a disk that refuses `calls` calls, from the one numbered `from` on; a full one refuses no reading. */
async function lifeOnBadDisk(from: number, calls: number, code: "ENOSPC" | "EIO") {
  const disk = new ModelDisk();
  let refuses = true;
  let number = 0;
  const storage = storageOn(disk, ({ name }) => {
    // a file that cannot be closed is one that cannot be written, and that was said
    if (!refuses || name === "close" || (code === "ENOSPC" && !WRITES.includes(name))) return;
    number += 1;
    if (number >= from && number < from + calls) throw systemError(code);
  });
  let last: State | undefined;
  const acknowledge = (state: State) => {
    last = state;
  };
  const agrees = ({ conversation }: Life["history"]) => {
    // What could not be synced is in memory as it is in the file; nothing is written behind it.
    const log = disk.files.get(`${SESSION_FOLDER}/history.jsonl`)?.toString() ?? "";
    if (log !== "" && isDeepStrictEqual(conversation, project(decodeLog(log).records))) return;
    assert.deepEqual(conversation, last?.conversation ?? new Conversation(), "memory is what was acknowledged");
  };
  const life = await storage
    .create(SESSION)
    .then(files => live(files, acknowledge, agrees))
    .catch(refusedAsStorageError);
  refuses = false;
  return { disk, reached: number >= from, life, last };
}

function refusedAsStorageError(error: unknown): undefined {
  if (!(error instanceof StorageError)) throw error;
}

describe("a history on a disk that refuses", function () {
  this.timeout(180_000);
  for (const [code, counts] of [
    ["ENOSPC", [1, Number.POSITIVE_INFINITY]],
    ["EIO", [1, 5]],
  ] as const) {
    for (const calls of counts) {
      it(`${calls} calls from any on, with ${code}, loses nothing; memory is what is on disk`, async () => {
        for (let from = 1, reached = true; reached; from += STEP) {
          const world = await lifeOnBadDisk(from, calls, code);
          reached = world.reached;
          await checkPowerCuts(world).catch(error => {
            throw new Error(`from ${from} on: ${error.message}`, { cause: error });
          });
        }
      });
    }
  }
});

/** What was refused may come back with a power cut until something else is written: so that is done, where it can be. */
async function checkPowerCuts({ disk, life, last }: Awaited<ReturnType<typeof lifeOnBadDisk>>): Promise<void> {
  const settled = await life?.history
    .append({ kind: "note", level: "info", code: "c", text: "at the end" })
    .then(life.now, refusedAsStorageError);
  for (const { contents } of disk.powerCuts(undefined, settled ? 1 : 4)) {
    const files = await openedAfter(storageOn(new ModelDisk(contents)), last !== undefined);
    if (!files) continue;
    await goesOn(await survives(files, settled ?? last, settled ? undefined : "unknown"));
    await files.close();
  }
}
