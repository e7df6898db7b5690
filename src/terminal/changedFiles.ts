/** The last word of a run about files: which it changed, and by how much. */
import type { TurnFileChange } from "../core/edits/sessionEdits";
import { gapsText } from "../core/history/gaps";
import type { Session } from "../core/session/session";
import { plain } from "./plain";
import type { Streams } from "./print";

const MOST_FILES = 20;

/** Of the newest turn; nothing where it changed no file and its records can be read. */
export async function printChangedFiles({ edits, history }: Session, { err }: Pick<Streams, "err">): Promise<void> {
  const { files, missing } = await edits.changesOf(history.conversation.turn);
  if (files.length > 0) err(`${changedLine(files)}\n`);
  if (missing.length > 0) err(`! ${await gapsText(history, missing, "what this turn changed there is not listed")}\n`);
}

function changedLine(files: readonly TurnFileChange[]): string {
  const all = files.reduce((sum, file) => ({ added: sum.added + file.added, removed: sum.removed + file.removed }), {
    added: 0,
    removed: 0,
  });
  const words = files.slice(0, MOST_FILES).map(({ path, created, deleted, ...counts }) => {
    const state = deleted ? " (deleted)" : created ? " (new)" : "";
    return `${plain(path)} ${countsOf(counts)}${state}`;
  });
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : "";
  const what = files.length === 1 ? "1 file changed" : `${files.length} files changed, ${countsOf(all)}`;
  return `${what}: ${words.join(", ")}${more}`;
}

const countsOf = ({ added, removed }: { added: number; removed: number }) => `+${added} −${removed}`;
