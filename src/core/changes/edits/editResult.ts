/** What the model, the card and the log are told of an edit that was made. */
import type { Redact } from "../../../shared/redacted";
import type { FileVersion, Stamp } from "../../../shared/toolResult";
import type { ApplyOutcome, FileRef, TextEdit, TextFile } from "../../ground/ports";
import { changeWithRanges, rangesText, type ToldLines, toldLines } from "../../ground/text/diff";
import { counted } from "../../ground/text/format";
import { countLines, withLf } from "../../ground/text/lines";
import type { SnapshotFields } from "../../log/snapshots";
import { toVersion, withSnapshot } from "../../log/stamps";
import { success, type ToolOutcome } from "../../tool/tool";
import type { SinceEdit } from "../diagnostics/afterEdit";
import { notebookChange, sameCells, writeNote } from "./notebookEdit";
import { revisionNote } from "./proposalRevision";
import { changedSince } from "./rebase";

export interface PlannedChange {
  toolName: "Edit" | "Write";
  ref: FileRef;
  /** as it stands, and as the edits are made on it; null: the file is new */
  base: TextFile | null;
  /**
   * `version`: which the model saw, where it changed since; `text`: from which on it was not told yet what changed,
   * undefined: not known any more; `wasCut`: what it was told before was not all of it
   */
  read?: { text: string | undefined; version: FileVersion; wasCut: boolean } | undefined;
  /** The model never saw it whole. */
  isInPart?: boolean | undefined;
  edits: readonly TextEdit[];
  newText: string;
  /** what the model proposed, where a person made `newText` of it */
  proposed?: string | undefined;
}

interface ResultDeps {
  redact: Redact;
  /** Keeps a text that the model knows and no file holds. */
  remember(text: string): Promise<FileVersion>;
}

/** @param problems new since the edit, where somebody looks for them @param states where the text before and after is kept */
export async function editResult(
  planned: PlannedChange,
  outcome: Extract<ApplyOutcome, { kind: "applied" }>,
  { problems, states }: { problems: SinceEdit | undefined; states: SnapshotFields | undefined },
  { redact, remember }: ResultDeps,
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
      // The new text of an edit stands in its call.
      ...(cells && { fragment: cells.fragment }),
      stamp: { mtime, sha256, dirty, version: version ?? null },
      applied: true,
      ...(since !== "" && { modifiedExternally: true }),
      ...(byUser.text !== "" && { changedByUser: true }),
      ...(onSave.text !== "" && { changedOnSave: true }),
      ...(problems && { diagnostics: problems.data }),
    },
    text: parts.filter(part => part !== "").join("\n"),
    digest: `${toolName} ${ref.path} ${counts}${base === null ? " (new)" : isWrite ? " (overwritten)" : ""}${byUser.text ? " · revised by you" : ""}${outcome.saved ? "" : " · not saved"}${problems?.digest ?? ""}`,
    stamps: [{ uri: ref.uri, stamp }],
    changes: [{ ...change, ...states }],
  });
}

/**
 * What the model was not told wholly, it has not seen: a Write of the whole file must not undo it.
 * @param told `since`: what others changed before the edit (undefined: nothing, or nobody knows what); `byUser`: what a person
 * made of the proposal
 */
async function stampAfter(
  { read, proposed, newText }: PlannedChange,
  stamp: Stamp,
  { since, byUser, onSave }: { since: ToldLines | undefined; byUser: ToldLines; onSave: ToldLines },
  remember: ResultDeps["remember"],
): Promise<Stamp> {
  const told = toVersion(stamp);
  if (read && (read.wasCut || !since?.isWhole)) return { ...stamp, seen: { ...read.version, told } };
  if (byUser.isWhole && onSave.isWhole) return stamp;
  const seen = await remember(byUser.isWhole ? newText : (proposed ?? newText));
  return { ...stamp, seen: { ...seen, told } };
}

const NOTHING: ToldLines = { text: "", isWhole: true };

/** What stands now beside what was intended: a formatter, or a save that trims. Empty: nothing. */
function changedOnSave(intended: string, actual: string, redact: Redact): ToldLines {
  if (intended === actual) return NOTHING;
  const { text, isWhole } = toldLines(intended, actual, redact);
  const body = withLf(intended) === withLf(actual) ? " line ends only." : `\n${text}`;
  return { text: `When the file was saved, the editor (a formatter, for example) changed more:${body}`, isWhole };
}
