/** What the log says of a file is what stood there; in the end, editor and disk agree. Pure. */
import { createHash } from "node:crypto";
import { type Call, callsOf, withLf } from "./calls";
import type { Trace } from "./trace";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

/** A sentence for each thing that went wrong. */
export function checkLog(trace: Trace): string[] {
  return [...callsOf(trace).flatMap(call => checkStamp(trace, call)), ...checkEnd(trace)];
}

/** The stamp in the log is that of a text that stood when the call ended: after its own edit, and as it was saved. */
function checkStamp({ happenings }: Trace, call: Call): string[] {
  const stamps = Object.values(call.result.stamps ?? {});
  const outcome = call.applies.at(-1)?.outcome;
  if (call.status !== "ok" || call.op === "Read") return [];
  if (outcome?.kind !== "applied") return ["a call without an outcome"];
  const [stamp] = stamps;
  const about = (words: string) => [`${call.op} at ${call.from}: ${words}`];
  if (!stamp || stamps.length !== 1) return about(`${stamps.length} stamps`);
  if (stamp.sha256 !== sha(outcome.text)) return about("the stamp is not that of the text that it says stands");
  const [from, to] = [call.applies.at(-1)?.from ?? 0, call.applies.at(-1)?.to ?? 0];
  const during = happenings.slice(from, to + 1);
  const stood = during.flatMap(happening => {
    if (happening.kind === "buffer") return [happening.text];
    return happening.kind === "disk" && happening.text !== undefined ? [happening.text] : [];
  });
  const seen = during.some(({ kind }) => kind === "buffer");
  if (seen && !stood.some(text => withLf(text) === withLf(outcome.text))) return about("its text never stood there");
  const isAlone = !happenings
    .slice(0, to)
    .some(
      (happening, at) =>
        happening.kind === "begin" && happening.who === "user" && endOf(happenings, happening.number) > from && at < to,
    );
  if (outcome.saved && stamp.dirty && isAlone) return about("it was saved, and is not");
  return [];
}

const endOf = (happenings: Trace["happenings"], number: number) =>
  happenings.findIndex(other => other.kind === "end" && other.number === number);

/** Without unsaved text, the editor shows what is on disk. */
function checkEnd({ happenings }: Trace): string[] {
  const end = happenings.findLast(({ kind }) => kind === "end of run");
  if (end?.kind !== "end of run") return ["the run has no end"];
  const { shown, disk } = end;
  if (!shown || shown.dirty || disk === undefined || withLf(shown.text) === withLf(disk)) return [];
  return [`the editor shows ${JSON.stringify(shown.text)} as saved, and on disk is ${JSON.stringify(disk)}`];
}
