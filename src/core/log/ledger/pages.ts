/**
 * The pages of the ledger: a compaction adds one, behind those that stand, so that what stands keeps its bytes. Where the room is
 * used up, one page takes the place of all, with the best of what they had. Pure.
 */
import { type LedgerEntry, type LedgerPage, type LedgerPiece, wordsKey } from "../../../shared/ledger";
import { estimateTokens } from "../../ground/text/estimate";
import { cutPoint } from "../../ground/text/format";
import { textPieces } from "../../ground/text/sentences";
import { namedAgain, newestOnly, picked, type WordsInPieces } from "./once";
import type { TypedWords } from "./said";
import { type WeighedPiece, weighPieces } from "./weigh";

/** What a person made of words of theirs, by `wordsKey`. */
type Marks = ReadonlyMap<string, "pinned" | "struck">;

const withMark = (entry: LedgerEntry, marks: Marks): LedgerEntry =>
  marks.get(wordsKey(entry)) === "struck" ? { ...entry, struck: true } : entry;

/** What a page is before its whole text is in a blob. */
type PageDraft = Pick<LedgerPage, "turns" | "entries" | "unsaid">;

/**
 * Tokens that the ledger may take: it follows the window, and is never so small that a day's facts have no room; in a tiny
 * window other things have to stand beside it.
 */
export const ledgerRoom = (window: number): number =>
  Math.round(Math.min(0.15 * window, Math.max(4_000, 0.08 * window)));

/** Where all of that is used, each request of a long session costs 0.08 of its window: beyond this only what is concrete has room. */
const PLAIN_ROOM = 3_000;

/** A new page for all leaves so much of the room free: the next ones are added again. */
const REBUILT_SHARE = 0.7;
/** Of what is not concrete only the best third is added once the room gets short: a page for all breaks the whole of it. */
const ADDED_SHARE = 0.35;
/** Of code and what was pasted, what is no longer stands whole; of the rest enough to know what it was. */
const FOREIGN_CHARACTERS = { whole: 600, cut: 200 };
/** Nobody says more in one message that others should read in every request. */
const MOST_PIECES = 400;

/**
 * @param pages that stand
 * @param words that leave requests, oldest first
 * @param room tokens for all pages
 * @param marks by `wordsKey`: pinned words have room before all others, words that were taken back are struck out
 * @returns `added`: behind those that stand, where the room gets short only the best of the words; `rebuilt`: in their place; undefined: there is nothing to add
 */
export function growLedger(
  pages: readonly LedgerPage[],
  words: readonly TypedWords[],
  room: number,
  marks: Marks = new Map(),
): { kind: "added" | "rebuilt"; page: PageDraft } | undefined {
  const standing = pages.flatMap(({ entries }) => entries);
  const used = entriesTokens(standing);
  // What stands keeps its bytes until a person takes something of it back, or no longer does.
  const isStale = standing.some(entry => (marks.get(wordsKey(entry)) === "struck") !== (entry.struck ?? false));
  if (words.length === 0 && used <= room && !isStale) return undefined;
  const told = words.map(sourceOf);
  const entries = namedAgain(newestOnly(told), standing)
    .filter(({ pieces }) => pieces.length > 0)
    .map(source => withMark(wholeEntry(source), marks));
  const added = (those: LedgerEntry[]) => {
    const page = { turns: turnsOf([], words), entries: those, unsaid: entries.length - those.length };
    return { kind: "added" as const, page };
  };
  if (!isStale && hasRoom([...standing, ...entries], room)) return added(entries);
  const best = isStale || words.length === 0 ? [] : bestOf(standing, entries, room, marks);
  if (best.length > 0 && hasRoom([...standing, ...best], room)) return added(best);
  const all = newestOnly([...standing.map(standingSource), ...told]).filter(({ pieces }) => pieces.length > 0);
  const chosen = chooseEntries(
    all,
    { plain: REBUILT_SHARE * Math.min(room, PLAIN_ROOM), concrete: REBUILT_SHARE * room },
    marks,
  ).map(({ entry }) => withMark(entry, marks));
  const before = pages.reduce((sum, { unsaid }) => sum + unsaid, 0);
  const unsaid = before + all.length - chosen.length;
  return { kind: "rebuilt", page: { turns: turnsOf(pages, words), entries: chosen, unsaid } };
}

function hasRoom(entries: readonly LedgerEntry[], room: number): boolean {
  const used = entriesTokens(entries);
  if (used <= Math.min(room, PLAIN_ROOM)) return true;
  const plain = weighPieces(entries.map(({ pieces }) => pieces)).filter(({ concrete }) => !concrete);
  return used <= room && plain.reduce((sum, piece) => sum + pieceTokens(piece), 0) <= PLAIN_ROOM;
}

/** Of new entries, what would stand on a page in the place of all: it stands behind the others, which keep their bytes. */
function bestOf(
  standing: readonly LedgerEntry[],
  entries: readonly LedgerEntry[],
  room: number,
  marks: Marks,
): LedgerEntry[] {
  const sources = [...standing.map(standingSource), ...entries.map(addedSource)];
  return chooseEntries(sources, { plain: ADDED_SHARE * PLAIN_ROOM, concrete: REBUILT_SHARE * room }, marks)
    .filter(({ of }) => of >= standing.length)
    .map(({ entry }) => withMark(entry, marks));
}

const addedSource = ({ pieces, cut, struck: _, ...said }: LedgerEntry): Source => ({ said, pieces, cut: cut ?? false });

/** What an entry is made of. */
interface Source extends WordsInPieces {
  /** something of it has no piece */
  cut: boolean;
}

