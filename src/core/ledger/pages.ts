/**
 * The pages of the ledger: a compaction adds one, behind those that stand, so that what stands keeps its bytes. Where the room is
 * used up, one page takes the place of all, with the best of what they had. Pure.
 */
import type { LedgerEntry, LedgerPage } from "../../shared/ledger";
import { estimateTokens } from "../text/estimate";
import { collapseWhitespace, cutPoint } from "../text/format";
import { type TextPiece, textPieces } from "../text/sentences";
import type { Words } from "./said";
import { type WeighedPiece, weighPieces } from "./weigh";

/** What a page is before its whole text is in a blob. */
type PageDraft = Pick<LedgerPage, "turns" | "entries" | "unsaid">;

/**
 * Tokens that the ledger may take: it follows the window, and is never so small that a day's facts have no room; in a tiny
 * window other things have to stand beside it.
 */
export const ledgerRoom = (window: number): number =>
  Math.round(Math.min(0.15 * window, Math.max(4_000, 0.08 * window)));

/** A new page for all leaves so much of the room free: the next ones are added again. */
const REBUILT_SHARE = 0.7;
/** Characters of one piece: what is longer has its beginning there. */
const PIECE_CHARACTERS = 600;
/** Characters of code, quotes and what was pasted: enough to know what it was. */
const FOREIGN_CHARACTERS = 200;
/** Nobody says more in one message that others should read in every request. */
const MOST_PIECES = 400;

/**
 * @param pages that stand
 * @param words that leave requests, oldest first
 * @param room tokens for all pages
 * @returns `added`: behind those that stand; `rebuilt`: in their place; undefined: there is nothing to add
 */
export function growLedger(
  pages: readonly LedgerPage[],
  words: readonly Words[],
  room: number,
): { kind: "added" | "rebuilt"; page: PageDraft } | undefined {
  const standing = pages.flatMap(({ entries }) => entries);
  const seen = new Set(standing.flatMap(({ pieces }) => pieces.map(({ text }) => keyOf(text))));
  const sources = words.map(each => sourceOf(each, seen));
  const used = entriesTokens(standing);
  if (sources.length === 0 && used <= room) return undefined;
  const turns = turnsOf(pages, words);
  if (used + sources.reduce((sum, { tokens }) => sum + tokens, 0) <= room) {
    const entries = sources.map(wholeEntry).filter(({ pieces }) => pieces.length > 0);
    return { kind: "added", page: { turns: turnsOf([], words), entries, unsaid: 0 } };
  }
  const all = [...standing.map(standingSource), ...sources];
  const entries = chooseEntries(all, room * REBUILT_SHARE);
  const before = pages.reduce((sum, { unsaid }) => sum + unsaid, 0);
  return { kind: "rebuilt", page: { turns, entries, unsaid: before + all.length - entries.length } };
}

/** What an entry is made of. */
interface Source {
  said: Omit<LedgerEntry, "pieces" | "cut">;
  pieces: TextPiece[];
  /** of the whole as an entry */
  tokens: number;
  /** something of it has no piece */
  cut: boolean;
}

/** Each sentence stands once: what was said before is not said again. */
function sourceOf({ text, ...said }: Words, seen: Set<string>): Source {
  const all = textPieces(text);
  const fresh = all.slice(0, MOST_PIECES).map(piece => (isNew(piece.text, seen) ? piece : undefined));
  const places = placesOf(fresh);
  const pieces = fresh.flatMap(piece =>
    piece ? [{ ...piece, lead: piece.lead === undefined ? undefined : places.get(piece.lead) }] : [],
  );
  const clipped = pieces.map(clipPiece);
  const cut = all.length > MOST_PIECES || clipped.some(({ text: each }, at) => each !== pieces[at]?.text);
  return { said, pieces: clipped, tokens: entryTokens({ ...said, pieces: clipped }), cut };
}

const isNew = (text: string, seen: Set<string>) => seen.size < seen.add(keyOf(text)).size;

/** Where pieces are once those that were said before are out. */
function placesOf(pieces: readonly (TextPiece | undefined)[]): Map<number, number> {
  const kept = [...pieces.keys()].filter(at => pieces[at]);
  return new Map(kept.map((at, place) => [at, place]));
}

