/** A person's own words in turns that left requests: which of them the model still sees, and which it is to see for good. */
import type { History } from "../history/history";
import { type WordsInSight, wordsInSight } from "../ledger/sight";

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
   * Pinned words never leave the ledger; where the model does not see all of them, its next request has them again. Rejects with
   * SessionError where this window may not write, and with StorageError.
   */
  async pin({ sight, pinned: was, ...words }: WordsInSight, pinned: boolean): Promise<void> {
    this.session.requireWritable();
    if (was === pinned) return;
    const isUnseen = pinned && sight !== "whole";
    await this.history.append({ kind: "wordsPin", ...words, pinned, ...(isUnseen && { isUnseen: true as const }) });
  }
}
