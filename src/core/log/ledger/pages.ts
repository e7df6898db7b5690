/** The ledger's page after a compaction: every message of the person once, within its room (docs/context.md). Pure. */
import type { LedgerEntry, LedgerPage, StatementSource } from "../../../shared/compaction";
import { estimateTokens, fitting } from "../../ground/text/estimate";
import { collapseWhitespace, cutPoint, wordStart } from "../../ground/text/format";
import { placeholder } from "../../secrets/knownSecrets";
import type { TypedWords } from "./said";
import { ASKED_CHARACTERS, entryHead } from "./text";

type PageDraft = Pick<LedgerPage, "turns" | "entries" | "unsaid">;

/** Tokens that the ledger may take of the window. */
export const ledgerRoom = (window: number) => Math.round(Math.min(0.18 * window, Math.max(10_000, 0.05 * window)));

/** Bounds in characters: a message over the highest is mostly pasted text and loses its middle even where there is room. */
const BOUND = { most: 1_500, least: 93 };
/** What is left of a message that is longer than the bound: this share of the bound, half of it from each end. */
const ENDS_SHARE = 1 / 3;
const NEXT_BOUND = 0.5;

/**
 * One page takes the place of all. Messages over one bound lose their middle; the bound is the highest that fits, and what room that
 * leaves goes to the oldest of those that it cut. Where even the lowest does not fit, the oldest messages are only counted.
 * @param words that leave requests, oldest first
 * @param room tokens
 */
export function growLedger(pages: readonly LedgerPage[], words: readonly TypedWords[], room: number): PageDraft {
  const all = newestOnly([...pages.flatMap(({ entries }) => entries), ...words.map(entryOf)]);
  const turns = [...pages.flatMap(({ turns: { from, to } }) => [from, to]), ...words.map(({ turn }) => turn)];
  const fitting = withinRoom(all, room);
  const unsaid = pages.reduce((sum, page) => sum + page.unsaid, 0) + all.length - fitting.length;
  return { turns: { from: Math.min(...turns), to: Math.max(...turns) }, entries: fitting, unsaid };
}

function withinRoom(all: readonly LedgerEntry[], room: number): LedgerEntry[] {
  let bound = BOUND.most;
  let wider = all.map(entry => shorten(entry, bound));
  if (ledgerTokens(wider) <= room) return wider;
  let entries = wider;
  while (ledgerTokens(entries) > room && bound > BOUND.least) {
    wider = entries;
    bound = Math.max(BOUND.least, bound * NEXT_BOUND);
    entries = all.map(entry => shorten(entry, bound));
  }
  let left = room - ledgerTokens(entries);
  if (left < 0) return newestWithin(entries, room);
  return entries.map((entry, at) => {
    const longer = wider[at] ?? entry;
    const more = entryTokens(longer) - entryTokens(entry);
    if (more > left) return entry;
    left -= more;
    return longer;
  });
}

const newestWithin = (entries: readonly LedgerEntry[], room: number): LedgerEntry[] =>
  entries.slice(entries.length - fitting(entries.toReversed(), room, entryTokens));

/** No quote of theirs ends the quotes that their words stand in. */
const entryOf = ({ text, ...said }: TypedWords): LedgerEntry => ({
  ...said,
  pieces: [{ text: collapseWhitespace(text).replace(/[“”]/g, '"') }],
});

/** Of the same words, said in answer to the same, the last stand: they may take back what was said in between. */
function newestOnly(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const byWords = new Map(entries.map(entry => [sameWords(entry), wordsKey(entry)]));
  return entries.filter(entry => byWords.get(sameWords(entry)) === wordsKey(entry));
}

/** Tells words of one record apart: a form has several questions, an answer options and words beside them. */
export const wordsKey = ({ recordId, asked, chosen }: StatementSource) => JSON.stringify([recordId, asked, chosen]);

export const sameWords = ({ asked, chosen, denied, pieces }: LedgerEntry): string =>
  JSON.stringify([asked, chosen, denied, pieces.map(({ text }) => text).join(" ")]);

const characters = ({ pieces }: LedgerEntry): number => pieces.reduce((sum, { text }) => sum + text.length, 0);

function shorten(entry: LedgerEntry, bound: number): LedgerEntry {
  const isShort = entry.pieces.some(({ gap }) => gap) || entry.cut;
  const end = Math.floor((bound * ENDS_SHARE) / 2);
  if (characters(entry) <= (isShort ? 2 * end : bound)) return entry;
  const [head, tail] = [entry.pieces[0]?.text ?? "", entry.pieces.at(-1)?.text ?? ""];
  const { cut: _, ...said } = entry;
  // Behind what an older version cut off at the end nothing is known.
  if (entry.cut) return { ...said, pieces: [{ text: headOf(head, end) }], cut: true };
  return { ...said, pieces: [{ text: headOf(head, end) }, { text: tailOf(tail, end), gap: true }] };
}

/** Up to a blank where there is one near, and never a part of a placeholder. */
function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const blank = wordStart(text, most);
  const at = blank > most / 2 ? blank : cutPoint(text, most);
  return text.slice(0, placeholderAround(text, at)?.from ?? at).trimEnd();
}

function tailOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most;
  const blank = text.indexOf(" ", from);
  const at = blank >= 0 && blank - from < most / 2 ? blank : cutPoint(text, from);
  return text.slice(placeholderAround(text, at)?.to ?? at).trimStart();
}

function placeholderAround(text: string, at: number): { from: number; to: number } | undefined {
  for (const { 0: mark, index: from } of text.matchAll(placeholder.all))
    if (from < at && at < from + mark.length) return { from, to: from + mark.length };
  return undefined;
}

/** Of the line that has the question, beside it. */
const QUESTION_TOKENS = 20;

const entryTokens = ({ pieces, asked, ...said }: LedgerEntry): number =>
  estimateTokens(entryHead(said)) +
  (asked === undefined ? 4 : QUESTION_TOKENS + estimateTokens(asked.slice(0, ASKED_CHARACTERS))) +
  pieces.reduce((sum, { text }) => sum + estimateTokens(text) + 1, 0);

const ledgerTokens = (entries: readonly LedgerEntry[]) => entries.reduce((sum, entry) => sum + entryTokens(entry), 0);
