/**
 * Which pieces of what people said matter most, where not all have room. No list of words and no language: what is rare in this
 * session and names something (a number, a path, a name, a quoted word) is worth more than what is said again and again with
 * another object ("go on with module 7"). Pure.
 * Why: C-44.
 */
import type { LedgerPiece } from "../../../shared/ledger";
import { namesIn } from "../../ground/text/names";

export interface WeighedPiece extends LedgerPiece {
  /** place of the words that it is a piece of, among all words */
  of: number;
  /** higher: sooner in the ledger; above 0 */
  weight: number;
  /** It names something, in a way of its own: no habit, nothing that was pasted, no wording of a model's. */
  concrete: boolean;
}

/** So many pieces that differ in numbers only are a habit: each says little. */
const HABIT = 3;
const HABIT_SHARE = 0.15;
/** Pieces that begin alike count for less the more of them there are: so many make half of it. */
const ALIKE = 8;
/** What may be somebody else's text has room where nothing else wants it; a person may have typed what is short. */
const FOREIGN_SHARE = { block: 0.1, short: 0.4 };
const SHORT = 600;
/** Of one message, each further piece counts for less: a pasted log does not outweigh a conversation. */
const PER_MESSAGE = 6;
/** Around much that was pasted, people write their own at the beginning or at the end. */
const LONG = 20;
const EDGE = 2;
const EDGE_SHARE = 2;
/** so many names and numbers make a piece as concrete as it gets */
const CONCRETE = 3;

/** @param words the pieces of each of the words of a person, in their order */
export function weighPieces(words: readonly (readonly LedgerPiece[])[]): WeighedPiece[] {
  const all = words.flatMap((pieces, of) => pieces.map(piece => ({ piece, of, terms: termsOf(piece.text) })));
  const rarity = termRarity(all.map(({ terms }) => terms));
  const [shapes, openings] = [
    tally(all.map(({ terms }) => shapeOf(terms))),
    tally(all.map(({ terms }) => openingOf(terms))),
  ];
  const weighed = all.map(({ piece, of, terms }): WeighedPiece => {
    const names = namesIn(piece.text).length;
    const value = 0.05 + mean(terms.map(rarity)) + Math.min(1, names / CONCRETE);
    const habit = (shapes.get(shapeOf(terms)) ?? 0) >= HABIT ? HABIT_SHARE : 1;
    const alike = 1 / (1 + ((openings.get(openingOf(terms)) ?? 1) - 1) / ALIKE);
    return {
      ...piece,
      of,
      concrete: names > 0 && habit === 1 && alike >= 0.5 && !piece.foreign,
      weight: value * habit * alike * (piece.foreign ? FOREIGN_SHARE[isShort(piece) ? "short" : "block"] : 1),
    };
  });
  for (const pieces of Map.groupBy(weighed, ({ of }) => of).values()) {
    const isLong = pieces.length > LONG;
    for (const piece of isLong ? [...pieces.slice(0, EDGE), ...pieces.slice(-EDGE)] : []) piece.weight *= EDGE_SHARE;
    for (const [at, piece] of pieces.toSorted((a, b) => b.weight - a.weight).entries())
      piece.weight /= 1 + at / PER_MESSAGE;
  }
  return weighed;
}

const isShort = ({ foreign, text }: LedgerPiece) => foreign === "line" || (text.length <= SHORT && !text.endsWith("…"));

/** Words in small letters, digits as one sign; of scripts that write without spaces, each two characters. */
function termsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replace(/\p{Nd}+/gu, "#")
      .match(/[\p{L}\p{M}\p{N}#_]+/gu) ?? [];
  return words.flatMap(word => (isUnspaced(word) && word.length > 2 ? pairsOf(word) : [word]));
}

const isUnspaced = (word: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    word,
  );

const pairsOf = (word: string) => Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));

/** Of a term, from 0 (every piece has it) to 1 (one piece has it). */
function termRarity(pieces: readonly (readonly string[])[]): (term: string) => number {
  const counts = tally(pieces.flatMap(terms => [...new Set(terms)]));
  const most = Math.log(pieces.length + 1);
  return term => (most === 0 ? 0 : Math.log((pieces.length + 1) / (counts.get(term) ?? 1)) / most);
}

const shapeOf = (terms: readonly string[]): string => terms.join(" ");
/** What stays the same where the object differs. */
const openingOf = (terms: readonly string[]): string => terms.slice(0, 3).join(" ");

function tally(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
