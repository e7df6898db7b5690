/**
 * A change of several files that a language extension would make (a rename, a fix): checked, shown as any edit, and made as a
 * compare-and-swap of all of them. It needs no Read before: the extension looked, and the person is shown every line.
 */
import { defined } from "../../../shared/defined";
import { asSentence } from "../../../shared/format";
import type { FileChange, Stamp } from "../../../shared/toolResult";
import {
  type CodeChange,
  type CodePosition,
  type CodeRange,
  type FileRef,
  type Files,
  type TextEdit,
  type TextFile,
  type TogetherOutcome,
  ToolError,
} from "../../ground/ports";
import { changeWithRanges, fileChange, rangesText } from "../../ground/text/diff";
import { count, counted } from "../../ground/text/format";
import { withLf } from "../../ground/text/lines";
import type { SnapshotFields, Snapshots } from "../../log/snapshots";
import { stampModelKnows } from "../../log/stamps";
import { MOVED, type PreparedCall, type RunContext, success, type ToolOutcome } from "../../tool/tool";
import { MAX_EDIT_BYTES } from "./fileEdit";
import { isNotebookPath } from "./notebook";
import { planLines, toPlan } from "./planEdits";
import { revisionNote } from "./proposalRevision";
import { LfView } from "./textEdits";

export interface WorkspaceChangePorts {
  files: Files;
  snapshots?: Snapshots;
}

interface PlannedFile {
  ref: FileRef;
  base: TextFile;
  edits: readonly TextEdit[];
  newText: string;
  /** the model's text, where a person changed it to `newText` */
  proposed?: string;
}

/** What it is, for people and models: "Rename a to b". */
export interface ChangeTitle {
  title: string;
  /** the same, done: "Renamed a to b" */
  done: string;
  /** of the result */
  data: Record<string, string>;
}

const MAX_FILES = 300;
/** files of which the result has a line */
const LISTED = 60;
const KEPT_FILES = 5;

/** Throws ToolError where it cannot be made; nothing was changed then. */
export async function planWorkspaceChange({ files }: WorkspaceChangePorts, change: CodeChange): Promise<PlannedFile[]> {
  if (change.more !== undefined) throw refused(`${change.more}, which cannot be shown before it is done`);
  const outside = change.files.find(({ ref }) => !ref.inside);
  if (outside) throw refused(`it also changes ${outside.ref.path}, outside the workspace`, "OUTSIDE_WORKSPACE");
  const byFile = Map.groupBy(change.files, ({ ref }) => ref.uri);
  if (byFile.size > MAX_FILES)
    throw refused(`it changes ${count(byFile.size)} files, of at most ${MAX_FILES}`, "TOO_LARGE");
  const planned: PlannedFile[] = [];
  for (const parts of byFile.values()) {
    const [first] = parts;
    if (!first) continue;
    const { ref, text } = first;
    if (isNotebookPath(ref.path)) throw refused(`it also changes the notebook ${ref.path}`);
    const base = await files.read(ref, MAX_EDIT_BYTES);
    if (base.kind !== "text") throw refused(`it also changes ${ref.path}, a binary file`, "BINARY");
    if (parts.some(part => withLf(part.text) !== withLf(text)) || withLf(base.text) !== withLf(text))
      throw refused(`${ref.path} changed while the extension looked at it; try again`, "STALE");
    const view = new LfView(base.text);
    const asked = parts.flatMap(part => part.edits);
    const plan = toPlan(base.text, view, lfEdits(view.text, asked, ref));
    if (plan.edits.length > 0) planned.push({ ref, base, ...plan });
  }
  if (planned.length === 0) throw refused("all of it stands there already", "INVALID_INPUT");
  return planned;
}

const refused = (why: string, code: ToolError["code"] = "INVALID_INPUT"): ToolError =>
  new ToolError(code, `What the language extension would do is refused: ${asSentence(why)} Nothing was changed.`);

