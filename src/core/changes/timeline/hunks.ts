/**
 * What of a file still waits for a review: the agent's changes from a base to its text, found again in the current
 * text. Lines that others wrote since are theirs: no change covers them, so taking one back never takes them. Pure.
 */
import { changedLines, withLf } from "../../ground/text/lines";
import { planLines } from "../edits/planEdits";

/** Lines of one text, 0-based. */
interface LineBlock {
  first: number;
  count: number;
}

/** One change of the agent: lines of the base, its lines, and their place now. */
export interface Hunk {
  base: LineBlock;
  agent: LineBlock;
  now: LineBlock;
}

/** Each line without its end; a last line end opens an empty line, as in an editor. */
export const reviewLines = (text: string): string[] => withLf(text).split("\n");

/** Lines `from` to `fromEnd` of one text, in whose place the other has `to` to `toEnd`. */
export type Change = ReturnType<typeof changedLines>[number];

/**
 * The agent's changes that still hold, in order, apart from each other. A change taken back by hand is left out; of one that
 * they changed in part, the lines that stand as the agent left them.
 * @param edits from the base to the agent's text, where they are known
 */
export function findHunks(
  base: readonly string[],
  agent: readonly string[],
  now: readonly string[],
  edits: readonly Change[] = changedLines(base, agent),
): Hunk[] {
  const typed = agent === now ? [] : changedLines(agent, now);
  const hunks: Hunk[] = [];
  let shift = 0;
  for (const { own, others } of placesOf(edits, typed)) {
    const isGone = others.length > 0 && isTakenBack({ own, others }, base, now, shift);
    for (const edit of isGone ? [] : own) {
      if (others.length === 0) hunks.push(toHunk(edit, edit.to, edit.toEnd, edit.to + shift));
      else for (const left of leftOf(edit, others, shift)) hunks.push(left);
    }
    for (const { from, fromEnd, to, toEnd } of others) shift += toEnd - to - (fromEnd - from);
  }
  return hunks.filter(hunk => !isSame(base, hunk.base, now, hunk.now));
}

/** Changes of both sides that touch each other, in the lines of the agent's text. */
interface ChangeCluster {
  /** the agent's */
  own: Change[];
  others: Change[];
}

function placesOf(edits: readonly Change[], typed: readonly Change[]): ChangeCluster[] {
  const places: ChangeCluster[] = [];
  let end = -1;
  let [edit, other] = [0, 0];
  while (edit < edits.length || other < typed.length) {
    const [own, theirs] = [edits[edit], typed[other]];
    const isOwn = own !== undefined && (theirs === undefined || own.to <= theirs.from);
    const [first, last] = isOwn ? [own.to, own.toEnd] : [theirs?.from ?? 0, theirs?.fromEnd ?? 0];
    if (first > end) places.push({ own: [], others: [] });
    const place = places.at(-1);
    if (isOwn) place?.own.push(own);
    else if (theirs) place?.others.push(theirs);
    if (isOwn) edit += 1;
    else other += 1;
    end = Math.max(end, last);
  }
  return places;
}

/** The place has the text from before the agent's change: it was undone by hand. */
function isTakenBack({ own, others }: ChangeCluster, base: readonly string[], now: readonly string[], shift: number) {
  const [firstOwn, lastOwn, firstOther, lastOther] = [own[0], own.at(-1), others[0], others.at(-1)];
  if (!firstOwn || !lastOwn || !firstOther || !lastOther) return false;
  const first = Math.min(firstOwn.to, firstOther.from);
  const last = Math.max(lastOwn.toEnd, lastOther.fromEnd);
  const grown = others.reduce((sum, { from, fromEnd, to, toEnd }) => sum + toEnd - to - (fromEnd - from), 0);
  const before = firstOwn.from - (firstOwn.to - first);
  const old = { first: before, count: lastOwn.fromEnd + (last - lastOwn.toEnd) - before };
  return isSame(base, old, now, { first: first + shift, count: last - first + grown });
}

/** @param shift by the changes of others in places before this one */
function leftOf(edit: Change, others: readonly Change[], shift: number): Hunk[] {
  if (edit.to === edit.toEnd) return removalLeft(edit, others, shift);
  const hunks: Hunk[] = [];
  let at = edit.to;
  let moved = shift;
  for (const { from, fromEnd, to, toEnd } of others) {
    if (from > at && at < edit.toEnd) hunks.push(toHunk(edit, at, Math.min(from, edit.toEnd), at + moved));
    at = Math.max(at, fromEnd);
    moved += toEnd - to - (fromEnd - from);
  }
  if (at < edit.toEnd) hunks.push(toHunk(edit, at, edit.toEnd, at + moved));
  return hunks;
}

/** Lines that the agent only removed can come back unless the lines on both sides were rewritten as one. */
function removalLeft(edit: Change, others: readonly Change[], shift: number): Hunk[] {
  let moved = shift;
  for (const { from, fromEnd, to, toEnd } of others) {
    if (from < edit.to && edit.to < fromEnd) return [];
    if (fromEnd <= edit.to && from < edit.to) moved += toEnd - to - (fromEnd - from);
  }
  return [toHunk(edit, edit.to, edit.toEnd, edit.to + moved)];
}

/** @param from first line of the part, in the agent's text @param now its first line now */
function toHunk(edit: Change, from: number, end: number, now: number): Hunk {
  // Line for line, and to the last what more there was: of two lines of which one was rewritten, the other keeps its own.
  const old = edit.fromEnd - edit.from;
  const first = Math.min(from - edit.to, old);
  const last = end === edit.toEnd ? old : Math.min(end - edit.to, old);
  return {
    base: { first: edit.from + first, count: last - first },
    agent: { first: from, count: end - from },
    now: { first: now, count: end - from },
  };
}

const linesOf = (lines: readonly string[], { first, count }: LineBlock): string[] => lines.slice(first, first + count);

function isSame(one: readonly string[], at: LineBlock, other: readonly string[], there: LineBlock): boolean {
  if (at.count !== there.count) return false;
  for (let line = 0; line < at.count; line += 1) if (one[at.first + line] !== other[there.first + line]) return false;
  return true;
}

/** Other lines in the place of some. @param places in order, apart from each other */
function withLines(lines: readonly string[], places: readonly { at: LineBlock; by: readonly string[] }[]): string[] {
  let end = 0;
  const changed = places.flatMap(({ at: { first, count }, by }) => {
    const kept = lines.slice(end, first);
    end = first + count;
    return [...kept, ...by];
  });
  return [...changed, ...lines.slice(end)];
}

/** The base with these changes in it: kept changes wait no more. */
export const keepHunks = (base: readonly string[], agent: readonly string[], hunks: readonly Hunk[]): string[] =>
  withLines(
    base,
    hunks.map(hunk => ({ at: hunk.base, by: linesOf(agent, hunk.agent) })),
  );

/** A text without these changes, its line ends kept. @param text whose lines are the `now` of the hunks */
export function undoHunks(text: string, base: readonly string[], hunks: readonly Hunk[]): string {
  const places = hunks.map(hunk => ({ at: hunk.now, by: linesOf(base, hunk.base) }));
  return planLines(text, withLines(reviewLines(text), places).join("\n")).newText;
}
