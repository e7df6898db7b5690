/** Whether the ledger says what the records say: nobody else's words, and none that nobody said. Pure. */
import type { LedgerEntry, LedgerPage } from "../../shared/ledger";
import type { LogRecord } from "../../shared/records";
import { collapseWhitespace } from "../text/format";
import { type Words, wordsIn } from "./said";

/** What was said, by the record that says it. */
export class SaidIndex {
  private readonly words = new Map<string, Words[]>();

  /** @param records oldest first */
  add(records: readonly LogRecord[]): void {
    for (const [id, words] of Map.groupBy(wordsIn(records), ({ recordId }) => recordId)) this.words.set(id, words);
  }

  /** Entries that are not what their record says. */
  unsaid(pages: readonly LedgerPage[]): LedgerEntry[] {
    return pages.flatMap(({ entries }) => entries).filter(entry => !this.isSaid(entry));
  }

  private isSaid({ recordId, asked, denied, pieces }: LedgerEntry): boolean {
    const said = this.words.get(recordId)?.filter(words => words.asked === asked && words.denied === denied) ?? [];
    return said.some(({ text }) => {
      const all = collapseWhitespace(text);
      return pieces.every(piece => all.includes(piece.text) || all.includes(piece.text.replace(/…$/, "")));
    });
  }
}
