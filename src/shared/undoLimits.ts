/** Why an edit cannot be undone, in words for a person; the panel says it before somebody tries, the core when one did. */
import type { FileChange } from "./toolResult";

/** Texts of more bytes are not kept. */
export const MAX_SNAPSHOT_BYTES = 5 * 1024 * 1024;

type ChangeVersions = Pick<FileChange, "path" | "before" | "after" | "unkept">;

/** undefined: what the file was before and after the edit was kept */
export function whyNoUndo({ path, before, after, unkept }: ChangeVersions): string | undefined {
  if (before !== undefined && after !== undefined) return undefined;
  const why = (unkept !== undefined && reasons[unkept]) || reasons["older-version"];
  return `The edit of ${path} can't be undone: ${why} Open the diff to undo it by hand.`;
}

const reasons: Record<string, string> = {
  "too-large": "files over 5 MB are not saved before an edit.",
  "not-text": "the file's text has characters that can't be kept as they were.",
  "not-stored": "the session's disk was full or not writable when the edit was made.",
  elsewhere: "it was made in another workspace, in an imported session.",
  "older-version": "it was made by an older version of Strata, which did not save files before an edit.",
};
