/**
 * What Edit and Write share: the text that an edit starts from, the question that it asks, and the
 * compare-and-swap that makes it (docs/tools.md, "Edits and the version that was read").
 */
import type { Redact } from "../../../shared/redacted";
import type { FileVersion, Stamp } from "../../../shared/toolResult";
import type { ApplyOutcome, FileRef, Files, TextEdit, TextFile } from "../../ground/ports";
import { ToolError } from "../../ground/ports";
import { changeWithRanges, fileChange, rangesText, type ToldLines, toldLines } from "../../ground/text/diff";
import { counted, size } from "../../ground/text/format";
import { countLines, withLf } from "../../ground/text/lines";
import type { SnapshotFields, Snapshots } from "../../log/snapshots";
import { toVersion, withSnapshot } from "../../log/stamps";
import { type FindPorts, statFile } from "../../tool/resolvePlaces";
import type { CallContext, PreparedCall, RunContext, ToolOutcome } from "../../tool/tool";
import { MOVED, success } from "../../tool/tool";
import { applyChecked, type CheckedPorts, type SinceEdit } from "../diagnostics/problems";
import { isNotebookPath } from "./notebook";
import { notebookChange, sameCells, writeNote } from "./notebookEdit";
import { type EditPlan, planLines } from "./planEdits";
import { revisionNote } from "./proposalRevision";
import { changedSince, type EditIntent, planIfPossible, rebase } from "./rebase";

export interface EditPorts extends FindPorts, CheckedPorts {
  files: FindPorts["files"] & Files;
  /** The text of a file as the session read or left it; undefined: not known any more. */
  textOf(version: FileVersion): Promise<string | undefined>;
  /** Keeps a text that the model knows and no file holds, so that `textOf` gives it. */
  remember(text: string): Promise<FileVersion>;
  /** states before and after each edit; absent: none is kept */
  snapshots?: Snapshots;
}

type ApplyPorts = CheckedPorts & Pick<EditPorts, "snapshots" | "remember">;

export const MAX_EDIT_BYTES = 20 * 1024 * 1024;

/**
 * The edit on the file's current text. Throws ToolError: NOT_READ where this session has not read the file, CONFLICT where
 * it changed since in the place of the edit, STALE where it changed and its earlier text is not known any more; and what the
 * intent's plan throws. A changed time alone is no change.
 */
export async function prepareEdit(
  ports: EditPorts,
  call: CallContext,
  { toolName, ref, intent }: Pick<PlannedChange, "toolName" | "ref"> & { intent: EditIntent },
): Promise<PreparedCall> {
  // It holds for missing files as well.
  if (!call.stampOf(ref.uri) && intent.quotes !== "file" && call.protectedBecause(ref) !== undefined)
    ofKnown(() => {
      throw notReadError(ref);
    });
  const { base, stamp } = await openForEdit(ports, ref, call);
  const isInPart = stamp.parts !== undefined && !stamp.seen;
  // It would take away what the model never saw.
  if (isInPart && intent.quotes === "file") throw notReadWholeError(ref, stamp);
  const textOf = async (of: FileVersion) => (of.sha256 === base.stamp.sha256 ? base.text : ports.textOf(of));
  const version = toVersion(stamp.seen ?? stamp);
  const seen = { version, text: await textOf(version) };
  // The model may have looked at a change with a command: then it may quote the newer text too.
  const isTold = intent.quotes !== "file" && seen.text !== base.text;
  const from = isTold ? await textOf(stamp) : seen.text;
  if (from === undefined) {
    const words = `${ref.path} changed since you read it. Nothing was changed. Read it again, then edit what it holds now.`;
    throw new ToolError("STALE", words, { path: ref.path });
  }
  const place = { intent, base, path: ref.path, redact: call.redact };
  const isKnown = stamp.sha256 === base.stamp.sha256 && !stamp.seen && !stamp.parts;
  const planned = () => planOn(from, isTold ? seen.text : undefined, place);
  const plan = isKnown ? ofKnown(planned) : planned();
  const { told } = stamp.seen ?? {};
  const text = (told && (await textOf(told))) ?? seen.text;
  const read = seen.text === base.text ? undefined : { version, text, wasCut: told !== undefined };
  return prepareChange(ports, { toolName, ref, base, read, isInPart, ...plan });
}

/** @param read the text that the edit is meant for @param before an older one, that it may quote too */
function planOn(
  read: string,
  before: string | undefined,
  place: { intent: EditIntent; base: TextFile; path: string; redact: Redact },
): EditPlan {
  const { intent, base, path } = place;
  if (read !== base.text) return rebase(intent, read, base.text, place);
  let plan: EditPlan;
  try {
    plan = intent.plan(read);
  } catch (error) {
    // Where it quotes only what stood there before, both sides are shown, or merged.
    const isMissing = error instanceof ToolError && error.code === "NO_MATCH";
    if (!isMissing || before === undefined || !planIfPossible(intent, before)) throw error;
    return rebase(intent, before, base.text, place);
  }
  if (plan.edits.length > 0) return plan;
  const what = isNotebookPath(path)
    ? "exactly these cells already, and Write leaves outputs and metadata of cells that stay as they are"
    : "exactly this content already";
  throw new ToolError("INVALID_INPUT", `${path} has ${what}. Nothing was written.`, { path });
}

