/** What `revert` records do to the conversation: a person took edits back, or made them again, and the model does not know yet. */
import type { ResultRef, UntoldRevert } from "../../shared/compaction";
import type { RecordKind, RecordOf } from "../../shared/records";
import { counted } from "../text/format";
import { asDeleted } from "../versions/stamps";
import { type Conversation, refKey } from "./conversation";

/** Tells one edit of one file from all others. */
export const editKey = (edit: ResultRef, uri: string): string => `${refKey(edit)} ${uri}`;

/** Stamps stay as they are, the model has not seen the file as it is now; but that it is gone, it is told. */
export function applyRevert(conversation: Conversation, record: RecordOf<"revert">): void {
  const { untold, stamps } = conversation;
  const stamp = stamps.get(record.uri);
  if (stamp && record.after === null) stamps.set(record.uri, asDeleted(stamp));
  const { path, turn, direction, seq } = record;
  for (const edit of record.edits) {
    const key = editKey(edit, record.uri);
    untold.set(key, { path, turn, direction, seq, known: untold.get(key)?.known ?? opposite(direction) });
  }
  recountChanged(conversation, record);
}

const opposite = (direction: UntoldRevert["direction"]) => (direction === "undo" ? "redo" : "undo");

/** The session's changes of the file, without those that were undone. */
function recountChanged({ changed }: Conversation, record: RecordOf<"revert">): void {
  const file = changed.get(record.uri);
  const undo = record.direction === "undo";
  const { added, removed } = undo
    ? { added: -record.removed, removed: -record.added }
    : { added: record.added, removed: record.removed };
  const next = {
    ...(file ?? { uri: record.uri, path: record.path, created: record.before === null, turn: record.turn }),
    added: Math.max(0, (file?.added ?? 0) + added),
    removed: Math.max(0, (file?.removed ?? 0) + removed),
  };
  if (undo && next.added === 0 && next.removed === 0) changed.delete(record.uri);
  else changed.set(record.uri, next);
}

/** The edits that are undone after these records, which are in order (`editKey`). */
export function undoneEdits(
  records: readonly (RecordOf<"revert"> | { kind: Exclude<RecordKind, "revert"> })[],
): Set<string> {
  const undone = new Set<string>();
  for (const record of records) {
    if (record.kind !== "revert") continue;
    for (const edit of record.edits) {
      const key = editKey(edit, record.uri);
      if (record.direction === "undo") undone.add(key);
      else undone.delete(key);
    }
  }
  return undone;
}

/** source of what is injected of them */
export const REVERTS = "reverts";
const MAX_LINES = 20;

/** What the model has to hear before its next request; undefined: it knows all. For `Inject.injectSystemOnce`. */
export function revertNews({
  untold,
}: Pick<Conversation, "untold">): { text: string; fingerprint: string; source: string } | undefined {
  const all = [...untold.values()].filter(({ direction, known }) => direction !== known);
  if (all.length === 0) return undefined;
  const lines = [...Map.groupBy(all, ({ path, turn, direction }) => `${direction} ${turn} ${path}`).values()].map(
    describeReverts,
  );
  const more = lines.length - MAX_LINES;
  const shown = more > 0 ? [...lines.slice(0, MAX_LINES), `And so ${counted(more, "more file")}.`] : lines;
  const undone = all.some(({ direction }) => direction === "undo");
  const text = [...shown, ...(undone ? ["Do not make again what was undone unless the user asks for it."] : [])].join(
    "\n",
  );
  return { text, fingerprint: `${REVERTS}:${Math.max(...all.map(({ seq }) => seq))}`, source: REVERTS };
}

function describeReverts(group: readonly UntoldRevert[]): string {
  const [{ path, turn, direction } = { path: "", turn: 0, direction: "undo" }] = group;
  const edits = group.length === 1 ? "edit" : `${group.length} edits`;
  return direction === "undo"
    ? `The user undid your ${edits} of ${path} (turn ${turn}).`
    : `The user made your ${edits} of ${path} again that had been undone (turn ${turn}).`;
}

/** What it was told is known from here on; what was taken back or made again since is not as it was told. */
export function markRevertsTold({ untold }: Conversation, { source, fingerprint }: RecordOf<"inject">): void {
  if (source !== REVERTS) return;
  const upTo = Number(fingerprint.slice(REVERTS.length + 1));
  for (const [key, entry] of untold) {
    if (entry.seq <= upTo) untold.delete(key);
    else untold.set(key, { ...entry, known: opposite(entry.direction) });
  }
}
