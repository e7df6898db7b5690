/** Whether the ledger says what the records say: nobody else's words, and none that nobody said. Pure. */
import { type LedgerEntry, type LedgerPage, type StatementSource, wordsKey } from "../../../shared/ledger";
import type { LogRecord } from "../../../shared/records";
import { collapseWhitespace } from "../../ground/text/format";
import { textPieces } from "../../ground/text/sentences";
import { namesSecret, placeholder } from "../../secrets/knownSecrets";
import { plainly } from "./once";
import { clipPiece } from "./pages";
import { type TypedWords, wordsIn } from "./said";
import { linesOfWhole, linesSaid } from "./text";

/** What was said, by the record that says it. */
export class SaidIndex {
  private readonly words = new Map<string, TypedWords[]>();
  private readonly pieces = new WeakMap<TypedWords, string[]>();
  private readonly lines = new Set<string>();
  /** of options that a person chose: a model's wording */
  private readonly options = new Set<string>();

  /** @param records oldest first */
  add(records: readonly LogRecord[]): void {
    for (const [id, words] of Map.groupBy(wordsIn(records), ({ recordId }) => recordId)) {
      this.words.set(id, words);
      for (const { text, chosen } of words)
        for (const line of linesSaid(text)) (chosen ? this.options : this.lines).add(line);
    }
  }

  /** Whether what a handle of a page gives is nothing but lines that a person said. */
  isWholeSaid(text: string): boolean {
    const hasLine = (lines: ReadonlySet<string>, line: string) =>
      lines.has(line) || (namesSecret(line) && [...lines].some(said => hidesSecret(line, said)));
    return linesOfWhole(text).every(
      ({ line, mayBeChosen }) => hasLine(this.lines, line) || (mayBeChosen && hasLine(this.options, line)),
    );
  }

  /** Whether a person said that, all of it and nothing else. */
  says({ recordId, chosen, text }: Pick<TypedWords, "recordId" | "chosen" | "text">): boolean {
    const plain = collapseWhitespace(text);
    return (this.words.get(recordId) ?? []).some(
      words =>
        words.chosen === chosen &&
        (collapseWhitespace(words.text) === plain || hidesSecret(plain, collapseWhitespace(words.text))),
    );
  }

  /** Entries that are not what their record says. */
  unsaid(pages: readonly LedgerPage[]): LedgerEntry[] {
    return pages.flatMap(page => page.entries.filter(entry => !this.isSaid(entry)));
  }

  private isSaid({ recordId, turn, asked, chosen, denied, pieces }: LedgerEntry): boolean {
    const isOf = (words: TypedWords) =>
      words.asked === asked &&
      words.chosen === chosen &&
      words.denied === denied &&
      ((asked ?? denied) !== undefined || words.turn === turn);
    const own = (this.words.get(recordId) ?? []).filter(isOf);
    return own.some(words => {
      const own = this.piecesOf(words);
      let next = 0;
      return pieces.every(({ text }) => {
        const at = own.findIndex((each, place) => place >= next && isPiece(text, each));
        next = at + 1;
        return at >= 0 || hidesSecret(text, collapseWhitespace(words.text));
      });
    });
  }

  private piecesOf(words: TypedWords): string[] {
    const known = this.pieces.get(words) ?? textPieces(words.text).map(({ text }) => text);
    this.pieces.set(words, known);
    return known;
  }
}

/**
 * The newest words of which a sentence went that the pages neither have nor count; undefined: there are none. What was said again
 * later stands there.
 * @param standing pages before; @param leaving what went since, oldest first
 */
export function unaccounted(
  standing: readonly LedgerPage[],
  pages: readonly LedgerPage[],
  leaving: readonly TypedWords[],
): StatementSource | undefined {
  const entriesOf = (all: readonly LedgerPage[]) => all.flatMap(({ entries }) => entries);
  const unsaid = (all: readonly LedgerPage[]) => all.reduce((sum, page) => sum + page.unsaid, 0);
  const entries = Map.groupBy(entriesOf(pages), wordsKey);
  const seen = new Set(entriesOf(pages).flatMap(({ pieces }) => pieces.map(({ text }) => plainly(text))));
  const told = [
    ...entriesOf(standing).map(entry => ({ said: entry, pieces: entry.pieces })),
    ...leaving.map(words => ({ said: words, pieces: textPieces(words.text).map(clipPiece) })),
  ];
  let counted = unsaid(pages) - unsaid(standing);
  for (const { said, pieces } of told.toReversed()) {
    const keys = pieces.map(({ text }) => plainly(text));
    const isLost = keys.some(key => !seen.has(key));
    for (const key of keys) seen.add(key);
    if (!isLost) continue;
    const own = entries.get(wordsKey(said));
    const isShort = ({ cut, pieces }: LedgerEntry) => cut || pieces.some(({ gap, text }) => gap || namesSecret(text));
    if (own ? !own.some(isShort) : --counted < 0) return said;
  }
  return undefined;
}

/** Part of one says something else: "push to main" is none of "Never push to main". */
const isPiece = (text: string, own: string): boolean =>
  text === own || text === clipPiece({ text: own, foreign: "block" }).text;

/** What became known as a secret after it was recorded is hidden in the ledger, and may have had the marks of a sentence in it. */
function hidesSecret(text: string, said: string): boolean {
  if (!namesSecret(text)) return false;
  let from = 0;
  return text.split(placeholder.split).every((part, at) => {
    if (at % 2 === 1) return true;
    const found = said.indexOf(part.replace(/…$/, ""), from);
    from = found + part.length;
    return found >= 0;
  });
}
