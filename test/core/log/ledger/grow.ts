/** Ledgers of messages, without a session. */
import { growLedger } from "../../../../src/core/log/ledger/pages";
import type { TypedWords } from "../../../../src/core/log/ledger/said";
import { ledgerTexts, wholeText } from "../../../../src/core/log/ledger/text";
import type { LedgerPage } from "../../../../src/shared/compaction";
import { hash } from "../../../fakes/hash";

export const words = (text: string, turn = 1, more: Partial<TypedWords> = {}): TypedWords => ({
  recordId: `r${turn}`,
  turn,
  text,
  ...more,
});

/** What stands after words leave, compaction by compaction. */
export function grow(batches: readonly (readonly TypedWords[])[], room: number): { pages: LedgerPage[]; text: string } {
  let pages: LedgerPage[] = [];
  for (const [at, batch] of batches.entries()) {
    if (batch.length === 0) continue;
    const page = growLedger(pages, batch, room);
    const text = wholeText(batch);
    const own = { turns: page.turns, raw: { sha256: hash.sha256(text), bytes: text.length, inline: false as const } };
    pages = [{ id: `led${at}`, ...page, whole: [...pages.flatMap(({ whole }) => whole), own] }];
  }
  const text = ledgerTexts(pages)
    .map(page => page.text)
    .join("\n\n");
  return { pages, text };
}
