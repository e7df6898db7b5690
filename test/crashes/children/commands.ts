/** Turn after turn with commands that change files of every kind. */
import { openSession } from "../../../src/core/agent/session/openSession";
import { SESSION } from "../../fakes/disk/crashes";
import { canWrite, say } from "../agent";
import { commandTurn, rewindable } from "../rewindable";
import { staysAlive, work } from "./work";

const { tell, mark, from } = await work();
const place = process.argv[2] ?? "";
const { ports, models } = rewindable(place, mark);
const session = await openSession(ports, SESSION);
await staysAlive(canWrite(session));
session.subscribe(tell);
for (let at = from; ; at++) {
  models.play(...commandTurn(place, at));
  await say(session, `Do ${at}.`);
}
