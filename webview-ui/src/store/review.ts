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

/** What the panel shows of them: what the agent does in the moment somebody presses is not kept with it. */
export const seenFiles = (files: readonly ReviewFile[]) => files.map(({ uri, seq }) => ({ uri, seq }));
