/** The agent with a scripted model on any storage, and what has to hold of its session after a crash. */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { readWholeLog } from "../../src/core/log/readLog";
import { verifySession } from "../../src/core/proof/verify";
import type { NodeStorage } from "../../src/node/storage/sessionStorage";
import type { LogRecord } from "../../src/shared/records";
import { world } from "../fakes/agent";
import { SESSION, storageOn } from "../fakes/disk/crashes";
import { ModelDisk } from "../fakes/disk/modelDisk";
import { hash } from "../fakes/hash";

/** A window so small that three long turns nearly fill it. @param mark of the ids that it gives */
export function program(storage: NodeStorage, mark: string) {
  const settings = { "model.contextWindow": 16_000, "history.keepRounds": 1, "context.memory": "plain" as const };
  const output = Array.from({ length: 300 }, (_, at) => `${mark} line ${at} 文字\n`).join("");
  const { ports, models } = world({ mode: "auto", settings, shell: { "*": { output: [["stdout", output]] } } });
  models.reportsUsage = false;
  let count = 0;
  ports.storage = storage;
  ports.ids = { next: prefix => (prefix === "ses" ? SESSION : `${prefix}_${mark}${++count}`) };
  return { ports, models };
}

export async function say(session: Session, text: string): Promise<void> {
  await session.submit(text);
  await session.idle();
}

const long = (words: string) => `${words} ${"word ".repeat(2600)}`;

/** Three turns, closed: the next one is over four fifths of the window. */
async function threeTurns(): Promise<ModelDisk> {
  const disk = new ModelDisk();
  const { ports, models } = program(storageOn(disk), "a");
  const session = await createSession(ports);
  for (const words of ["One.", "Two.", "Three."]) {
    models.play({ text: long(words) });
    await say(session, words);
  }
  await session.close();
  return disk;
}

/** Their records, and a new disk with them each time. */
export async function afterThreeTurns() {
  const disk = await threeTurns();
  const start = () => {
    for (const { contents } of disk.powerCuts(undefined, 1)) return new ModelDisk(contents);
    throw new Error("there is always one state");
  };
  return { records: await recordsOn(storageOn(disk)), start };
}

/** Has every record that was told, proves every request, and takes the next message. */
export async function check(
  storage: NodeStorage,
  told: readonly LogRecord[],
  before: readonly LogRecord[],
  mark = "c",
  made: typeof program = program,
): Promise<void> {
  const { ports, models } = made(storage, mark);
  const session = await openSession(ports, SESSION);
  await canWrite(session);
  const { files } = session.history;
  const { records, broken, missing } = await readWholeLog(files);
  assert.deepEqual([broken, missing], [[], []]);
  assert.deepEqual(records.slice(0, before.length + told.length), [...before, ...told]);
  assert.equal(session.history.conversation.turnOpen, false);
  models.play({ text: "Yes." });
  await say(session, "Next.");
  assert.equal(session.history.conversation.end?.reason, "done");
  const { defects, requests, proven, breaks } = await verifySession(files, hash);
  assert.deepEqual([defects, breaks.unexplained, proven], [[], undefined, requests]);
  await session.close();
}

/** What took the lock over reads first what stands there: until then the session can only be read. */
export async function canWrite(session: Session): Promise<void> {
  await new Promise<void>(resolve => {
    session.subscribe(event => {
      if (event.type === "session" && !event.readOnly) resolve();
    });
    if (!session.readOnly) resolve();
  });
}

export async function recordsOn(storage: NodeStorage): Promise<LogRecord[]> {
  return (await readWholeLog(await storage.open(SESSION, { readOnly: true }))).records;
}
