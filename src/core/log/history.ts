/**
 * A session's history: its log on disk and the conversation that the log amounts to, kept in step. A record is encoded and
 * written before memory has it and an event tells it, and synced before anything depends on it (docs/formats.md).
 */
import { SerialQueue } from "../../shared/async";
import type { SnapshotState } from "../../shared/compaction";
import type { AgentEvent } from "../../shared/events";
import { t } from "../../shared/l10n";
import {
  LOG_VERSION,
  type LogHeader,
  type LogRecord,
  type NewRecord,
  type RecordKind,
  type RecordOf,
} from "../../shared/records";
import type { Redact } from "../../shared/redacted";
import {
  type ArchiveName,
  type Hash,
  type Ids,
  type SessionFiles,
  StorageError,
  type WallClock,
} from "../ground/ports";
import { rangeProblem } from "./applyCompaction";
import { Archives, archiveText, owningMessageId, recordsToArchive } from "./archives";
import { type DecodedLog, decodeLog, encodeLine, mergeLogs, neverBegan, nextArchiveName, splitLog } from "./codec";
import { Conversation } from "./conversation";
import { applyRecord, compactionsInEffect, project } from "./project";
import { redactAndRehash } from "./redactRecord";
import { type Repair, repairLog, restartLog } from "./repairLog";

export type { Repair } from "./repairLog";

export interface HistoryDeps {
  clock: WallClock;
  ids: Ids;
  hash: Hash;
  emit(event: AgentEvent): void;
  /** Secrets become placeholders. Idempotent. */
  redact: Redact;
}

export class History {
  /** warnings that were said since it was opened: a compaction archives their records */
  readonly warned = new Set<string>();
  readonly conversation = new Conversation();
  /** every record of the live log, oldest first */
  readonly records: LogRecord[] = [];
  readonly archived: Archives;
  private lastSeq = 0;
  private header: LogHeader;
  private begun = false;
  /** One thing after the other: numbers have no gap, no record overtakes one that it follows, memory misses none. */
  private readonly queue = new SerialQueue();

  /** A new log. Its header is written with the first record: a session that nobody used leaves nothing. */
  constructor(
    readonly files: SessionFiles,
    private readonly deps: HistoryDeps,
  ) {
    this.archived = new Archives(files, () => this.archives);
    const created = deps.clock.now();
    this.header = { kind: "header", version: LOG_VERSION, sessionId: files.id, created, archives: [] };
  }

  /** ms since the epoch; the first records may be in an archive */
  get created(): number {
    return this.header.created;
  }

  /** The id under which the session was begun: of it and of all that came out of it. */
  get family(): string {
    return this.header.family ?? this.header.sessionId;
  }

  get hash(): Hash {
    return this.deps.hash;
  }

  /** Files with the records that compactions replaced, oldest first: `archive/0001.jsonl`. */
  get archives(): readonly ArchiveName[] {
    return this.header.archives as ArchiveName[];
  }

  /**
   * Opens a log and mends what a crash left (repairLog.ts). Where the log cannot be written (another window), nothing is
   * touched.
   * @throws NewerLogError, NotALogError, StorageError
   */
  static async open(files: SessionFiles, deps: HistoryDeps): Promise<{ history: History; repairs: Repair[] }> {
    const history = new History(files, deps);
    return { history, repairs: await history.reload() };
  }

  private load(log: DecodedLog): void {
    this.header = log.header;
    this.begun = true;
    this.records.length = 0;
    for (const record of log.records) this.records.push(record);
    this.projectAnew();
    this.lastSeq = log.lastSeq;
  }

  private projectAnew(): void {
    // The same object: others hold it.
    for (const key of Object.keys(this.conversation)) Reflect.deleteProperty(this.conversation, key);
    Object.assign(this.conversation, project(this.records));
  }

  /**
   * Reads what another window wrote meanwhile and mends its end: for the window that takes over. What is appended from here on
   * waits until it is done.
   */
  reload(): Promise<Repair[]> {
    return this.queue.run(async () => {
      // A killed process may have left it unsynced. Where that fails now, the first write says so.
      if (this.files.writable) await this.synced().catch(() => undefined);
      const text = (await this.files.read("history.jsonl")) ?? "";
      if (neverBegan(text)) {
        if (!this.files.writable) return [];
        const { header, repairs } = await restartLog(this.files, this.header, text);
        this.header = header;
        return repairs;
      }
      const log = decodeLog(text);
      const repairs = this.files.writable ? await repairLog(this.files, log) : [];
      this.load(log);
      return repairs;
    });
  }

  /** Appends one record. Resolves when it is in memory, told and synced. Rejects with StorageError, as `write` or `synced`. */
  append<K extends RecordKind>(record: Extract<NewRecord, { kind: K }>): Promise<RecordOf<K>> {
    return this.appendAll([record]).then(([written]) => written as RecordOf<K>);
  }

  /** Several records with one sync: all of them are written, or none. */
  async appendAll(records: readonly NewRecord[]): Promise<LogRecord[]> {
    const written = await this.write(records);
    await this.synced();
    return written;
  }

  /** The same without the sync: a power cut may take them until `synced`. Rejects with StorageError: then nothing changed. */
  write(records: readonly NewRecord[]): Promise<LogRecord[]> {
    return this.queue.run(() => this.writeNow(records));
  }

  /** A power cut takes nothing that was written by now. Rejects with StorageError: then nothing more is written from here. */
  synced(): Promise<void> {
    return this.files.sync();
  }

