/** What waits for a review, in words and as requests have it. Pure. */
import { plural, t } from "../../../src/shared/l10n";
import type { ReviewFile } from "../../../src/shared/panelSnapshot";

/** "7 changes in 2 files" */
export function reviewWords(files: readonly ReviewFile[]): string {
  const changes = files.reduce((sum, file) => sum + file.changes, 0);
  return t("{0} in {1}", plural(changes, "1 change", "{0} changes"), plural(files.length, "1 file", "{0} files"));
}

/** What the panel shows of them: what the agent does in the moment somebody presses is not kept with it. */
export const seenFiles = (files: readonly ReviewFile[]) => files.map(({ uri, seq }) => ({ uri, seq }));
