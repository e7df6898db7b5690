import { writeSync } from "node:fs";
import { createSession, openSession } from "../../../src/core/agent/session/openSession";
import { SESSION } from "../../fakes/disk/crashes";
import { transcript } from "../../fakes/model";
import { canWrite, say } from "../agent";
import { treeProgram } from "../tree";
import { staysAlive, work } from "./work";

/** A turn with three explorers and a writer, which has an explorer of its own. */
const { storage, isThere, tell, mark, from } = await work();
const { ports, models } = treeProgram(storage, mark);
const session = await (isThere ? openSession(ports, SESSION) : createSession(ports, SESSION));
await staysAlive(canWrite(session));
session.subscribe(tell);

const task = (subagent_type: string, name: string) => ({
  name: "Task",
  input: { description: name, prompt: `«do ${name}»`, subagent_type },
});
const read = { name: "Read", input: { file_path: "src/a.ts" } };
const found = { text: "The file `src/a.ts:1` says one." };
const steps = new Map<string, number>();
models.route = asked => {
  writeSync(1, ".");
  const lines = transcript(asked);
  const name = lines
    .flatMap(line => /«do ([\w.]+)»/.exec(line)?.[1] ?? [])
    .find(() => lines.every(line => !line.includes("Question")));
  const step = (steps.get(name ?? "") ?? 0) + 1;
  steps.set(name ?? "", step);
  if (name === undefined)
    return step % 2 === 1
      ? {
          calls: [
            ...["a", "b", "c"].map(each => task("explore", `${each}${mark}${step}`)),
            task("writer", `w${mark}${step}`),
          ],
        }
      : { text: "Done." };
  if (!name.startsWith("w")) return step <= 2 ? { calls: [read] } : found;
  const write = { name: "Write", input: { file_path: `out/${name}.${step}.ts`, content: "x\n" } };
  return (
    [{ calls: [write, task("explore", `d${name}`)] }, { calls: [write, read] }, { text: "I wrote it." }][step - 1] ??
    found
  );
};
for (let at = from; ; at++) await say(session, `Question ${at}.`);