  private async writeNow(fresh: readonly NewRecord[]): Promise<LogRecord[]> {
    const { emit } = this.deps;
    const records = fresh.map((record, index) => this.numbered(record, index));
    const lines = this.begun ? records : [this.header, ...records];
    await this.files.append("history.jsonl", lines.map(encodeLine).join(""));
    // A log without its first line cannot be read.
    if (!this.begun) await this.synced();
    this.begun = true;
    this.lastSeq += records.length;
    for (const record of records) {
      this.records.push(record);
      if (record.kind === "rewind" && record.head !== undefined) this.projectAnew();
      else applyRecord(this.conversation, record);
      emit({ type: "record", record });
    }
    return records;
  }

  private numbered(record: NewRecord, index = 0): LogRecord {
    const { clock, ids, redact } = this.deps;
    const numbered = { id: ids.next("rec"), seq: this.lastSeq + 1 + index, ts: clock.now(), ...record } as LogRecord;
    // Here and nowhere else: whoever makes a record may forget it.
    return redactAndRehash(numbered, redact, this.hash);
  }

  /**
   * One transaction: the records that go with the removed messages are in an archive of their own, synced, before the live
   * log without them, with the compaction at its end, takes the place of the old one. Rejects with StorageError: then nothing
   * changed (an archive that no header names stays a copy).
   * @param snapshot what the conversation knows, taken in the transaction: messages may be typed until then
   */
  commitCompaction(
    compaction: Omit<Extract<NewRecord, { kind: "compaction" }>, "archive" | "archiveSha256" | "snapshot">,
    snapshot: () => SnapshotState,
  ): Promise<RecordOf<"compaction">> {
    const problem = rangeProblem(compaction, this.conversation.summaries);
    // Nothing has changed yet, and what is written here is trusted for the life of the session.
    if (problem !== undefined) return Promise.reject(new Error(`The compaction was not done: the summary ${problem}.`));
    return this.rewrite(async live => {
      // What an earlier one took away is in the live log where its undo stands on another branch: its record may go now, and without
      // it these messages would be back.
      const earlier = compactionsInEffect(this.records).flatMap(({ removed }) => removed);
      const toArchive = recordsToArchive(this.records, new Set([...earlier, ...compaction.removed]));
      // Not the name of one that a crash left either: what stands there may stand nowhere else.
      const archive = nextArchiveName([...this.header.archives, ...(await this.files.list("archive"))]);
      const { kept, gone } = splitLog(live, toArchive);
      const text = archiveText(this.header, gone);
      const proof = { archive, archiveSha256: this.hash.sha256(text) };
      const record = this.numbered({ ...compaction, ...proof, snapshot: snapshot() });
      await this.files.replace(archive, text);
      return { record, kept, archives: [...this.header.archives, archive] };
    });
  }

  /** Puts the records of a compaction's archive back where they stood. Rejects with StorageError: then nothing changed. */
  undoCompaction({ id, archive, archiveSha256 }: RecordOf<"compaction">): Promise<RecordOf<"undo">> {
    return this.rewrite(async live => {
      const text = await this.textOf(archive as ArchiveName);
      // The summary goes: what it stood for has to be all there.
      if (archiveSha256 !== undefined && this.hash.sha256(text) !== archiveSha256) throw damaged(archive);
      const record = this.numbered({ kind: "undo", compactionId: id });
      return { record, kept: mergeLogs(text, live), archives: this.header.archives };
    });
  }

  /** The records of its archive go again; what was made since stays. Rejects with StorageError: then nothing changed. */
  redoCompaction({ id, archive }: RecordOf<"compaction">): Promise<RecordOf<"redo">> {
    return this.rewrite(async live => {
      const gone = new Set(decodeLog(await this.textOf(archive as ArchiveName)).records.map(record => record.id));
      const { kept } = splitLog(live, gone);
      return { record: this.numbered({ kind: "redo", compactionId: id }), kept, archives: this.header.archives };
    });
  }

  /**
   * The conversation goes on from record number `head`. Compactions that have no effect there are undone first: what they set
   * aside is in the live log then. Rejects with StorageError: the conversation is where it was.
   */
  async turnTo(record: Omit<Extract<NewRecord, { kind: "rewind" }>, "head"> & { head: number }): Promise<void> {
    for (;;) {
      const staying = new Set(compactionsInEffect(this.records, record.head).map(({ id }) => id));
      const going = compactionsInEffect(this.records).filter(({ id }) => !staying.has(id));
      const live = new Set(this.records.flatMap(record => owningMessageId(record) ?? []));
      // Its messages are in its archive only. An earlier one may be in the archive of a later one: it is seen once that is undone.
      const newest = going.findLast(({ removed }) => removed.some(id => !live.has(id)));
      if (!newest) break;
      await this.undoCompaction(newest);
    }
    await this.append(record);
  }

  private async textOf(name: ArchiveName): Promise<string> {
    const text = await this.files.read(name);
    if (text !== undefined) return text;
    throw new StorageError(
      "NOT_FOUND",
      t("The session's file {0} is missing, so its records cannot be put back.", name),
    );
  }

  /** The live log anew: its text as a whole, then memory from that text, then the event. */
  private rewrite<K extends RecordKind>(
    change: (live: string) => Promise<{ record: LogRecord; kept: readonly string[]; archives: readonly string[] }>,
  ): Promise<RecordOf<K>> {
    return this.queue.run(async () => {
      const live = (await this.files.read("history.jsonl")) ?? "";
      const { record, kept, archives } = await change(live);
      const header = encodeLine({ ...this.header, archives: [...archives] });
      const text = header + kept.join("") + encodeLine(record);
      await this.files.replace("history.jsonl", text);
      this.load(decodeLog(text));
      this.deps.emit({ type: "record", record });
      return record as RecordOf<K>;
    });
  }
}

const damaged = (archive: string) =>
  new StorageError(
    "IO",
    t(
      "The session's file {0} is damaged: it is not as it was written, so its records cannot all be put back. Nothing was changed; its summary stays.",
      archive,
    ),
  );