/** What it throws tells nothing of the file that the model does not know. */
function ofKnown<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ToolError) error.saysNothingNew = true;
    throw error;
  }
}

const notReadError = ({ path }: FileRef) =>
  new ToolError("NOT_READ", `${path} was not read in this session. Read it first. Nothing was changed.`, { path });

function notReadWholeError({ path }: FileRef, { parts }: Stamp): ToolError {
  const { lines = [], total = 0 } = parts ?? {};
  const unit = isNotebookPath(path) ? "cell" : "line";
  const spans = lines.map(([first, last]) => (first === last ? first : `${first}–${last}`)).join(", ");
  const read =
    lines.length > 0 ? `Of ${path}, only ${unit}s ${spans} of ${total} were read` : `${path} was read in part only`;
  const next = `Read the rest (of a ${unit} that is too long for it, there is no way to), or use Edit.`;
  return new ToolError("NOT_READ", `${read}: Write would replace all of it. ${next} Nothing was changed.`, { path });
}

async function openForEdit(ports: EditPorts, ref: FileRef, call: CallContext) {
  await statFile(ports, ref, call);
  const stamp = call.stampOf(ref.uri);
  const { path } = ref;
  if (!stamp) throw notReadError(ref);
  const base = await ports.files.read(ref, MAX_EDIT_BYTES);
  if (base.kind === "text") return { base, stamp };
  const what = `a binary file (${base.mediaType ?? "unknown type"}, ${size(base.size)})`;
  throw new ToolError("BINARY", `${path} is ${what}: it cannot be edited as text.`, { path });
}

/** The question and the act of a planned change: MOVED where the file changed since. */
export function prepareChange(ports: ApplyPorts, planned: PlannedChange): PreparedCall {
  const { ref, base, newText, toolName } = planned;
  const sha256 = base?.stamp.sha256 ?? null;
  const verb = base === null ? "Create" : toolName === "Write" ? "Overwrite" : "Edit";
  return {
    targets: [ref],
    title: `${verb} ${ref.path}`,
    detail: { type: "edit", changes: [fileChange(ref, base?.text ?? null, newText)] },
    // Which files change: a name more is another question.
    binding: JSON.stringify([toolName, ref.uri, sha256, newText, ...(ref.hasOtherNames ? ["other names"] : [])]),
    proposal: { ref, before: base?.text ?? null, after: newText, proposed: planned.proposed },
    revise: text => reviseChange(ports, planned, text),
    perform: run => applyChange(ports, planned, run),
  };
}

/** What a person made of the plan; of a new file its line ends are those of the proposal. */
function reviseChange(ports: ApplyPorts, planned: PlannedChange, text: string): PreparedCall | undefined {
  const { base, newText } = planned;
  const proposed = planned.proposed ?? newText;
  if (base) {
    const plan = planLines(base.text, text);
    return plan.edits.length > 0 ? prepareChange(ports, { ...planned, ...plan, proposed }) : undefined;
  }
  const content = planLines(newText, text).newText;
  const edits = [{ start: 0, end: 0, text: content }];
  return content === "" ? undefined : prepareChange(ports, { ...planned, edits, newText: content, proposed });
}

async function applyChange(ports: ApplyPorts, planned: PlannedChange, run: RunContext) {
  const { ref, base, edits, newText } = planned;
  const kept = await ports.snapshots?.keep(base?.text ?? null);
  run.signal.throwIfAborted();
  const change = { ref, base: base?.stamp.sha256 ?? null, edits };
  // What it is to become is kept while it is written: mostly that is what it becomes. Never rejects.
  const planState = kept?.with(newText);
  const { outcome, problems } = await applyChecked(ports, change, base?.text ?? null, run).finally(() => planState);
  if (outcome.kind === "stale") return MOVED;
  const states = await (outcome.text === newText ? planState : kept?.with(outcome.text));
  return editResult(ports, planned, outcome, { problems, states }, run.redact);
}

interface PlannedChange {
  toolName: "Edit" | "Write";
  ref: FileRef;
  /** the current text, on which the edits are made; null: the file is new */
  base: TextFile | null;
  /**
   * `version`: which the model saw, where it changed since; `text`: from which on it was not told yet what changed,
   * undefined: not known any more; `wasCut`: it was told a part only
   */
  read?: { text: string | undefined; version: FileVersion; wasCut: boolean } | undefined;
  /** The model never saw it whole. */
  isInPart?: boolean | undefined;
  edits: readonly TextEdit[];
  newText: string;
  /** the model's text, where a person changed it to `newText` */
  proposed?: string | undefined;
}

