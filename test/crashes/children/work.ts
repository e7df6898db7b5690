/**
 * What programs have in common that work on a session until they are killed. Arguments: the folder of the sessions, a file for
 * each record that was told, a line each, the mark of the ids, and a number that says where in its work it begins. Whoever
 * started it hears a sign when it begins, and one for each record.
 */
import { openSync, writeSync } from "node:fs";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import type { AgentEvent } from "../../../src/shared/events";

export async function work() {
  const [, , folder = "", acknowledgements = "", mark = "", from = "0"] = process.argv;
  const told = openSync(acknowledgements, "w");
  const tell = (event: AgentEvent) => {
    if (event.type !== "record") return;
    writeSync(told, `${JSON.stringify(event.record)}\n`);
    writeSync(1, ".");
  };
  const storage = new NodeStorage(folder);
  const isThere = (await storage.usage()).length > 0;
  writeSync(1, ".");
  return { storage, isThere, tell, mark, from: Number(from) };
}

/** Nothing keeps a process alive that waits for a lock, or for what reads the session once it has it. */
export async function staysAlive<T>(waiting: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 1000);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
  }
}
