/**
 * Each edit is made on the text that stands, as asked for or merged as git would; each refusal has its cause. What git says
 * is asked of git.
 */
import { createHash } from "node:crypto";
import { gitMerge } from "../../fakes/gitMerge";
import { applyEdits } from "../../fakes/textEdits";
import { type Apply, type Call, callsOf, made, textsBetween, withLf } from "./calls";
import { marksIn, writerOf } from "./marks";
import type { Trace } from "./trace";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

/** A sentence for each thing that went wrong. */
export async function checkEdits(trace: Trace): Promise<string[]> {
  const wrong: string[] = [];
  for (const call of callsOf(trace)) {
    if (!call.intent) continue;
    const about = (words: string) => `${call.op} at ${call.from}: ${words}`;
    const found = call.status === "ok" ? await checkMade(trace, call) : await checkRefused(trace, call);
    wrong.push(...found.map(about));
  }
  return wrong;
}

async function checkMade(trace: Trace, call: Call): Promise<string[]> {
  const apply = call.applies.at(-1);
  if (apply?.outcome.kind !== "applied") return ["the call says that it was made, and nothing was applied"];
  if (apply.change.base === null) return checkCreated(trace, call, apply);
  const base = textOf(trace, apply.change.base);
  if (base === undefined) return ["nobody read the text that it was made on"];
  const planned = applyEdits(base, apply.change.edits);
  return [
    ...checkStood(trace, apply, base),
    ...checkAllowed(call, base, planned),
    ...(isReviewed(call, base) ? [] : await checkIntent(call, base, planned)),
    ...checkToldOfChange(call, base),
  ];
}

/** A file is written anew where there was none, and only there. That git had taken it away for a moment nobody may have seen. */
function checkCreated(trace: Trace, { intent, allowed, from, to }: Call, { change }: Apply): string[] {
  const wasGone = textsBetween(trace, from, to).has(undefined) || goneMeanwhile(trace, from, to);
  const wanted = allowed?.accepted ?? intent?.content;
  return [
    ...(wasGone ? [] : ["it was made anew, and had never gone"]),
    ...(applyEdits("", change.edits) === wanted ? [] : ["it was made anew with other words"]),
  ];
}

/** The text that an edit was made on is the one that stood right before it. */
function checkStood({ happenings }: Trace, { from, to, change }: Apply, base: string): string[] {
  const after = withLf(applyEdits(base, change.edits));
  let before: string | undefined;
  for (const [at, happening] of happenings.entries()) {
    if (at > to) break;
    if (happening.kind === "closed") before = undefined;
    if (happening.kind !== "buffer" && happening.kind !== "opened") continue;
    if (at > from && withLf(happening.text) === after)
      return before === undefined || withLf(before) === withLf(base)
        ? []
        : [`it was made on ${JSON.stringify(before)}, but planned on ${JSON.stringify(base)}`];
    before = happening.text;
  }
  return onDisk(happenings, to, after, base, before);
}

/** An edit that the editor did not see: it was made on disk, where it would be lost under unsaved text. */
function onDisk(
  happenings: Trace["happenings"],
  to: number,
  after: string,
  base: string,
  buffer: string | undefined,
): string[] {
  const disks = happenings
    .slice(0, to)
    // What it left on disk itself is looked at right before it says so.
    .filter((happening, at) => happening.kind === "disk" && !(at === to - 1 && happening.by === "agent"))
    .flatMap(happening => (happening.kind === "disk" && happening.text !== undefined ? [happening.text] : []));
  const last = disks.at(-1);
  const later = happenings
    .slice(to)
    .some(happening => happening.kind === "buffer" && withLf(happening.text).includes(after));
  // An editor without unsaved text that has not noticed yet what is on disk will do so, or tell the person.
  const isBehind = buffer !== undefined && disks.some(text => withLf(text) === withLf(buffer));
  const wrong: string[] = [];
  if (last !== undefined && withLf(last) !== withLf(base))
    wrong.push(`it was made on ${JSON.stringify(base)}, but ${JSON.stringify(last)} was on disk`);
  if (buffer !== undefined && !later && !isBehind)
    wrong.push(`it was written to disk while the editor had ${JSON.stringify(buffer)}, which never took it in`);
  return wrong;
}

