/** Takes the agent's changes back, one by one and whole files, and edits that it takes back and makes again. */
import { setTimeout as delay } from "node:timers/promises";
import { openSession } from "../../../src/core/agent/session/openSession";
import { SESSION } from "../../fakes/disk/crashes";
import { Random } from "../../fakes/random";
import { canWrite } from "../agent";
import { textOf } from "../reviewable";
import { rewindable } from "../rewindable";
import { staysAlive, work } from "./work";

const { tell, mark, from } = await work();
const place = process.argv[2] ?? "";
const random = new Random(from);
const session = await openSession(rewindable(place, mark).ports, SESSION);
await staysAlive(canWrite(session));
session.subscribe(tell);
const { review, edits } = session;
const turn = session.history.conversation.turn;
for (;;) {
  const waiting = await review.list();
  const changes = waiting.filter(({ path }) => !path.startsWith("edited"));
  const edited = (await edits.changesOf(turn)).files.filter(({ path }) => path.startsWith("edited"));
  const file = random.chance(0.7) && changes.length > 0 ? random.pick(changes) : undefined;
  if (file?.kind === "created") await review.undo(file.uri);
  else if (file) {
    const change = random.pick(await review.changesIn(file.uri, textOf(place, file.path)));
    if (random.chance(0.15)) await review.keep(file, change.id);
    else await review.undo(file.uri, random.chance(0.05) ? undefined : change.id);
  } else {
    const { uri, undone } = random.pick(edited);
    await edits.revert(undone > 0 ? "redo" : "undo", { turn, uri });
  }
  await delay(0);
}
