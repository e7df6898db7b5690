/** What is told and remembered of the files that a command changed (noticed.ts). Pure. */
import type { FileChange, Stamp } from "../../shared/toolResult";
import { named } from "./named";
import type { Noticed } from "./noticed";

/** bytes of all diffs of one command, about: later ones are left out, their counts stay */
const MOST_DIFF = 256 * 1024;

export interface NoticedReport {
  /** a line each, for the model */
  notes: string[];
  stamps: { uri: string; stamp: Stamp }[];
  changes: FileChange[];
  /** "src/a.ts +3 −1", "src/b.ts gone": for the form that is kept, at most 10 */
  facts: string[];
}

/** @param noticed as `Noticing` gives it, the files that were read last at the end */
export function reportOf(noticed: readonly Noticed[]): NoticedReport {
  const of = (kind: Noticed["kind"]) => noticed.filter(one => one.kind === kind);
  const line = (kind: Noticed["kind"], before: string, after = "") => {
    const all = of(kind);
    return all.length > 0 ? [`${before}: ${named(all.map(nameOf))}.${after}`] : [];
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
    changes: bounded(noticed.flatMap(({ change }) => change ?? [])),
    facts: noticed.slice(0, 10).map(one => `${one.ref.path} ${factOf(one)}`),
  };
}

function nameOf({ kind, ref, change }: Noticed): string {
  return kind === "changed" && change ? `${ref.path} (${countsOf(change)})` : ref.path;
}

function factOf({ kind, change }: Noticed): string {
  return kind === "changed" && change ? countsOf(change) : words[kind];
}

const words: Record<Noticed["kind"], string> = {
  changed: "changed",
  gone: "gone",
  back: "back with another text",
  differs: "changed, perhaps not by the command alone",
  unsaved: "changed on disk, unsaved in the editor",
};

const countsOf = ({ added, removed }: FileChange) => (added + removed > 0 ? `+${added} −${removed}` : "line ends only");

function bounded(changes: readonly FileChange[]): FileChange[] {
  let room = MOST_DIFF;
  return changes.map(change => {
    room -= change.diff.length;
    return room >= 0 ? change : { ...change, diff: "" };
  });
}
