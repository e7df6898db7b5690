/** Revisions of files made again, hunk by hunk, with calls of Edit, while a colleague changes the same files. */
import { structuredPatch } from "diff";
import { withLf } from "../../../../src/core/ground/text/lines";
import type { Json } from "../../../../src/shared/messages";
import type { Random } from "../../../fakes/random";
import { Harness } from "../../looking/harness";
import type { Revision } from "./codeHistory";

type Replacement = [before: string, after: string];

/** A call and what came of it. Texts have `\n`. */
export interface Replayed {
  what: string;
  replacements: Replacement[];
  /** the text as the session knew it */
  known: string;
  /** as it stood when the call came, and after it */
  now: string;
  after: string;
  status: string;
  text: string;
}

/** Some of the calls are such as models make when they do not look: wrong spaces, too little quoted. */
const CARELESS = 0.08;
const COLLEAGUE = 0.6;

export async function replay(revision: Revision, random: Random): Promise<Replayed[]> {
  const { path, before, after } = revision;
  const harness = new Harness({ app: { [path]: before } });
  await harness.call("Read", { file_path: path });
  const hunks = hunksOf(withLf(before), withLf(after), random);
  const isMulti = hunks.length > 1 && random.chance(0.5);
  const calls = isMulti ? [hunks] : hunks.map(hunk => [hunk]);
  const replayed: Replayed[] = [];
  for (const replacements of calls) {
    const known = lfOnDisk(harness, path);
    if (random.chance(CARELESS)) replayed.push(await call(harness, path, known, [careless(known, random)]));
    if (random.chance(COLLEAGUE)) harness.files.put(path, changed(harness.files.onDisk(path) ?? "", random));
    // What the session knows is what it read or left: the colleague's change came after.
    replayed.push(await call(harness, path, known, replacements));
    if (replayed.at(-1)?.status !== "ok") await harness.call("Read", { file_path: path });
  }
  return replayed;
}

async function call(harness: Harness, path: string, known: string, replacements: Replacement[]): Promise<Replayed> {
  const edits = replacements.map(([old_string, new_string]) => ({ old_string, new_string }));
  const now = lfOnDisk(harness, path);
  const more: Record<string, Json> = edits.length > 1 ? { edits } : { ...edits[0] };
  const { status, text } = await harness.call("Edit", { file_path: path, ...more });
  return { what: `Edit ${path}`, replacements, known, now, after: lfOnDisk(harness, path), status, text };
}

const lfOnDisk = (harness: Harness, path: string) => withLf(harness.files.onDisk(path) ?? "");

/** Each with as much around it as it takes to stand once in the text that the hunks before it leave. */
function hunksOf(before: string, after: string, random: Random): Replacement[] {
  for (let context = random.int(0, 3); ; context += 1) {
    const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context });
    const replacements = hunks.map(({ lines }): Replacement => [side(lines, "-"), side(lines, "+")]);
    if (context > 60 || made(replacements, before) === after || made(replacements, `${before}\n`) === `${after}\n`)
      return replacements.filter(([old, now]) => old !== "" && old !== now);
  }
}

const side = (lines: readonly string[], sign: "-" | "+") =>
  lines
    .filter(line => line.startsWith(" ") || line.startsWith(sign))
    .map(line => line.slice(1))
    .join("\n");

/** What the replacements make of a text; a number: how often the first that does not stand there once does. */
export function made(replacements: readonly Replacement[], text: string): string | number {
  let now = text;
  for (const [before, after] of replacements) {
    const parts = now.split(before);
    if (parts.length !== 2) return parts.length - 1;
    now = parts.join(after);
  }
  return now;
}

/** What a colleague makes of a file: a line or two. */
function changed(text: string, random: Random): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(lineEnd);
  for (let change = random.int(1, 2); change > 0; change -= 1) {
    const at = random.int(0, lines.length - 1);
    const kind = random.weighted({ edit: 3, insert: 3, remove: 2 });
    if (kind === "edit") lines[at] = `${lines[at]} // colleague ${random.int(0, 99)}`;
    if (kind === "insert") lines.splice(at, 0, `// colleague ${random.int(0, 99)}`);
    if (kind === "remove") lines.splice(at, 1);
  }
  return lines.join(lineEnd);
}

/** A quotation with the wrong spaces, or of a line that stands there more than once. */
function careless(known: string, random: Random): Replacement {
  const lines = known.split("\n");
  const line = random.pick(lines.filter(candidate => candidate.trim().length > 3));
  if (random.chance(0.5)) return [line.replace(/^(\s*)(\S+) ?/, "$1$2\u00a0 "), "careless"];
  const often = lines.filter(
    candidate => candidate.trim() !== "" && lines.indexOf(candidate) !== lines.lastIndexOf(candidate),
  );
  return [often.length > 0 ? random.pick(often) : `${line}!`, "careless"];
}
