/** Records found in the live log and in archives as one history: those before what a person sees, prompts, changes of files, and single ones. */
import { isObject } from "../../shared/isObject";
import { type MessagePart, textOf } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import type { FileChange } from "../../shared/toolResult";
import { archiveLines, inOrder, lineSeq, wholeHistory } from "./archives";
import { isWithin, leftBranches } from "./branches";
import { decodeLine } from "./codec";
import type { ResultRecord, SessionLog } from "./handles";
import { changesIn } from "./putBacks";

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
  const isAmong = (record: LogRecord) => record.seq < before && record.seq >= least && isWanted(record);
  const { archived } = log;
  let found = log.records.filter(isAmong);
  for (const { name, first, last } of (await archived?.ranges(missing)) ?? []) {
    if (first >= before || last < least) continue;
    // Enough that are newer than all that this one and those after it hold?
    if (found.slice(-count - 1).filter(({ seq }) => seq > last).length > count) break;
    const older: LogRecord[] = [];
    for (const line of archiveLines((await archived?.text(name, missing)) ?? "")) {
      const seq = lineSeq(line);
      const { record } = seq >= before || (seq > 0 && seq < least) ? {} : decodeLine(line);
      if (record && isAmong(record)) older.push(record);
      if (older.length > count) break;
    }
    found = inOrder([...older, ...found]);
  }
  return { records: found.slice(-count), hasOlder: found.length > count, missing: [...missing] };
}

export function findResult(log: SessionLog, callId: string): Promise<ResultRecord | undefined> {
  const isIt = (record: LogRecord): record is ResultRecord => record.kind === "result" && record.callId === callId;
  return findNewest(log, isIt, `"callId":${JSON.stringify(callId)}`);
}

/** The newest record of a call, or of a child's call, with such a change of a file. */
export function findChanging(log: SessionLog, callId: string, isMeant: (change: FileChange) => boolean) {
  const isIt = (record: LogRecord): record is ResultRecord | RecordOf<"child"> =>
    (record.kind === "result" || record.kind === "child") &&
    record.callId === callId &&
    record.changes?.some(isMeant) === true;
  return findNewest(log, isIt, `"callId":${JSON.stringify(callId)}`);
}

/** What a message attached, by the id of the attachment's own message. */
export function findAttachment(log: SessionLog, messageId: string): Promise<RecordOf<"attachment"> | undefined> {
  const isIt = (record: LogRecord): record is RecordOf<"attachment"> =>
    record.kind === "attachment" && record.messageId === messageId;
  return findNewest(log, isIt, `"messageId":${JSON.stringify(messageId)}`);
}

/** @param mark in the line of every record that is meant */
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

/**
 * What a call of Bash ran, and in which folder (absolute): for people who want to run it themselves.
 * @param records from the session's beginning, or from anywhere as long as the call's message is among them
 * @param root folder in which commands run at first
 * @returns undefined: no such call is there
 */
export function findCommand(records: readonly LogRecord[], callId: string, root: string) {
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

const isPrompt = (record: LogRecord): record is RecordOf<"message"> =>
  record.kind === "message" &&
  record.message.role === "user" &&
  (record.message.metadata.kind === "normal" || record.message.metadata.kind === "steer");

/** Of the branch that is shown, from archives too, oldest first. Rejects with StorageError. */
export async function listPrompts(log: SessionLog) {
  const missing = new Set<string>();
  const mayBe = (text: string) => text.includes('"role":"user"');
  const found = (await wholeHistory(log, missing, mayBe)).filter(isPrompt);
  const left = leftBranches(log.records);
  return { prompts: found.filter(({ seq }) => !isWithin(left, seq)).map(toPrompt), missing: [...missing] };
}

/** `key`: of the item that shows the message, too */
const toPrompt = ({ seq, ts, message: { id, parts, metadata } }: RecordOf<"message">) => ({
  ...{ key: id, seq, turn: metadata.turn, ts },
  text: textOf(parts, " "),
});

/** A record that says something of changes. Of one that is archived, the parts that take room are empty. */
export type ChangeRecord = RecordOf<"result"> | RecordOf<"child"> | RecordOf<"revert"> | RecordOf<"review">;

export class ChangeRecords {
  /** Archives never change: what all of them hold is read again only where there is another one. */
  private known = { names: "", records: [] as ChangeRecord[] };

  constructor(private readonly log: SessionLog) {}

  /**
   * Oldest first; `missing`: archives that cannot be read, so that what was changed there is not among them. Rejects with nothing
   * but faults.
   */
  async read(): Promise<{ records: ChangeRecord[]; missing: string[] }> {
    const { archived, records: live } = this.log;
    const missing = new Set<string>();
    const names = archived?.names.join() ?? "";
    if (archived && names !== this.known.names) {
      const found = await wholeHistory({ records: [], archived }, missing, mayBeChange);
      this.known = { names: missing.size > 0 ? "" : names, records: found.filter(isChange).map(lighten) };
    }
    return { records: inOrder([...this.known.records, ...live.filter(isChange)]), missing: [...missing] };
  }
}

function isChange(record: LogRecord): record is ChangeRecord {
  return record.kind === "revert" || record.kind === "review" || changesIn(record).length > 0;
}

/** Nothing else outside of a string has this. */
const mayBeChange = (text: string) => text.includes('"changes":[') || /"kind":"rev(ert|iew)"/.test(text);

function lighten(record: ChangeRecord): ChangeRecord {
  if (record.kind !== "result") return record;
  const changes = record.changes?.map(change => ({ ...change, diff: "" }));
  return { ...record, forms: { shown: "" }, ...(changes && { changes }) };
}
