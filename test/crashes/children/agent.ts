import { createSession, openSession } from "../../../src/core/agent/session/openSession";
import { SESSION } from "../../fakes/disk/crashes";
import { SUMMARY } from "../../fakes/longConversation";
import { canWrite, program, say } from "../agent";
import { staysAlive, work } from "./work";

const { storage, isThere, tell, mark, from } = await work();
const { ports, models } = program(storage, mark);
const session = await (isThere ? openSession(ports, SESSION) : createSession(ports));
await staysAlive(canWrite(session));
session.subscribe(tell);
for (let at = from; ; at++) {
  models.play({ text: "I look.", calls: [{ name: "Bash", input: { command: "make" } }] });
  models.play({ text: `Answer ${at}. ${"word ".repeat(1000)}` });
  await say(session, `Question ${at}.`);
  models.summaries.push({ text: SUMMARY });
  await session.compaction.compact();
  models.summaries.length = 0;
  if (session.compaction.undoable.undo) await session.compaction.undo();
  if (session.compaction.undoable.redo) await session.compaction.redo();
}
