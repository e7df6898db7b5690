/** Ledgers of messages, without a session. */
import { growLedger } from "../../../../src/core/log/ledger/pages";
import type { TypedWords } from "../../../../src/core/log/ledger/said";
import { ledgerTexts, wholeText } from "../../../../src/core/log/ledger/text";
import type { LedgerPage } from "../../../../src/shared/ledger";
import { hash } from "../../../fakes/hash";

export const words = (text: string, turn = 1, more: Partial<TypedWords> = {}): TypedWords => ({
  recordId: `r${turn}`,
  turn,
  text,
  ...more,
});

/** What stands after words leave, compaction by compaction. */
export function grow(
  batches: readonly (readonly TypedWords[])[],
  room: number,
): { pages: LedgerPage[]; kinds: string[]; text: string } {
  let pages: LedgerPage[] = [];
  const kinds: string[] = [];
  for (const [at, batch] of batches.entries()) {
    const grown = growLedger(pages, batch, room);
    if (!grown) continue;
    const text = wholeText(batch);
    const own = {
      turns: grown.page.turns,
      raw: { sha256: hash.sha256(text), bytes: text.length, inline: false as const },
    };
    const whole = grown.kind === "rebuilt" ? [...pages.flatMap(page => page.whole), own] : [own];
    const page = { id: `led${at}`, ...grown.page, whole };
    pages = grown.kind === "added" ? [...pages, page] : [page];
    kinds.push(grown.kind);
  }
  const text = ledgerTexts(pages)
    .map(page => page.text)
    .join("\n\n");
  return { pages, kinds, text };
}
