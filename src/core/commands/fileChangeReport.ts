/** What is told and remembered of the files that a command changed (noticed.ts). Pure. */
import type { FileChange, Stamp } from "../../shared/toolResult";
import type { DetectedChange } from "./fileChangeDetector";
import { listNames } from "./listNames";

/** bytes of all diffs of one command, about: later ones are left out, their counts stay */
const MAX_DIFF = 256 * 1024;

export interface FileChangeReport {
  /** a line each, for the model */
  notes: string[];
  stamps: { uri: string; stamp: Stamp }[];
  changes: FileChange[];
  /** "src/a.ts +3 −1", "src/b.ts gone": for the form that is kept, at most 10 */
  facts: string[];
}

/** @param noticed as `FileChangeDetector` gives it, the files that were read last at the end */
export function reportFileChanges(noticed: readonly DetectedChange[]): FileChangeReport {
  const of = (kind: DetectedChange["kind"]) => noticed.filter(one => one.kind === kind);
  const line = (kind: DetectedChange["kind"], before: string, after = "") => {
    const all = of(kind);
    return all.length > 0 ? [`${before}: ${listNames(all.map(changeName))}.${after}`] : [];
  };
  return {
    notes: [
      ...line("changed", "Files read before that the command changed"),
      ...line("gone", "Files read before that are gone"),
      ...line("back", "Files read before that are back with another text", " Read them again before you edit them."),
      ...line(
        "differs",
        "Files read before that changed, perhaps not by the command alone",
        " Read them again before you edit them.",
      ),
      ...line(
        "unsaved",
        "Files with unsaved changes in the editor that the command changed on disk",
        " The editor will ask the user which text to keep.",
      ),
    ],
    stamps: noticed.flatMap(({ ref, stamp }) => (stamp ? [{ uri: ref.uri, stamp }] : [])),
    changes: boundDiffs(noticed.flatMap(({ change }) => change ?? [])),
    facts: noticed.slice(0, 10).map(one => `${one.ref.path} ${changeFact(one)}`),
  };
}

function changeName({ kind, ref, change }: DetectedChange): string {
  return kind === "changed" && change ? `${ref.path} (${lineCounts(change)})` : ref.path;
}

function changeFact({ kind, change }: DetectedChange): string {
  return kind === "changed" && change ? lineCounts(change) : words[kind];
}

const words: Record<DetectedChange["kind"], string> = {
  changed: "changed",
  gone: "gone",
  back: "back with another text",
  differs: "changed, perhaps not by the command alone",
  unsaved: "changed on disk, unsaved in the editor",
};

const lineCounts = ({ added, removed }: FileChange) =>
  added + removed > 0 ? `+${added} −${removed}` : "line ends only";

function boundDiffs(changes: readonly FileChange[]): FileChange[] {
  let room = MAX_DIFF;
  return changes.map(change => {
    room -= change.diff.length;
    return room >= 0 ? change : { ...change, diff: "" };
  });
}
