/** A question about a permission that waits: power cuts and kills at every operation of its session. */
import assert from "node:assert/strict";
import { openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { verifySession } from "../../src/core/proof/verify";
import type { NodeStorage } from "../../src/node/storage/sessionStorage";
import type { LogRecord } from "../../src/shared/records";
import { everyKill, everyPowerCut, onceSynced, SESSION } from "../fakes/disk/crashes";
import type { ModelDisk } from "../fakes/disk/modelDisk";
import { eventually } from "../fakes/eventually";
import { hash } from "../fakes/hash";
import { afterThreeTurns, canWrite, program, recordsOn } from "./agent";
import { STEP } from "./survives";

/** With a mode in which a command asks. */
function asking(storage: NodeStorage, mark: string) {
  const made = program(storage, mark);
  const settings = { ...made.ports.settings.get(), "permissions.mode": "ask" as const };
  return { ...made, ports: { ...made.ports, settings: { get: () => settings } } };
}

const settled = (session: Session) =>
  eventually("it asks, or is at rest", () => ["asking", "idle"].includes(session.state) || undefined);

/** Up to the question, and then a close. */
async function asked(storage: NodeStorage, told: (record: LogRecord) => void): Promise<void> {
  const { ports, models } = asking(storage, "b");
  const session = await openSession(ports, SESSION);
  session.subscribe(event => event.type === "record" && told(event.record));
  models.play({ text: "I look.", calls: [{ name: "Bash", input: { command: "make" } }] });
  await session.submit("And now?");
  await settled(session);
  await session.close();
}

/** What was told is there; a question that was told waits, and its answer goes on with the turn. */
async function goesOn(storage: NodeStorage, told: readonly LogRecord[], mark: string): Promise<void> {
  const { ports, models } = asking(storage, mark);
  const session = await openSession(ports, SESSION);
  await canWrite(session);
  await settled(session);
  const { records } = session.history;
  const seqs = new Set(records.map(({ seq }) => seq));
  assert.ok(told.every(({ seq }) => seqs.has(seq)));
  const [question] = session.history.conversation.asked.keys();
  if (told.some(({ kind }) => kind === "approval")) assert.equal(session.state, "asking");
  if (question !== undefined) {
    models.play({ text: "Made." });
    session.answer(question, { decision: "allow", scope: "once" });
    await session.idle();
    assert.equal(session.history.conversation.end?.reason, "done");
    assert.equal(records.filter(({ kind }) => kind === "result").length, 1);
  }
  assert.equal(session.history.conversation.turnOpen, false);
  assert.deepEqual((await verifySession(session.history.files, hash)).defects, []);
  await session.close();
}

describe("an approval that waits, cut off", function () {
  this.timeout(300_000);
  let start: () => ModelDisk;
  before(async () => {
    ({ start } = await afterThreeTurns());
  });

  it("waits again wherever the power is cut", async () => {
    const checked = await everyPowerCut<LogRecord>(
      (storage, acknowledge) => asked(storage, onceSynced(storage, acknowledge).note),
      (storage, told) => goesOn(storage, told, "c"),
      12,
      start,
      STEP,
    );
    assert.ok(checked > 50 / STEP, `${checked} states`);
  });

  it("waits again wherever the process is killed", async () => {
    let told: LogRecord[] = [];
    const checked = await everyKill<LogRecord[]>(
      async storage => {
        told = [];
        await asked(storage, record => told.push(record));
        await storage.usage();
      },
      async (storage, acknowledge) => {
        await goesOn(storage, told, "c");
        acknowledge(await recordsOn(storage));
      },
      async (storage, [left]) => assert.deepEqual(await recordsOn(storage), left),
      1,
      start,
      STEP,
    );
    assert.ok(checked > 20 / STEP, `${checked} states`);
  });
});
