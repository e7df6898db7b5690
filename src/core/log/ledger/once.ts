/** Each sentence stands once in the ledger, where it was said last. Pure. */
import type { LedgerEntry, LedgerPiece, StatementSource } from "../../../shared/ledger";
import { collapseWhitespace } from "../../ground/text/format";

/** What was said, in pieces. */
export interface WordsInPieces {
  said: StatementSource;
  pieces: LedgerPiece[];
}

/** Who says the same so often means nothing by it: the next times are not named. */
const HABIT = 3;

/**
 * Of what was said more than once, the last stands: it may take back what was said in between.
 * @param all oldest first
 */
export function newestOnly<T extends WordsInPieces>(all: readonly T[]): T[] {
  const seen = new Set<string>();
  const newest = all.toReversed().map(told => {
    const isNew = told.pieces.map(() => false);
    for (const at of [...told.pieces.keys()].reverse()) {
      const key = keyOf(told, at);
      isNew[at] = !seen.has(key);
      seen.add(key);
    }
    return { ...told, pieces: picked(told.pieces, withLeads(told.pieces, isNew)) };
  });
  return newest.reverse();
}

/**
 * What stands already is named by its turn, so that what stands keeps its bytes and its order is still told.
 * @param standing oldest first
 */
export function namedAgain<T extends WordsInPieces>(all: readonly T[], standing: readonly LedgerEntry[]): T[] {
  const known = new Map<string, { turn: number; times: number }>();
  for (const { pieces, ...said } of standing)
    for (const [at, { again }] of pieces.entries()) {
      const key = keyOf({ said, pieces }, at);
      const { turn = again ?? said.turn, times = 0 } = known.get(key) ?? {};
      known.set(key, { turn, times: times + 1 });
    }
  return all.map(told => {
    const before = told.pieces.map((_, at) => known.get(keyOf(told, at)));
    const isWhole = withLeads(
      told.pieces,
      before.map(each => each === undefined),
    );
    const pieces = told.pieces.map(({ again: _, ...piece }, at) => {
      const turn = isWhole[at] ? undefined : before[at]?.turn;
      return turn === undefined ? piece : { ...piece, again: turn };
    });
    const isSaid = pieces.map((_, at) => isWhole[at] || (before[at]?.times ?? 0) < HABIT);
    return { ...told, pieces: picked(pieces, isSaid) };
  });
}

/** An item says nothing without what it stands below: "Never:". */
function withLeads(pieces: readonly LedgerPiece[], wanted: readonly boolean[]): boolean[] {
  const leads = new Set(pieces.flatMap(({ lead }, at) => (wanted[at] && lead !== undefined ? [lead] : [])));
  return wanted.map((each, at) => each || leads.has(at));
}

/** The places of leads are those among the pieces that are left. */
export function picked(pieces: readonly LedgerPiece[], wanted: readonly boolean[]): LedgerPiece[] {
  const places = new Map([...pieces.keys()].filter(at => wanted[at]).map((at, place) => [at, place]));
  return pieces.flatMap(({ lead, ...piece }, at) => {
    if (!wanted[at]) return [];
    const place = lead === undefined ? undefined : places.get(lead);
    return [{ ...piece, ...(place !== undefined && { lead: place }) }];
  });
}

/** The same words mean something else below another line, and as an answer to another question. */
function keyOf({ said, pieces }: WordsInPieces, at: number): string {
  const { text = "", lead } = pieces[at] ?? {};
  const above = lead === undefined ? undefined : plainly(pieces[lead]?.text ?? "");
  return JSON.stringify([said.asked, said.chosen, said.denied, above, plainly(text)]);
}

/** Two sentences that differ in case, blanks and their last sign are one. */
export const plainly = (text: string): string =>
  collapseWhitespace(text)
    .replace(/[.!。！…]$/, "")
    .toLowerCase();
