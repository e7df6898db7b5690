/** What the edits of a turn amount to, file by file. Pure. */
import type { RecordedEdit } from "../history/changeRecords";
import { diffLines } from "../text/unifiedDiff";
import { type RevertStep, revertText } from "./revertText";

/** A file that a turn changed. */
export interface TurnFile {
  uri: string;
  /** as the newest edit names it */
  path: string;
  /** of this turn, oldest first */
  edits: RecordedEdit[];
}

/** What the turn made of a file: from before its first edit to after its last one, without those that were undone. */
export interface NetChange {
  /** lines */
  added: number;
  removed: number;
  /** it was not there before the turn */
  created: boolean;
  /** it is not there after it */
  deleted: boolean;
}

/** In the order of their last change, the newest last. */
export function turnFiles(edits: readonly RecordedEdit[], turn: number): TurnFile[] {
  const files = new Map<string, TurnFile>();
  for (const edit of edits) {
    if (edit.turn !== turn) continue;
    const { uri, path } = edit.change;
    const before = files.get(uri)?.edits ?? [];
    files.delete(uri);
    files.set(uri, { uri, path, edits: [...before, edit] });
  }
  return [...files.values()];
}

/** Names of the snapshots that `netChange` compares; none where one edit says it all. */
export function stateHashes({ edits }: TurnFile): string[] {
  const standing = edits.filter(({ undone }) => !undone);
  if (standing.length === 0 || edits.length === 1) return [];
  const [first, last] = [edits[0]?.change.before, edits.at(-1)?.change.after];
  const undone = edits.flatMap(edit => (edit.undone ? [edit.change.before, edit.change.after] : []));
  return [first, last, ...undone].filter(state => typeof state === "string");
}

/** @param textOf a snapshot's text; undefined: it is not to be had, so the edits' own counts are added up */
export function netChange(file: TurnFile, textOf: (sha256: string) => string | undefined): NetChange {
  const standing = file.edits.filter(({ undone }) => !undone);
  const facts = {
    created: standing[0] === file.edits[0] && standing[0]?.change.created === true,
    deleted: standing.at(-1) === file.edits.at(-1) && standing.at(-1)?.change.after === null,
  };
  if (standing.length === 0 || file.edits.length === 1) return { ...sumCounts(standing), ...facts };
  const stateOf = (state: string | null | undefined) => (typeof state === "string" ? textOf(state) : state);
  const first = stateOf(file.edits[0]?.change.before);
  const last = stateOf(file.edits.at(-1)?.change.after);
  if (first === undefined || last === undefined) return { ...sumCounts(standing), ...facts };
  const steps: RevertStep[] = [];
  for (const { change, undone } of file.edits.toReversed()) {
    const [from, to] = [stateOf(change.after), stateOf(change.before)];
    if (undone && from !== undefined && to !== undefined) steps.push({ from, to });
  }
  const reverted = revertText(last, steps);
  const { added, removed } = diffLines(first ?? "", (reverted.kind === "text" ? reverted.text : last) ?? "");
  return { added, removed, ...facts };
}

function sumCounts(edits: readonly RecordedEdit[]): Pick<NetChange, "added" | "removed"> {
  const sum = (count: (edit: RecordedEdit) => number) => edits.reduce((total, edit) => total + count(edit), 0);
  return { added: sum(({ change }) => change.added), removed: sum(({ change }) => change.removed) };
}