/** A person put something of their own into the proposal. */
const isReviewed = ({ allowed }: Call, base: string) =>
  marksIn(allowed?.accepted ?? "").some(mark => writerOf(mark) === "reviewer" && !base.includes(mark));

/** What stood when a person allowed it is what is made, on the text that they saw; the model hears what they changed. */
function checkAllowed(call: Call, base: string, planned: string): string[] {
  const { allowed, result } = call;
  if (!allowed) return [];
  const isChanged = isReviewed(call, base);
  const isTold = result.forms.shown.includes("The user changed your proposal");
  return [
    ...(withLf(base) === withLf(allowed.before) ? [] : ["it was allowed on another text than it was made on"]),
    ...(withLf(planned) === withLf(allowed.accepted) ? [] : [`${JSON.stringify(planned)} is not what was allowed`]),
    ...(isTold === isChanged ? [] : [`the model was ${isTold ? "" : "not "}told of changes to its proposal`]),
  ];
}

/** What was planned is the edit itself, on the text that stood, or git's merge of it. */
async function checkIntent({ intent }: Call, base: string, planned: string): Promise<string[]> {
  if (!intent) return [];
  const wanted = made(intent, intent.known);
  const result = withLf(planned);
  if (withLf(base) === withLf(intent.known))
    return result === wanted ? [] : [`it made ${JSON.stringify(result)}, not ${JSON.stringify(wanted)}`];
  if (intent.content === undefined && result === made(intent, base)) return [];
  const sides = { base: withLf(intent.known), ours: wanted ?? "", theirs: withLf(base) };
  const merged = await gitMerge(sides);
  return result === merged
    ? []
    : [`it made ${JSON.stringify(result)}, and git ${JSON.stringify(merged)}, of ${JSON.stringify(sides)}`];
}

/** Whoever edits on a newer text than he read is told so; nobody else is. */
function checkToldOfChange({ intent, result }: Call, base: string): string[] {
  const isNewer = base !== intent?.known;
  const isTold = result.forms.shown.includes("Since you read the file");
  if (isNewer === isTold) return [];
  return [
    isNewer ? "the model was not told that the file had changed" : "the model was told of a change that there was not",
  ];
}

/** A refusal has its cause in what became of the file since the session knew it. */
async function checkRefused(trace: Trace, call: Call): Promise<string[]> {
  const { intent, status, from, to } = call;
  if (!intent || status === "DENIED") return [];
  const known = withLf(intent.known);
  const texts = textsBetween(trace, from, to);
  const changed = [...texts].filter(text => text !== undefined && text !== known) as string[];
  const isGone = texts.has(undefined) || goneMeanwhile(trace, from, to);
  if (status === "NOT_FOUND") return isGone ? [] : ["NOT_FOUND, but the file was always there"];
  if (changed.length === 0) return [`${status}, but the file never changed: ${call.result.forms.shown}`];
  if (status === "STALE") return call.applies.length >= 5 ? [] : [`STALE after ${call.applies.length} tries`];
  if (status !== "CONFLICT") return [`${status}: ${call.result.forms.shown}`];
  for (const theirs of changed) {
    const merged = await gitMerge({ base: known, ours: made(intent, known) ?? "", theirs });
    if (merged === undefined) return [];
  }
  return [`CONFLICT, but git merges it with each of ${JSON.stringify(changed)}`];
}

/** Another program was at it: git takes a file away before it puts another in its place. */
const goneMeanwhile = ({ happenings }: Trace, from: number, to: number) =>
  happenings.slice(0, to).some((begin, at) => {
    if (
      begin.kind !== "begin" ||
      begin.who !== "outside" ||
      !["checkout", "stash", "delete", "rename"].includes(begin.op)
    )
      return false;
    const end = happenings.findIndex(other => other.kind === "end" && other.number === begin.number);
    return end > from || at > from;
  });

/** A text that Strata read or wrote, by its hash. */
function textOf({ happenings }: Trace, sha256: string): string | undefined {
  for (const happening of happenings) {
    if (happening.kind === "read" && happening.sha256 === sha256) return happening.text;
    if (happening.kind === "applied" && happening.outcome.kind === "applied") {
      const { stamp, text } = happening.outcome;
      if (stamp.sha256 === sha256 && sha(text) === sha256) return text;
    }
  }
  return undefined;
}
