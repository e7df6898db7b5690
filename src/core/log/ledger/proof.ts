/** Proves the ledger by the records: each entry is what a person said, and words left out are counted. Pure. */
import type { LedgerEntry, LedgerPage, StatementSource } from "../../../shared/compaction";
import type { LogRecord } from "../../../shared/records";
import { placeholder } from "../../secrets/knownSecrets";
import { sameWords, wordsKey } from "./pages";
import { type TypedWords, wordsIn } from "./said";

/** What was said, by the record that says it. */
export class SaidIndex {
  private readonly words = new Map<string, TypedWords[]>();

  /** @param records oldest first */
  add(records: readonly LogRecord[]): void {
    for (const [id, words] of Map.groupBy(wordsIn(records), ({ recordId }) => recordId)) this.words.set(id, words);
  }

  /** Entries that are not what their record says. */
  unsaid(pages: readonly LedgerPage[]): LedgerEntry[] {
    return entriesOf(pages).filter(
      entry =>
        !(this.words.get(entry.recordId) ?? []).some(
          words =>
            isSameKind(entry, words) &&
            ((entry.asked ?? entry.denied) !== undefined || words.turn === entry.turn) &&
            isExcerpt(entry, plainly(words.text)),
        ),
    );
  }
}

/**
 * Words that went and that the pages neither have nor count; undefined: there are none. What was said again stands there.
 * @param standing pages before
 * @param leaving what went since, oldest first
 */
export function unaccounted(
  standing: readonly LedgerPage[],
  pages: readonly LedgerPage[],
  leaving: readonly TypedWords[],
): StatementSource | undefined {
  const entries = entriesOf(pages);
  const [keys, same] = [new Set(entries.map(wordsKey)), new Set(entries.map(sameWords))];
  const missing = [
    ...entriesOf(standing).filter(entry => !keys.has(wordsKey(entry)) && !same.has(sameWords(entry))),
    ...leaving.filter(words => {
      const text = plainly(words.text);
      return !keys.has(wordsKey(words)) && !entries.some(entry => isSameKind(entry, words) && isExcerpt(entry, text));
    }),
  ];
  const counted = unsaidOf(pages) - unsaidOf(standing);
  return missing.length > counted ? missing.at(-1) : undefined;
}

const entriesOf = (pages: readonly LedgerPage[]) => pages.flatMap(({ entries }) => entries);
const unsaidOf = (pages: readonly LedgerPage[]) => pages.reduce((sum, { unsaid }) => sum + unsaid, 0);

const isSameKind = (entry: StatementSource, words: StatementSource): boolean =>
  words.asked === entry.asked && words.chosen === entry.chosen && words.denied === entry.denied;

/** Whitespace and quotes may differ. */
const plainly = (text: string): string => text.replace(/\s+/g, "").replace(/[“”]/g, '"');

/** Stands where something of the text is left out, or hidden since it was recorded. */
const LEFT_OUT = "\0";

/** @param said without whitespace */
function isExcerpt({ pieces, cut }: LedgerEntry, said: string): boolean {
  const parts = pieces.map(({ text, gap, foreign }) => {
    const whole = foreign ? text.replace(/…$/, LEFT_OUT) : text;
    return (gap ? LEFT_OUT : "") + whole.replace(placeholder.all, LEFT_OUT);
  });
  return isMadeOf(said, plainly(parts.join("") + (cut ? LEFT_OUT : "")).split(LEFT_OUT));
}

/** Begins with the first part, ends with the last, and has the others between them in their order. */
function isMadeOf(text: string, [first = "", ...others]: string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
