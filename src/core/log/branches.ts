/**
 * Branches of a conversation. A `rewind` record with a `head` says that the conversation goes on from record number `head`;
 * every other record goes on from the one before it. So the log is a tree of which every leaf can be gone back to, and what
 * counts is the way from the newest record to the first. Pure.
 */
import type { LogRecord, RecordOf } from "../../shared/records";

/** Numbers of records, both ends included. */
interface SeqRange {
  from: number;
  to: number;
}

type RewindMark = RecordOf<"rewind"> & { head: number };

const isTurning = (record: LogRecord): record is RewindMark => record.kind === "rewind" && record.head !== undefined;

/** The records that stand on branches that were left, oldest first. @param records in order; `from`: the newest that counts */
export function leftBranches(records: readonly LogRecord[], from = Number.MAX_SAFE_INTEGER): SeqRange[] {
  const ranges: SeqRange[] = [];
  let newest = from;
  for (const { seq, head } of records.filter(isTurning).toReversed()) {
    if (seq > newest) continue;
    if (head + 1 < seq) ranges.unshift({ from: head + 1, to: seq - 1 });
    newest = Math.min(head, seq - 1);
  }
  return ranges;
}

export const isWithin = (ranges: readonly SeqRange[], seq: number): boolean =>
  ranges.some(({ from, to }) => from <= seq && seq <= to);

export const onBranch = <R extends LogRecord>(records: readonly R[], left = leftBranches(records)): R[] =>
  left.length === 0 ? [...records] : records.filter(({ seq }) => !isWithin(left, seq));

/** The ways on from a place where the conversation forked, of which one is taken. */
interface Fork {
  /** the user's message with which the taken way goes on */
  messageId: string;
  /** the newest record of each way, in the order in which they were begun */
  tips: number[];
  current: number;
}

type TurnOpening = RecordOf<"message">;

/** The turn that a record is a part of; undefined: it stands between turns, or only says something of one. */
export function turnOf(record: LogRecord): number | undefined {
  if (record.kind === "message") return record.message.metadata.turn;
  const isPart = ["result", "turnEnd", "attempt", "attachment"].includes(record.kind);
  return isPart && "turn" in record ? record.turn : undefined;
}

/** A message of the person's with which a turn begins. */
export const opensTurn = (record: LogRecord): record is TurnOpening =>
  record.kind === "message" && record.message.role === "user" && record.message.metadata.kind === "normal";

/**
 * Where the conversation forked, for those who want to go over to another branch: messages that open a turn behind the same
 * one, or are all the first. @param records of the live log
 */
export function forks(records: readonly LogRecord[]): Fork[] {
  const turnings = records.filter(isTurning);
  if (turnings.length === 0) return [];
  const newest = records.at(-1)?.seq ?? 0;
  const left = leftBranches(records);
  return siblings(records).flatMap(ways => {
    const current = ways.findIndex(({ seq }) => !isWithin(left, seq));
    const messageId = ways[current]?.message.id;
    if (ways.length < 2 || messageId === undefined) return [];
    return [{ messageId, tips: ways.map(({ seq }) => tipOf(seq, turnings, newest)), current }];
  });
}

/** Messages that open a turn, by the one that stands before them on their way. */
function siblings(records: readonly LogRecord[]): TurnOpening[][] {
  const openings = records.filter(opensTurn);
  const behind = new Map<TurnOpening | undefined, TurnOpening[]>();
  let last: TurnOpening | undefined;
  for (const record of records) {
    if (isTurning(record)) {
      const { head } = record;
      const left = leftBranches(records, head);
      last = openings.findLast(({ seq }) => seq <= head && !isWithin(left, seq));
    } else if (opensTurn(record)) {
      behind.set(last, [...(behind.get(last) ?? []), record]);
      last = record;
    }
  }
  return [...behind.values()];
}

/** The newest record that goes on from `start`. */
function tipOf(start: number, turnings: readonly RewindMark[], newest: number): number {
  const members: SeqRange[] = [];
  let tip = start;
  const isMember = (seq: number) => isWithin(members, seq);
  const stretch = (from: number) => {
    const next = turnings.find(({ seq }) => seq > from)?.seq;
    const to = next === undefined ? newest : next - 1;
    members.push({ from, to });
    tip = Math.max(tip, to);
  };
  stretch(start);
  for (const { seq, head } of turnings) if (seq > start && isMember(head)) stretch(seq);
  return tip;
}
