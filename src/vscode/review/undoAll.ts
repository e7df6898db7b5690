/** "Undo all" takes back what its question named: the agent may work on while somebody reads it. */

import { SessionError } from "../../core/ground/ports";
import { plural, t } from "../../shared/l10n";
import type { ReviewFile } from "../../shared/panelSnapshot";

const detail = () => t("What you typed since stays. Redo brings all of it back in one step.");
const meanwhile = () => t("More was changed, or less is left, since you were asked.");

export const nothingWaits = () => t("Nothing waits for a review.");

interface Asking<S> {
  /** What waits right now, and of which session. */
  look(): Promise<{ session: S; files: readonly ReviewFile[] }>;
  ask(question: string, detail: string): Promise<boolean>;
}

/**
 * The files that somebody said yes to, as they still are; undefined: they said no. What changed meanwhile is asked about anew.
 * Rejects with SessionError where nothing waits, or another session is shown by then.
 */
export async function filesToUndo<S>({ look, ask }: Asking<S>) {
  for (let shown = await look(), isAnew = false; ; isAnew = true) {
    const { session, files } = shown;
    if (files.length === 0) throw new SessionError(nothingWaits());
    const changes = files.reduce((sum, file) => sum + file.changes, 0);
    const question = t(
      "Undo {0} in {1}?",
      plural(changes, "1 change", "{0} changes"),
      plural(files.length, "1 file", "{0} files"),
    );
    if (!(await ask(question, isAnew ? `${meanwhile()} ${detail()}` : detail()))) return undefined;
    shown = await look();
    if (shown.session !== session) throw new SessionError(t("Another session is open now. Nothing was undone."));
    if (areSame(files, shown.files)) return shown;
  }
}

const areSame = (asked: readonly ReviewFile[], now: readonly ReviewFile[]): boolean => {
  const facts = (files: readonly ReviewFile[]) =>
    files
      .map(({ uri, seq, changes }) => `${seq} ${changes} ${uri}`)
      .sort()
      .join("\n");
  return facts(asked) === facts(now);
};
