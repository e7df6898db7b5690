/** Turn after turn with commands that change files of every kind. */
import { openSession } from "../../../src/core/session/openSession";
import { SESSION } from "../../fakes/disk/crashes";
import { say } from "../agent";
import { commandTurn, rewindable } from "../rewindable";
import { work, writable } from "./work";

const { tell, mark, from } = await work();
const place = process.argv[2] ?? "";
const { ports, models } = rewindable(place, mark);
const session = await openSession(ports, SESSION);
await writable(session.history.files);
session.subscribe(tell);
for (let at = from; ; at++) {
  models.play(...commandTurn(place, at));
  await say(session, `Do ${at}.`);
}
