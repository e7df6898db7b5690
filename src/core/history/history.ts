/**
 * A session's history: its log on disk and the conversation that the log amounts to, kept in step. Encode, write, sync,
 * then memory, then event (CONTEXT.md, section 6): what a listener hears is on disk.
 */
import type { AgentEvent } from "../../shared/events";
import {
  LOG_VERSION,
  type LogHeader,
  type LogRecord,
  type NewRecord,
  type RecordKind,
  type RecordOf,
} from "../../shared/records";
import type { Clock, Ids, SessionFiles } from "../ports";
import { type DecodedLog, decodeLog, encodeLine } from "./codec";
import { apply, type Conversation, emptyConversation } from "./conversation";
import { redactRecord } from "./redactRecord";

export interface HistoryDeps {
  clock: Pick<Clock, "now">;
  ids: Ids;
  emit(event: AgentEvent): void;
  /** Secrets become placeholders. Idempotent. */
  redact(text: string): string;
}

/** What opening mended, in words for a person. */
export interface Repair {
  code: "log-torn" | "log-broken";
  text: string;
}

export class History {
  readonly conversation: Conversation = emptyConversation();
  /** every record of the live log, oldest first */
  readonly records: LogRecord[] = [];
  private lastSeq = 0;
  /** not on disk yet */
  private header: LogHeader | undefined;
  /** Appends run one after the other: numbers have no gap, and no record overtakes one that it follows. */
  private tail: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly files: SessionFiles,
    private readonly deps: HistoryDeps,
  ) {}

  /** Starts a new log. Its header is written with the first record: a session that nobody used leaves nothing. */
  static create(files: SessionFiles, deps: HistoryDeps): History {
    const history = new History(files, deps);
    history.header = {
      kind: "header",
      version: LOG_VERSION,
      sessionId: files.id,
      created: deps.clock.now(),
      archives: [],
    };
    return history;
  }

  /**
   * Opens a log and mends what a crash left: a cut-off last line goes, broken lines in the middle are
   * moved to `history.broken.jsonl`. Where the log cannot be written (another window), nothing is touched.
   * @throws NewerLogError, NotALogError, StorageError
   */
  static async open(files: SessionFiles, deps: HistoryDeps): Promise<{ history: History; repairs: Repair[] }> {
    const history = new History(files, deps);
    const log = decodeLog((await files.read("history.jsonl")) ?? "");
    const repairs = files.writable ? await mend(files, log) : [];
    history.load(log);
    return { history, repairs };
  }

  private load(log: DecodedLog): void {
    for (const record of log.records) {
      this.records.push(record);
      apply(this.conversation, record);
    }
    this.lastSeq = log.lastSeq;
  }

  /** Reads what another window wrote meanwhile and mends its end: for the window that takes over. */
  async reload(): Promise<Repair[]> {
    const log = decodeLog((await this.files.read("history.jsonl")) ?? "");
    const repairs = this.files.writable ? await mend(this.files, log) : [];
    this.records.length = 0;
    Object.assign(
      this.conversation,
      { end: undefined, mode: undefined, usage: undefined, cwd: undefined },
      emptyConversation(),
    );
    this.load(log);
    return repairs;
  }

  /** Appends one record. Resolves when it is on disk, in memory and told. Rejects with StorageError: then nothing changed. */
  append<K extends RecordKind>(record: Extract<NewRecord, { kind: K }>): Promise<RecordOf<K>> {
    return this.appendAll([record]).then(([written]) => written as RecordOf<K>);
  }

  /** Several records with one sync: all of them are on disk, or none. */
  appendAll(records: readonly NewRecord[]): Promise<LogRecord[]> {
    const run = this.tail.then(() => this.write(records));
    this.tail = run.catch(() => undefined);
    return run;
  }

  private async write(fresh: readonly NewRecord[]): Promise<LogRecord[]> {
    const { clock, ids, emit, redact } = this.deps;
    const records = fresh.map((record, index) => {
      const numbered = { id: ids.next("rec"), seq: this.lastSeq + 1 + index, ts: clock.now(), ...record } as LogRecord;
      // Here and nowhere else: whoever makes a record may forget it.
      return redactRecord(numbered, redact);
    });
    const lines = this.header ? [this.header, ...records] : records;
    await this.files.append("history.jsonl", lines.map(encodeLine).join(""));
    this.header = undefined;
    this.lastSeq += records.length;
    for (const record of records) {
      this.records.push(record);
      apply(this.conversation, record);
      emit({ type: "record", record });
    }
    return records;
  }
}

async function mend(files: SessionFiles, log: DecodedLog): Promise<Repair[]> {
  const repairs: Repair[] = [];
  if (log.broken.length > 0) {
    const before = (await files.read("history.broken.jsonl")) ?? "";
    await files.replace("history.broken.jsonl", before + log.broken.map(line => `${line.text}\n`).join(""));
    await files.replace("history.jsonl", log.whole);
    const lines = log.broken.map(line => line.line).join(", ");
    repairs.push({
      code: "log-broken",
      text: `${log.broken.length === 1 ? "A line" : "Some lines"} of this session's log could not be read (line ${lines}) and moved to history.broken.jsonl. The rest is here.`,
    });
  } else if (log.torn) {
    await files.truncate("history.jsonl", log.torn.keepBytes);
  }
  if (log.torn) {
    repairs.push({
      code: "log-torn",
      text: "The last line of this session's log was cut off, probably by a crash while it was written. It was removed; everything before it is here.",
    });
  }
  return repairs;
}