function sourceOf({ text, ...said }: TypedWords): Source {
  const all = textPieces(text);
  const pieces = heaviest(all);
  const clipped = pieces.map(clipPiece);
  const cut = all.length > pieces.length || clipped.some(({ text: each }, at) => each !== pieces[at]?.text);
  return { said, pieces: clipped, cut };
}

/** Of a message with more pieces than anybody reads. */
function heaviest(pieces: readonly LedgerPiece[]): LedgerPiece[] {
  if (pieces.length <= MOST_PIECES) return [...pieces];
  const weights = weighPieces([pieces]).map(({ weight }) => weight);
  const least = weights.toSorted((a, b) => b - a)[MOST_PIECES - 1] ?? 0;
  const places = [...weights.keys()].filter(at => (weights[at] ?? 0) >= least).slice(0, MOST_PIECES);
  const wanted = new Set(places.flatMap(at => [at, pieces[at]?.lead ?? at]));
  return withGaps(pieces, at => wanted.has(at));
}

function withGaps(pieces: readonly LedgerPiece[], isWanted: (at: number) => boolean): LedgerPiece[] {
  const gapped = pieces.map(
    (piece, at): LedgerPiece => (at > 0 && !isWanted(at - 1) ? { ...piece, gap: true } : piece),
  );
  return picked(
    gapped,
    pieces.map((_, at) => isWanted(at)),
  );
}

/** Of what somebody else may have written. */
export function clipPiece(piece: LedgerPiece): LedgerPiece {
  const { whole, cut } = FOREIGN_CHARACTERS;
  return !piece.foreign || piece.text.length <= whole
    ? piece
    : { ...piece, text: `${piece.text.slice(0, cutPoint(piece.text, cut))}…` };
}

/** An entry that stands is weighed again, piece by piece; what it left out stays out. */
const standingSource = (entry: LedgerEntry): Source => ({
  ...addedSource(entry),
  pieces: entry.pieces.map(({ again: _, ...piece }): LedgerPiece => piece),
});

const wholeEntry = ({ said, pieces, cut }: Source): LedgerEntry => ({
  ...said,
  pieces,
  ...(cut && { cut: true as const }),
});

/** The best pieces that have room, each with what it stands below, in the order in which they were said. `of`: place of the source */
function chooseEntries(
  sources: readonly Source[],
  room: { plain: number; concrete: number },
  marks: Marks,
): { of: number; entry: LedgerEntry }[] {
  const weighed = weighPieces(sources.map(({ pieces }) => pieces));
  for (const piece of weighed)
    if (marks.get(wordsKey((sources[piece.of] as Source).said)) === "pinned")
      Object.assign(piece, { weight: Number.POSITIVE_INFINITY, concrete: true });
  const byPlace = Map.groupBy(weighed, ({ of }) => of);
  const chosen = new Map<number, Set<WeighedPiece>>();
  let used = 0;
  for (const piece of weighed.toSorted((a, b) => b.weight - a.weight)) {
    const own = byPlace.get(piece.of) ?? [];
    const taken = chosen.get(piece.of) ?? new Set();
    const lead = piece.lead === undefined ? undefined : own[piece.lead];
    const wanted = [lead, piece].filter(each => each !== undefined && !taken.has(each)) as WeighedPiece[];
    const head = taken.size === 0 ? entryTokens({ ...(sources[piece.of] as Source).said, pieces: [] }) : 0;
    const tokens = wanted.reduce((sum, each) => sum + pieceTokens(each), head);
    if (wanted.length === 0 || used + tokens > room[piece.concrete ? "concrete" : "plain"]) continue;
    used += tokens;
    for (const each of wanted) taken.add(each);
    chosen.set(piece.of, taken);
  }
  return [...chosen.keys()]
    .sort((a, b) => a - b)
    .map(of => ({
      of,
      entry: chosenEntry(sources[of] as Source, byPlace.get(of) ?? [], chosen.get(of) ?? new Set()),
    }));
}

function chosenEntry(
  { said, cut }: Source,
  own: readonly WeighedPiece[],
  taken: ReadonlySet<WeighedPiece>,
): LedgerEntry {
  const pieces = withGaps(
    own.map(({ of: _, weight: __, concrete: ___, ...piece }): LedgerPiece => piece),
    at => taken.has(own[at] as WeighedPiece),
  );
  const last = own.at(-1);
  return { ...said, pieces, ...((cut || (last && !taken.has(last))) && { cut: true as const }) };
}

function turnsOf(pages: readonly LedgerPage[], words: readonly TypedWords[]): LedgerPage["turns"] {
  const turns = [...pages.flatMap(({ turns: { from, to } }) => [from, to]), ...words.map(({ turn }) => turn)];
  return { from: Math.min(...turns), to: Math.max(...turns) };
}

/** A piece, the blank before it, and "…" where something is left out. */
const pieceTokens = ({ text, again }: LedgerPiece): number => (again === undefined ? estimateTokens(text) + 1 : 6);

/** Of the line that has the question, beside it. */
const QUESTION_TOKENS = 20;

const entryTokens = ({ pieces, asked, ...said }: Pick<LedgerEntry, "pieces" | "turn" | "asked" | "denied">): number =>
  estimateTokens(entryHead(said)) +
  (asked === undefined ? 4 : QUESTION_TOKENS + estimateTokens(asked.slice(0, ASKED_CHARACTERS))) +
  pieces.reduce((sum, piece) => sum + pieceTokens(piece), 0);

const entriesTokens = (entries: readonly LedgerEntry[]): number =>
  entries.reduce((sum, entry) => sum + entryTokens(entry), 0);

export const ASKED_CHARACTERS = 120;

/** The beginning of the line of an entry that answers no question. */
export const entryHead = ({ turn, denied }: Pick<LedgerEntry, "turn" | "denied">): string =>
  denied === undefined ? `* turn ${turn}:` : `* turn ${turn}, denying ${denied}:`;
