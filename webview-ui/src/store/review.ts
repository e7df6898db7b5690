/** What waits for a review, counted and as requests have it. Pure. */
import type { ReviewFile } from "../../../src/shared/panelSnapshot";

export const changesIn = (files: readonly ReviewFile[]) => files.reduce((sum, file) => sum + file.changes, 0);

/** Lines that came and went in all of them; null: of one it is not known */
export function reviewLines(files: readonly ReviewFile[]): { added: number; removed: number } | null {
  const sum = { added: 0, removed: 0 };
  for (const { added, removed } of files) {
    if (added === undefined || removed === undefined) return null;
    sum.added += added;
    sum.removed += removed;
  }
  return sum;
}

/** The files as the panel shows them: an edit that the agent makes in that moment is not kept with them. */
export const seenFiles = (files: readonly ReviewFile[]) => files.map(({ uri, seq }) => ({ uri, seq }));
