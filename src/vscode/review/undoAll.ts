/** "Undo all" takes back what its question named: the agent may work on while somebody reads it. */
import { SessionError } from "../../core/ports";
import { count } from "../../shared/format";
import type { ReviewFile } from "../../shared/panelSnapshot";

const DETAIL =
  "What you typed since stays. “Redo the Change That Was Undone Last” brings changes back, one file at a time; in open files, the editor's own undo does too.";
const MEANWHILE = "More was changed, or less is left, since you were asked. ";

export const NOTHING = "Nothing waits for a review.";

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
  for (let [shown, detail] = [await look(), DETAIL]; ; detail = MEANWHILE + DETAIL) {
    const { session, files } = shown;
    if (files.length === 0) throw new SessionError(NOTHING);
    const changes = files.reduce((sum, file) => sum + file.changes, 0);
    const what = `${count(changes, "change")} in ${count(files.length, "file")}`;
    if (!(await ask(`Undo ${what}?`, detail))) return undefined;
    shown = await look();
    if (shown.session !== session) throw new SessionError("Another session is shown by now: nothing was undone.");
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
