/** A workspace whose files have many changes of the agent that wait for a review, and lines that a person typed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "../../src/core/agent/session/session";
import type { ScriptedModels } from "../fakes/model";
import { say } from "./agent";

const CHANGED = ["a.txt", "b.txt", "sub/c.txt"];
const LINES = 60;

export const textOf = (place: string, path: string): string => readFileSync(join(place, "app", path), "utf8");

const lineOf = (at: number, round: number) => (at % 4 === 1 ? `agent ${round} in ${at}` : `line ${at}`);

/** A turn that changes every fourth line of three files, makes one, and edits one that the review leaves alone. */
export async function changeMuch(
  place: string,
  { session, models }: { session: Session; models: ScriptedModels },
  round: number,
): Promise<void> {
  const lines = (of: number) => Array.from({ length: LINES }, (_, at) => `${lineOf(at, of)}\n`).join("");
  const write = (file_path: string, content: string) => ({ calls: [{ name: "Write", input: { file_path, content } }] });
  const untouched = Array.from({ length: LINES }, (_, at) => `line ${at}\n`).join("");
  for (const path of CHANGED) writeFileSync(join(place, "app", path), untouched);
  writeFileSync(join(place, "app/edited.txt"), "was\n");
  const paths = [...CHANGED, "edited.txt"];
  models.play(
    ...paths.map(file_path => ({ calls: [{ name: "Read", input: { file_path } }] })),
    ...CHANGED.map(path => write(path, lines(round))),
    write(`new${round}.txt`, `new ${round}\n`),
    write("edited.txt", `is ${round}\n`),
    { text: "Done." },
  );
  await say(session, `Change ${round}.`);
  for (const path of CHANGED) type(place, path, `typed ${round}\n`);
}

function type(place: string, path: string, words: string): void {
  writeFileSync(join(place, "app", path), `${textOf(place, path)}${words}`);
}
