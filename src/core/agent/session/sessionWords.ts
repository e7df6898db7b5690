/** A person's own words in turns that left requests: which of them the model still sees, and which it is to see for good. */
import type { History } from "../../log/history";
import { type WordsInSight, wordsInSight } from "../../log/ledger/sight";

export class SessionWords {
  constructor(
    private readonly history: History,
    private readonly session: { requireWritable(): void },
  ) {}

  /** Oldest first. Rejects with StorageError. */
  list(): Promise<WordsInSight[]> {
    return wordsInSight(this.history);
  }

  /**
   * Pinned words never leave the ledger; where the model does not see all of them, its next request has them again. Words that are
   * taken back are told as that, and stand struck out from the next compaction on. Rejects with SessionError where this window may not
   * write, and with StorageError.
   */
  async mark({ sight, mark: was, ...words }: WordsInSight, mark: WordsInSight["mark"]): Promise<void> {
    this.session.requireWritable();
    if (was === mark) return;
    const isUntold = mark === "struck" || (mark === "pinned" && sight !== "whole");
    await this.history.append({ kind: "wordsMark", ...words, mark, ...(isUntold && { isUntold: true as const }) });
  }
}
