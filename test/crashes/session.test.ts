/** A whole turn with a compaction over it, undo and redo: power cuts, kills and refusals at every operation of its session. */
import assert from "node:assert/strict";
import { openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { SessionError, StorageError } from "../../src/core/ground/ports";
import type { NodeStorage } from "../../src/node/storage/sessionStorage";
import type { LogRecord } from "../../src/shared/records";
import { everyKill, everyPowerCut, onceSynced, SESSION, storageOn } from "../fakes/disk/crashes";
import type { ModelDisk } from "../fakes/disk/modelDisk";
import { systemError } from "../fakes/disk/systemError";
import { SUMMARY } from "../fakes/longConversation";
import { afterThreeTurns, check, program, recordsOn, say } from "./agent";
import { STEP } from "./survives";

/** @param told of each record @param atRest whether all that was told outlives a power cut: asked where something leaves */
async function turn(
  storage: NodeStorage,
  told: (record: LogRecord) => void,
  atRest: () => boolean = () => true,
): Promise<Session> {
  const { ports, models } = program(storage, "b");
  // Kept: what is thrown there is an answer of a tool or of a model.
  const early: string[] = [];
  const { run } = ports.shell;
  ports.shell.run = (...args) => {
    if (!atRest()) early.push("a command runs whose record may be lost");
    return run.apply(ports.shell, args);
  };
  const session = await openSession(ports, SESSION);
  session.subscribe(event => event.type === "record" && told(event.record));
  models.summaries.push({ text: SUMMARY });
  const connect = models.connect.bind(models);
  models.connect = async choice => {
    const connection = await connect(choice);
    const open: typeof connection.open = beforeSend =>
      connection.open(async sha256 => {
        await beforeSend(sha256);
        if (!atRest()) early.push("a request leaves whose records may be lost");
      });
    return { ...connection, open };
  };
  models.play({ text: "I look.", calls: [{ name: "Bash", input: { command: "make" } }] }, { text: "Four." });
  for (const act of [
    () => say(session, "And now?"),
    () => session.compaction.undo(),
    () => session.compaction.redo(),
  ]) {
    await act().catch(error => {
      if (!(error instanceof StorageError || error instanceof SessionError)) throw error;
    });
  }
  assert.deepEqual(early, []);
  return session;
}

describe("a turn with a compaction", function () {
  this.timeout(300_000);
  let threeOfThem: LogRecord[];
  let start: () => ModelDisk;
  before(async () => {
    ({ records: threeOfThem, start } = await afterThreeTurns());
  });

  it("is over four fifths of the window, compacts, and ends well", async () => {
    const told: LogRecord[] = [];
    const session = await turn(storageOn(start()), record => told.push(record));
    await session.close();
    const kinds = told.map(({ kind }) => kind).filter(kind => kind !== "note");
    const ends = ["message", "result", "message", "turnEnd", "undo", "redo"];
    assert.deepEqual(kinds, ["message", "compaction", ...ends]);
  });

  it("loses nothing that was told, wherever the power is cut", async () => {
    const checked = await everyPowerCut<LogRecord>(
      async (storage, acknowledge) => {
        const synced = onceSynced(storage, acknowledge);
        await (await turn(storage, synced.note, synced.isEmpty)).close();
      },
      (storage, told) => check(storage, told, threeOfThem),
      12,
      start,
      STEP,
    );
    assert.ok(checked > 200 / STEP, `${checked} states`);
  });

  it("loses nothing that was told, wherever the process is killed, nor what the next one writes", async () => {
    let told: LogRecord[] = [];
    const checked = await everyKill<LogRecord[]>(
      async storage => {
        told = [];
        const session = await turn(storage, record => told.push(record));
        await session.close();
        // rejects where it was killed
        await storage.usage();
      },
      async (storage, acknowledge) => {
        await check(storage, told, threeOfThem);
        acknowledge(await recordsOn(storage));
      },
      async (storage, [left]) => {
        assert.deepEqual(await recordsOn(storage), left);
        await check(storage, [], left ?? [], "d");
      },
      2,
      start,
      STEP,
    );
    assert.ok(checked > 100 / STEP, `${checked} states`);
  });

  for (const [code, calls] of [
    ["EIO", 1],
    ["EIO", 5],
    ["ENOSPC", 5],
  ] as const) {
    it(`loses nothing that was told where the disk refuses ${calls} calls from any on, with ${code}`, async () => {
      for (let from = 1, reached = true; reached; from += STEP) {
        const disk = start();
        let number = 0;
        let refuses = true;
        const storage = storageOn(disk, ({ name }) => {
          if (name === "close" || !refuses) return;
          number += 1;
          if (number >= from && number < from + calls) throw systemError(code);
        });
        const told: LogRecord[] = [];
        const session = await turn(storage, record => told.push(record)).catch(refusedAsStorageError);
        reached = number >= from;
        await session?.close().catch(refusedAsStorageError);
        refuses = false;
        await check(storageOn(disk), told, threeOfThem).catch(error => {
          throw new Error(`from ${from} on: ${error.message}`, { cause: error });
        });
      }
    });
  }
});

function refusedAsStorageError(error: unknown): undefined {
  if (!(error instanceof StorageError)) throw error;
}