/** Places as offsets of the text, sorted. Two inserts at one place keep their order; equal edits count once. */
function lfEdits(text: string, edits: readonly { range: CodeRange; text: string }[], { path }: FileRef): TextEdit[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = ({ line, column }: CodePosition) => {
    const start = starts[line - 1];
    const end = (starts[line] ?? text.length + 1) - 1;
    // The end of the text may be told as the beginning of a line behind it.
    if (start === undefined && line === starts.length + 1 && column === 1) return text.length;
    if (start === undefined || column < 1 || start + column - 1 > end)
      throw refused(`it names a place that ${path} does not have (line ${line}, column ${column})`);
    return start + column - 1;
  };
  const unique = new Map<string, TextEdit>();
  for (const { range, text: value } of edits) {
    const edit = { start: offset(range.start), end: offset(range.end), text: withLf(value) };
    unique.set(JSON.stringify(edit), edit);
  }
  const sorted = [...unique.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  const wrong = sorted.find((edit, index) => edit.end < edit.start || edit.start < (sorted[index - 1]?.end ?? 0));
  if (wrong) throw refused(`its edits of ${path} overlap`);
  return sorted;
}

/** The question and the act: MOVED where a file changed since it was planned. */
export function prepareWorkspaceChange(
  ports: WorkspaceChangePorts,
  toolName: string,
  planned: readonly PlannedFile[],
  what: ChangeTitle,
): PreparedCall {
  const [only] = planned.length === 1 ? planned : [];
  const names = ({ ref, base, newText }: PlannedFile) => [
    ref.uri,
    base.stamp.sha256,
    newText,
    ref.hasOtherNames ?? false,
  ];
  const files = planned.length === 1 ? (only?.ref.path ?? "") : counted(planned.length, "file");
  return {
    targets: planned.map(({ ref }) => ref),
    title: `${what.title} in ${files}`,
    detail: { type: "edit", changes: planned.map(({ ref, base, newText }) => fileChange(ref, base.text, newText)) },
    binding: JSON.stringify([toolName, ...planned.map(names)]),
    changes: planned.map(({ ref, base, newText }) => ({ ref, before: base.text, after: newText })),
    ...(only && {
      proposal: { ref: only.ref, before: only.base.text, after: only.newText, ...defined({ proposed: only.proposed }) },
      revise: text => {
        const plan = planLines(only.base.text, text);
        const revised = { ...only, ...plan, proposed: only.proposed ?? only.newText };
        return plan.edits.length > 0 ? prepareWorkspaceChange(ports, toolName, [revised], what) : undefined;
      },
    }),
    perform: run => applyWorkspaceChange(ports, toolName, planned, what, run),
  };
}

async function applyWorkspaceChange(
  ports: WorkspaceChangePorts,
  toolName: string,
  planned: readonly PlannedFile[],
  what: ChangeTitle,
  run: RunContext,
): Promise<ToolOutcome | typeof MOVED> {
  const kept = await Promise.all(planned.map(({ base }) => ports.snapshots?.keep(base.text)));
  run.signal.throwIfAborted();
  const changes = planned.map(({ ref, base, edits }) => ({ ref, base: base.stamp.sha256, edits }));
  // Language extensions are in the editor, which makes all of them together.
  const outcome = await ports.files.applyTogether?.(changes);
  if (!outcome) throw refused("there is no editor to make it");
  if (outcome.kind === "stale") return MOVED;
  const told: ToldFile[] = [];
  for (const [index, file] of planned.entries()) {
    const made = outcome.files[index];
    if (made?.kind === "applied") told.push(tellFile(file, made, await kept[index]?.with(made.text), run));
    else told.push({ failed: `${file.ref.path} was not changed: ${made?.why ?? "no reason was given"}` });
  }
  return changeResult(toolName, what, told);
}

/** The result of one file: lines for the model, change and stamps. */
type ToldFile =
  | { failed: string }
  | { lines: string[]; saved: boolean; change: FileChange; stamps: { uri: string; stamp: Stamp }[] };

type MadeFile = Extract<Extract<TogetherOutcome, { kind: "applied" }>["files"][number], { kind: "applied" }>;

function tellFile(
  { ref, base, newText, proposed }: PlannedFile,
  { text, stamp, saved, unsaved }: MadeFile,
  states: SnapshotFields | undefined,
  run: RunContext,
): ToldFile {
  const { change, ranges } = changeWithRanges(ref, base.text, text);
  // The model was not shown the file: it knows no more than before.
  const known = run.stampOf(ref.uri);
  const stamps = known ? [{ uri: ref.uri, stamp: stampModelKnows(known, stamp, states) }] : [];
  const note = saved ? "" : `, not saved: ${unsaved ?? "it stands unsaved in the editor"}`;
  const byUser = revisionNote({ ref, proposed, accepted: newText }, run.redact).text;
  const line = `${ref.path}: ${rangesText(ranges) || "line ends"}${note}`;
  return { lines: byUser === "" ? [line] : [line, byUser], saved, change: { ...change, ...states }, stamps };
}

function changeResult(toolName: string, what: ChangeTitle, told: readonly ToldFile[]): ToolOutcome {
  const made = told.flatMap(file => ("failed" in file ? [] : [file]));
  const failed = told.flatMap(file => ("failed" in file ? [file.failed] : []));
  const changes = made.map(({ change }) => change);
  const sum = (side: "added" | "removed") => changes.reduce((total, change) => total + change[side], 0);
  const counts = `+${sum("added")} −${sum("removed")}`;
  const files = counted(changes.length, "file");
  const saved = made.every(file => file.saved);
  const lines = made.flatMap(file => file.lines);
  const more = lines.length > LISTED ? [`… ${counted(lines.length - LISTED, "more line")}`] : [];
  const head = `${what.done} in ${files}, ${counts}${saved ? ", saved" : ""}.`;
  const text = [head, ...lines.slice(0, LISTED), ...more, ...failed];
  const notMade = failed.length > 0 ? ` · ${counted(failed.length, "file")} not changed` : "";
  return success({
    data: {
      ...what.data,
      files: changes.length,
      added: sum("added"),
      removed: sum("removed"),
      first: changes.slice(0, KEPT_FILES).map(({ path }) => path),
      ...(!saved && { saved }),
      ...(failed.length > 0 && { failed: failed.length }),
    },
    text: text.join("\n"),
    digest: `${toolName} ${what.done} in ${files} ${counts}${notMade}`,
    partial: failed.length > 0,
    stamps: made.flatMap(({ stamps }) => stamps),
    changes,
  });
}
