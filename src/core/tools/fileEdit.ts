/**
 * What Edit, MultiEdit and Write share: the text that an edit starts from, the question that it asks, and the
 * compare-and-swap that makes it (TOOLS.md, "Edits and the version that was read").
 */
import type { ApplyOutcome, FileRef, Files, TextEdit, TextFile } from "../ports";
import { clipEnd, counted, size } from "./format";
import { splitLines, withLf } from "./lineEnds";
import { type FindPorts, statFile } from "./locate";
import { success } from "./results";
import { type CallContext, MOVED, type Performed, type Prepared, type RunContext, ToolError } from "./tool";
import { diffLines, fileChange, fragment, rangesText } from "./unifiedDiff";

export interface EditPorts extends FindPorts {
  files: FindPorts["files"] & Pick<Files, "read" | "apply">;
}

export interface PlannedChange {
  toolName: "Edit" | "MultiEdit" | "Write";
  ref: FileRef;
  /** null: the file is new */
  base: TextFile | null;
  edits: readonly TextEdit[];
  newText: string;
}

export const MAX_EDIT_BYTES = 20 * 1024 * 1024;

/**
 * The text to edit, as it stands now. Throws NOT_READ where this session has not read the file, STALE where it changed
 * since (its content; a changed time alone is no change).
 */
export async function readForEdit(ports: EditPorts, ref: FileRef, call: CallContext): Promise<TextFile> {
  await statFile(ports, ref, call);
  const stamp = call.stampOf(ref.uri);
  const facts = { path: ref.path };
  if (!stamp) {
    throw new ToolError(
      "NOT_READ",
      `${ref.path} was not read in this session. Read it first. Nothing was changed.`,
      facts,
    );
  }
  const file = await ports.files.read(ref, MAX_EDIT_BYTES);
  if (file.kind === "binary") {
    const type = file.mediaType ?? "unknown type";
    throw new ToolError(
      "BINARY",
      `${ref.path} is a binary file (${type}, ${size(file.size)}): it cannot be edited as text.`,
      facts,
    );
  }
  if (file.stamp.sha256 !== stamp.sha256) {
    throw new ToolError(
      "STALE",
      `${ref.path} changed since you read it. Nothing was changed. Read it again, then edit what it holds now.`,
      facts,
    );
  }
  return file;
}

export function prepareChange(ports: EditPorts, planned: PlannedChange): Prepared {
  const { ref, base, newText, toolName } = planned;
  const sha256 = base?.stamp.sha256 ?? null;
  const verb = base === null ? "Create" : toolName === "Write" ? "Overwrite" : "Edit";
  return {
    targets: [ref],
    title: `${verb} ${ref.path}`,
    detail: { type: "edit", changes: [fileChange(ref, base?.text ?? null, newText)] },
    bindOf: JSON.stringify([toolName, ref.uri, sha256, newText]),
    perform: run => perform(ports, planned, run),
  };
}

async function perform(ports: EditPorts, planned: PlannedChange, run: RunContext): Promise<Performed | typeof MOVED> {
  const { ref, base, edits } = planned;
  run.signal.throwIfAborted();
  const outcome = await ports.files.apply({ ref, base: base?.stamp.sha256 ?? null, edits });
  return outcome.kind === "stale" ? MOVED : applied(planned, outcome);
}

function applied(planned: PlannedChange, outcome: Extract<ApplyOutcome, { kind: "applied" }>): Performed {
  const { ref, base, toolName } = planned;
  const change = fileChange(ref, base?.text ?? null, outcome.text);
  const { ranges } = diffLines(base?.text ?? "", outcome.text);
  const lines = splitLines(outcome.text).length;
  const counts = `+${change.added} −${change.removed}`;
  const isWrite = toolName === "Write";
  const shown = isWrite ? fragment(outcome.text, [{ first: 1, last: lines }], 41) : fragment(outcome.text, ranges);
  const saved = outcome.saved ? "saved" : "not saved: it stands unsaved in the editor";
  const what =
    base === null ? `Created ${ref.path}: ${counted(lines, "line")}` : `Edited ${ref.path}: ${rangesText(ranges)}`;
  // Of what it wrote whole, the model needs no copy.
  const onSave = changedOnSave(planned.newText, outcome.text);
  const parts = [`${what}, ${counts}, ${saved}.`, isWrite ? "" : shown, onSave];
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
        ...(onSave !== "" && { changedOnSave: true }),
      },
      text: parts.filter(part => part !== "").join("\n"),
      digest: `${toolName} ${ref.path} ${counts}${base === null ? " (new)" : ""}${outcome.saved ? "" : " · not saved"}`,
      stats: { added: change.added, removed: change.removed },
    }),
    stamps: [{ uri: ref.uri, stamp: outcome.stamp }],
    changes: [change],
  };
}

/** What stands now beside what was intended: a formatter, or a save that trims. Empty: nothing. */
function changedOnSave(intended: string, actual: string): string {
  if (intended === actual) return "";
  const { hunks } = diffLines(intended, actual);
  const ends = hunks.length === 0 ? "line ends only" : "";
  const lines = hunks.flatMap(hunk => hunk.lines.filter(line => !line.startsWith(" "))).map(line => clipEnd(line, 200));
  const more = lines.length > 12 ? `\n… ${counted(lines.length - 12, "more line")}` : "";
  const body = withLf(intended) === withLf(actual) ? ` ${ends}.` : `\n${lines.slice(0, 12).join("\n")}${more}`;
  return `When the file was saved, the editor (a formatter, for example) changed more:${body}`;
}
