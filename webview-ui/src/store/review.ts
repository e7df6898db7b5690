/** What waits for a review, in words and as requests have it. Pure. */
import type { ReviewFile } from "../../../src/shared/panelSnapshot";
import { count } from "../text/format";

/** "7 changes in 2 files" */
export function reviewWords(files: readonly ReviewFile[]): string {
  const changes = files.reduce((sum, file) => sum + file.changes, 0);
  return `${count(changes, "change")} in ${count(files.length, "file")}`;
}

/** What the panel shows of them: what the agent does in the moment somebody presses is not kept with it. */
export const seenFiles = (files: readonly ReviewFile[]) => files.map(({ uri, seq }) => ({ uri, seq }));