function clipPiece(piece: TextPiece): TextPiece {
  const most = piece.isForeign ? FOREIGN_CHARACTERS : PIECE_CHARACTERS;
  return piece.text.length <= most ? piece : { ...piece, text: `${piece.text.slice(0, cutPoint(piece.text, most))}…` };
}

const keyOf = (text: string): string =>
  collapseWhitespace(text)
    .replace(/[.!。！…]$/, "")
    .toLowerCase();

/** An entry that stands is weighed again, piece by piece; what it left out stays out. */
const standingSource = ({ pieces, cut, ...said }: LedgerEntry): Source => ({
  said,
  pieces: pieces.map(({ text }) => ({ text, isForeign: false })),
  tokens: entryTokens({ ...said, pieces }),
  cut: cut ?? pieces.some(({ gap }) => gap),
});

const wholeEntry = ({ said, pieces, cut }: Source): LedgerEntry => ({
  ...said,
  pieces: pieces.map(({ text }) => ({ text })),
  ...(cut && { cut: true as const }),
});

/** The best pieces that have room, each with what it stands below, in the order in which they were said. */
function chooseEntries(sources: readonly Source[], room: number): LedgerEntry[] {
  const weighed = weighPieces(sources.map(({ pieces }) => pieces));
  const byPlace = Map.groupBy(weighed, ({ of }) => of);
  const chosen = new Map<number, Set<WeighedPiece>>();
  let left = room;
  for (const piece of weighed.toSorted((a, b) => b.weight - a.weight)) {
    const own = byPlace.get(piece.of) ?? [];
    const taken = chosen.get(piece.of) ?? new Set();
    const lead = piece.lead === undefined ? undefined : own[piece.lead];
    const wanted = [lead, piece].filter(each => each !== undefined && !taken.has(each)) as WeighedPiece[];
    const head = taken.size === 0 ? entryTokens({ ...(sources[piece.of] as Source).said, pieces: [] }) : 0;
    const tokens = wanted.reduce((sum, { text }) => sum + pieceTokens(text), head);
    if (wanted.length === 0 || tokens > left) continue;
    left -= tokens;
    for (const each of wanted) taken.add(each);
    chosen.set(piece.of, taken);
  }
  return [...chosen.keys()]
    .sort((a, b) => a - b)
    .map(of => chosenEntry(sources[of] as Source, byPlace.get(of) ?? [], chosen.get(of) ?? new Set()));
}

function chosenEntry(
  { said, cut }: Source,
  own: readonly WeighedPiece[],
  taken: ReadonlySet<WeighedPiece>,
): LedgerEntry {
  const pieces = own.flatMap((piece, at) => {
    if (!taken.has(piece)) return [];
    const before = own[at - 1];
    return [{ text: piece.text, ...(before && !taken.has(before) && { gap: true as const }) }];
  });
  const last = own.at(-1);
  return { ...said, pieces, ...((cut || (last && !taken.has(last))) && { cut: true as const }) };
}

function turnsOf(pages: readonly LedgerPage[], words: readonly Words[]): LedgerPage["turns"] {
  const turns = [...pages.flatMap(({ turns: { from, to } }) => [from, to]), ...words.map(({ turn }) => turn)];
  return { from: Math.min(...turns), to: Math.max(...turns) };
}

/** A piece, the blank before it, and "…" where something is left out. */
const pieceTokens = (text: string): number => estimateTokens(text) + 1;

const entryTokens = ({ pieces, ...said }: Pick<LedgerEntry, "pieces" | "turn" | "asked" | "denied">): number =>
  estimateTokens(entryHead(said)) + 4 + pieces.reduce((sum, { text }) => sum + pieceTokens(text), 0);

const entriesTokens = (entries: readonly LedgerEntry[]): number =>
  entries.reduce((sum, entry) => sum + entryTokens(entry), 0);

const ASKED_CHARACTERS = 120;

/** The beginning of an entry's line. */
export function entryHead({ turn, asked, denied }: Pick<LedgerEntry, "turn" | "asked" | "denied">): string {
  if (asked !== undefined) {
    const question = collapseWhitespace(asked).slice(0, cutPoint(asked, ASKED_CHARACTERS));
    return `* turn ${turn}, asked “${question}”:`;
  }
  return denied === undefined ? `* turn ${turn}:` : `* turn ${turn}, denying ${denied}:`;
}
