/** What the model, the card and the log are told of an edit that was made. */

import type { Stamp, Version } from "../../shared/toolResult";
import type { SinceEdit } from "../diagnostics/afterEdit";
import type { ApplyOutcome, FileRef, TextEdit, TextFile } from "../ports";
import { clipEnd, counted } from "../tools/format";
import { success } from "../tools/results";
import type { Performed } from "../tools/tool";
import { countLines, withLf } from "./lineEnds";
import { changedSince } from "./newest";
import { notebookChange, sameCells } from "./notebookEdit";
import { revisionNote } from "./revision";
import type { SnapshotFields } from "./snapshots";
import { changeOf, diffLines, fragment, rangesText } from "./unifiedDiff";
import { versionOf, withSnapshot } from "./versions";

export interface PlannedChange {
  toolName: "Edit" | "MultiEdit" | "Write";
  ref: FileRef;
  /** as it stands, and as the edits are made on it; null: the file is new */
  base: TextFile | null;
  /**
   * `version`: which the model saw, where it changed since; `text`: from which on it was not told yet what changed,
   * undefined: not known any more; `wasCut`: what it was told before was not all of it
   */
  read?: { text: string | undefined; version: Version; wasCut: boolean } | undefined;
  /** The model never saw it whole. */
  isInPart?: boolean | undefined;
  edits: readonly TextEdit[];
  newText: string;
  /** what the model proposed, where a person made `newText` of it */
  proposed?: string | undefined;
}

/** @param problems new since the edit, where somebody looks for them @param states where the text before and after is kept */
export function editResult(
  planned: PlannedChange,
  outcome: Extract<ApplyOutcome, { kind: "applied" }>,
  { problems, states }: { problems: SinceEdit | undefined; states: SnapshotFields | undefined },
  redact: (text: string) => string,
): Performed {
  const { ref, base, toolName } = planned;
  const { change, ranges } = changeOf(ref, base?.text ?? null, outcome.text);
  const lines = countLines(outcome.text);
  const counts = `+${change.added} −${change.removed}`;
  const isWrite = toolName === "Write";
  const cells = isWrite ? undefined : notebookChange(ref, base?.text ?? "", outcome.text);
  const whole = isWrite ? [{ first: 1, last: lines }] : ranges;
  const shown = cells?.fragment ?? fragment(outcome.text, whole, isWrite ? 41 : 40);
  const saved = outcome.saved ? "saved" : `not saved: ${outcome.unsaved ?? "it stands unsaved in the editor"}`;
  const what =
    base === null
      ? `Created ${ref.path}: ${counted(lines, "line")}`
      : `Edited ${ref.path}: ${cells?.where ?? rangesText(ranges)}`;
  // Of what it wrote whole, the model needs no copy.
  const onSave = sameCells(ref, planned.newText, outcome.text)
    ? ""
    : changedOnSave(planned.newText, outcome.text, redact);
  const { read } = planned;
  const from = read?.text;
  const told = base && from !== undefined && from !== base.text ? changedSince(from, base.text, redact) : undefined;
  const since = told?.text ?? "";
  const stamped = withSnapshot(outcome.stamp, states?.after);
  const stamp = stampAfter(planned, stamped, { isToldWhole: told?.isWhole === true, lines });
  const byUser = revisionNote({ ...planned, accepted: planned.newText }, redact);
  const parts = [`${what}, ${counts}, ${saved}.`, byUser, isWrite ? "" : shown, since, onSave, problems?.text ?? ""];
  const { mtime, sha256, dirty, version } = outcome.stamp;
  return {
    result: success({
      data: {
        path: ref.path,
        action: base === null ? "created" : isWrite ? "overwritten" : "edited",
        ranges,
        added: change.added,
        removed: change.removed,
        lines,
        saved: outcome.saved,
        fragment: shown,
        stamp: { mtime, sha256, dirty, version: version ?? null },
        applied: true,
        ...(since !== "" && { modifiedExternally: true }),
        ...(byUser !== "" && { changedByUser: true }),
        ...(onSave !== "" && { changedOnSave: true }),
        ...(problems && { diagnostics: problems.data }),
      },
      text: parts.filter(part => part !== "").join("\n"),
      digest: `${toolName} ${ref.path} ${counts}${base === null ? " (new)" : ""}${byUser ? " · revised by you" : ""}${outcome.saved ? "" : " · not saved"}${problems?.digest ?? ""}`,
      stats: { added: change.added, removed: change.removed },
    }),
    stamps: [{ uri: ref.uri, stamp }],
    changes: [{ ...change, ...states }],
  };
}

/** What the model was not told wholly, it has not seen: a Write of the whole file must not undo it. */
function stampAfter(
  { read, isInPart }: PlannedChange,
  stamp: Stamp,
  { isToldWhole, lines }: { isToldWhole: boolean; lines: number },
): Stamp {
  if (isInPart) return { ...stamp, parts: { total: lines, lines: [] } };
  return read && (read.wasCut || !isToldWhole)
    ? { ...stamp, seen: { ...read.version, told: versionOf(stamp) } }
    : stamp;
}

/** What stands now beside what was intended: a formatter, or a save that trims. Empty: nothing. */
function changedOnSave(intended: string, actual: string, redact: (text: string) => string): string {
  if (intended === actual) return "";
  const { hunks } = diffLines(intended, actual);
  const ends = hunks.length === 0 ? "line ends only" : "";
  const lines = hunks
    .flatMap(hunk => hunk.lines.filter(line => !line.startsWith(" ")))
    .map(line => clipEnd(redact(line), 200));
  const more = lines.length > 12 ? `\n… ${counted(lines.length - 12, "more line")}` : "";
  const body = withLf(intended) === withLf(actual) ? ` ${ends}.` : `\n${lines.slice(0, 12).join("\n")}${more}`;
  return `When the file was saved, the editor (a formatter, for example) changed more:${body}`;
}
