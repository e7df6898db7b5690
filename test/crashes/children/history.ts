import { setTimeout as delay } from "node:timers/promises";
import { History } from "../../../src/core/log/history";
import { Chronicle, historyDeps } from "../../core/log/chronicle";
import { SESSION } from "../../fakes/disk/crashes";
import { DEEDS } from "../lived";
import { staysAlive, work } from "./work";

const { storage, isThere, tell, mark, from } = await work();
const files = await (isThere ? storage.open(SESSION) : storage.create(SESSION));
if (!files.writable) await staysAlive(new Promise(resolve => files.onLockChange(resolve)));
const deps = { ...historyDeps(mark), emit: tell };
const history = isThere ? (await History.open(files, deps)).history : new History(files, deps);
const life = new Chronicle(history, mark);
for (let at = from; ; at++) {
  const deed = DEEDS[at % DEEDS.length];
  if (deed) await life.do(deed);
  // a deed may find nothing to do and take no time
  await delay(0);
}
