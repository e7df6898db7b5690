/** Which of what people said the model still sees, word for word: for those who said it (docs/context.md). */
import { wordsKey } from "../../../shared/ledger";
import type { LogRecord } from "../../../shared/records";
import { textPieces } from "../../ground/text/sentences";
import { onBranch } from "../branches";
import type { Conversation } from "../conversation";
import type { History } from "../history";
import { readWholeLog } from "../readLog";
import { plainly } from "./once";
import { clipPiece } from "./pages";
import { type TypedWords, wordsIn } from "./said";

/** Words in turns that left requests. */
export interface WordsInSight extends TypedWords {
  /** all of it stands in requests; a part; nothing, it is in the archive */
  sight: "whole" | "part" | "none";
  mark: "pinned" | "struck" | "none";
}

/** Oldest first. What stands in the conversation as it was typed is not among them. Rejects with StorageError. */
export async function wordsInSight(history: History): Promise<WordsInSight[]> {
  const { conversation, files } = history;
  const { records } = await readWholeLog(files);
  const left = recordsThatLeft(onBranch(records), conversation);
  return sightOf(wordsIn(left), conversation);
}

/** Those whose message no request has any more; what stands between messages goes with the one before it. */
export function recordsThatLeft(
  records: readonly LogRecord[],
  { messages }: Pick<Conversation, "messages">,
): LogRecord[] {
  const standing = new Set(messages.map(({ id }) => id));
  let stands = false;
  return records.filter(record => {
    if (record.kind === "message") stands = standing.has(record.message.id);
    return !stands;
  });
}

function sightOf(
  words: readonly TypedWords[],
  { ledger = [], wordsMarks }: Pick<Conversation, "ledger" | "wordsMarks">,
): WordsInSight[] {
  const pieces = ledger.flatMap(({ entries }) => entries).flatMap(entry => entry.pieces);
  const shown = new Set(pieces.map(({ text }) => plainly(text)));
  return words.map(each => {
    // A sentence that was said more than once stands once.
    const seen = textPieces(each.text).map(piece => shown.has(plainly(clipPiece(piece).text)));
    const sight = seen.every(Boolean) ? "whole" : seen.some(Boolean) ? "part" : "none";
    return { ...each, sight, mark: wordsMarks.get(wordsKey(each))?.mark ?? "none" };
  });
}