/** @param problems new since the edit @param states where the text before and after is kept */
async function editResult(
  { remember }: ApplyPorts,
  planned: PlannedChange,
  outcome: Extract<ApplyOutcome, { kind: "applied" }>,
  { problems, states }: { problems: SinceEdit | undefined; states: SnapshotFields | undefined },
  redact: Redact,
): Promise<ToolOutcome> {
  const { ref, base, toolName } = planned;
  const { change, ranges } = changeWithRanges(ref, base?.text ?? null, outcome.text);
  const lines = countLines(outcome.text);
  const counts = `+${change.added} −${change.removed}`;
  const isWrite = toolName === "Write";
  const cells = isWrite ? undefined : notebookChange(ref, base?.text ?? "", outcome.text, redact);
  const saved = outcome.saved ? "saved" : `not saved: ${outcome.unsaved ?? "it stands unsaved in the editor"}`;
  const what =
    base === null
      ? `Created ${ref.path}: ${counted(lines, "line")}`
      : `${isWrite ? "Overwrote" : "Edited"} ${ref.path}: ${cells?.where ?? rangesText(ranges)}`;
  // Of what it wrote whole, the model needs no copy.
  const onSave = sameCells(ref, planned.newText, outcome.text)
    ? NOTHING
    : changedOnSave(planned.newText, outcome.text, redact);
  const { read } = planned;
  const from = read?.text;
  const told = base && from !== undefined && from !== base.text ? changedSince(from, base.text, redact) : undefined;
  const since = told?.text ?? "";
  const stamped = withSnapshot(outcome.stamp, states?.after);
  const byUser = revisionNote({ ...planned, accepted: planned.newText }, redact);
  const stamp = planned.isInPart
    ? { ...stamped, parts: { total: lines, lines: [] } }
    : await stampAfter(planned, stamped, { since: told, byUser, onSave }, remember);
  const kept = isWrite && base ? writeNote(ref, base.text, outcome.text) : "";
  const parts = [
    `${what}, ${counts}, ${saved}.`,
    ...[kept, byUser.text, cells?.fragment ?? "", since, onSave.text, problems?.text ?? ""],
  ];
  const { mtime, sha256, dirty, version } = outcome.stamp;
  return success({
    data: {
      path: ref.path,
      action: base === null ? "created" : isWrite ? "overwritten" : "edited",
      ranges,
      added: change.added,
      removed: change.removed,
      lines,
      saved: outcome.saved,
      // The call has the new text of an edit.
      ...(cells && { fragment: cells.fragment }),
      stamp: { mtime, sha256, dirty, version: version ?? null },
      applied: true,
      ...(since !== "" && { modifiedExternally: true }),
      ...(byUser.text !== "" && { changedByUser: true }),
      ...(onSave.text !== "" && { changedOnSave: true }),
      ...(problems && { diagnostics: problems.data }),
    },
    text: parts.filter(part => part !== "").join("\n"),
    digest: `${toolName} ${ref.path} ${counts}${base === null ? " (new)" : isWrite ? " (overwritten)" : ""}${byUser.text ? " · revised by you" : ""}${problems?.digest ?? ""}`,
    stamps: [{ uri: ref.uri, stamp }],
    changes: [{ ...change, ...states }],
  });
}

/**
 * What the model was not told wholly, it has not seen: a Write of the whole file must not undo it.
 * @param told `since`: what others changed before the edit (undefined: nothing, or unknown); `byUser`: what a person
 * made of the proposal
 */
async function stampAfter(
  { read, proposed, newText }: PlannedChange,
  stamp: Stamp,
  { since, byUser, onSave }: { since: ToldLines | undefined; byUser: ToldLines; onSave: ToldLines },
  remember: ApplyPorts["remember"],
): Promise<Stamp> {
  const told = toVersion(stamp);
  if (read && (read.wasCut || !since?.isWhole)) return { ...stamp, seen: { ...read.version, told } };
  if (byUser.isWhole && onSave.isWhole) return stamp;
  const seen = await remember(byUser.isWhole ? newText : (proposed ?? newText));
  return { ...stamp, seen: { ...seen, told } };
}

const NOTHING: ToldLines = { text: "", isWhole: true };

/** Differences between the intended and the saved text (a formatter, a save that trims). Empty: none. */
function changedOnSave(intended: string, actual: string, redact: Redact): ToldLines {
  if (intended === actual) return NOTHING;
  const { text, isWhole } = toldLines(intended, actual, redact);
  const body = withLf(intended) === withLf(actual) ? " line ends only." : `\n${text}`;
  return { text: `When the file was saved, the editor (a formatter, for example) changed more:${body}`, isWhole };
}
