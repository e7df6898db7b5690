/** Goes back to before the first turn, and takes that back, again and again. */
import { setTimeout as delay } from "node:timers/promises";
import { openSession } from "../../../src/core/agent/session/openSession";
import { SESSION } from "../../fakes/disk/crashes";
import { canWrite } from "../agent";
import { rewindable } from "../rewindable";
import { staysAlive, work } from "./work";

const { tell, mark, from } = await work();
const { ports } = rewindable(process.argv[2] ?? "", mark);
const session = await openSession(ports, SESSION);
await staysAlive(canWrite(session));
session.subscribe(tell);
for (let at = from; ; at++) {
  await session.rewind.rewind(1, at % 2 === 0 ? "both" : "files");
  await session.rewind.undo();
  await delay(0);
}
