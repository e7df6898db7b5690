/** Records found in the live log and in archives as one history: those before what somebody sees, and single ones. */
import { isObject } from "../../shared/isObject";
import type { MessagePart } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import { StorageError } from "../ground/ports";
import { type ArchiveRange, type Archives, archiveLines, lineSeq } from "./archives";
import { decodeLine } from "./codec";
import type { ResultRecord, SessionLog } from "./handles";

export interface OlderRecords {
  /** oldest first, each once */
  records: LogRecord[];
  hasOlder: boolean;
  /** names of archives that are missing or cannot be read: what stood there is not among the records */
  missing: string[];
}

/**
 * The newest `count` records with a number below `before`, or all of them down to number `least`. Reads of the archives no more
 * than that takes, and keeps none.
 */
export async function olderRecords(
  log: SessionLog,
  before: number,
  count: number,
  isWanted: (record: LogRecord) => boolean = () => true,
  least = 0,
): Promise<OlderRecords> {
  const missing = new Set<string>();
  const found = new Map<string, LogRecord>();
  const isAmong = (record: LogRecord) => record.seq < before && record.seq >= least && isWanted(record);
  for (const record of log.records) if (isAmong(record)) found.set(record.id, record);
  const { archived } = log;
  const ranges = ((await archived?.ranges(missing)) ?? []).filter(({ first, last }) => first < before && last >= least);
  for (const range of ranges.sort((a, b) => b.last - a.last)) {
    // Enough that are newer than all that this one and those after it hold?
    if (newest(found, count + 1).filter(({ seq }) => seq > range.last).length > count) break;
    try {
      for (const record of await lastRecords(archived, range, [least, before], count + 1, isAmong))
        found.set(record.id, record);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      missing.add(range.name);
    }
  }
  const records = newest(found, count + 1);
  return { records: records.slice(-count), hasOlder: records.length > count, missing: [...missing] };
}

/** The newest result of a call, wherever its record stands. */
export function findResult(log: SessionLog, callId: string): Promise<ResultRecord | undefined> {
  const isIt = (record: LogRecord): record is ResultRecord => record.kind === "result" && record.callId === callId;
  return findNewest(log, isIt, `"callId":${JSON.stringify(callId)}`);
}

/** What a message attached, by the id of the attachment's own message. */
export function findAttachment(log: SessionLog, messageId: string): Promise<RecordOf<"attachment"> | undefined> {
  const isIt = (record: LogRecord): record is RecordOf<"attachment"> =>
    record.kind === "attachment" && record.messageId === messageId;
  return findNewest(log, isIt, `"messageId":${JSON.stringify(messageId)}`);
}

/** @param mark stands in the line of every record that is it */
async function findNewest<R extends LogRecord>(
  log: SessionLog,
  isIt: (record: LogRecord) => record is R,
  mark: string,
): Promise<R | undefined> {
  const live = log.records.findLast(isIt);
  if (live) return live;
  for await (const record of log.archived?.records(new Set(), text => text.includes(mark)) ?? []) {
    if (isIt(record)) return record;
  }
  return undefined;
}

const newest = (found: ReadonlyMap<string, LogRecord>, count: number): LogRecord[] =>
  [...found.values()].sort((a, b) => a.seq - b.seq).slice(-count);

async function lastRecords(
  archived: Archives | undefined,
  range: ArchiveRange,
  [least, before]: [number, number],
  count: number,
  isAmong: (record: LogRecord) => boolean,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const part of archived?.readParts(range) ?? []) {
    // Numbers rise: where the first line is too new all are.
    if (lineSeq(new TextDecoder().decode(part.bytes.subarray(0, HEAD_OF_LINE))) >= before) continue;
    for (const text of archiveLines(part).reverse()) {
      const seq = lineSeq(text);
      if (seq >= before) continue;
      if (seq > 0 && seq < least) return records;
      const { record } = decodeLine(text);
      if (record && isAmong(record)) records.push(record);
      if (records.length >= count) return records;
    }
  }
  return records;
}

const HEAD_OF_LINE = 300;

/**
 * What a call of Bash ran, and in which folder (absolute): for people who want to run it themselves.
 * @param records from the session's beginning, or from anywhere as long as the call's message is among them
 * @param root folder in which commands run at first
 * @returns undefined: no such call is there
 */
export function findCommand(
  records: readonly LogRecord[],
  callId: string,
  root: string,
): { command: string; cwd: string } | undefined {
  let cwd = root;
  let command: string | undefined;
  for (const record of records) {
    if (record.kind === "message") command = commandIn(record.message.parts, callId) ?? command;
    else if (record.kind === "compaction") cwd = record.snapshot.cwd ?? cwd;
    else if (record.kind === "approval" && record.action.callId === callId) {
      const { detail } = record.action;
      if (detail.type === "command") return { command: detail.command, cwd: detail.cwd };
    } else if (record.kind === "result") {
      if (record.callId === callId && command !== undefined) break;
      cwd = record.cwd ?? cwd;
    }
  }
  return command === undefined ? undefined : { command, cwd };
}

function commandIn(parts: readonly MessagePart[], callId: string): string | undefined {
  const call = parts.find(part => part.type === "dynamic-tool" && part.toolCallId === callId);
  const input = call?.type === "dynamic-tool" ? call.input : undefined;
  return isObject(input) && typeof input.command === "string" ? input.command : undefined;
}
