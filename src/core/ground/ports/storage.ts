import type { SessionMeta } from "../../../shared/sessionModel";

export type { SessionMeta };

/** Bytes on their way into a blob: written as they come, named by what they hash to. */
export interface TextWriter {
  write(text: string): Promise<void>;
  /** Synced when it resolves. */
  finish(): Promise<{ sha256: string; bytes: number }>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

export interface BlobWriter extends TextWriter {
  /** @param chunk a text is written in UTF-8 */
  write(chunk: string | Uint8Array): Promise<void>;
}

export interface SessionTextReader {
  /** undefined: no such file yet. A name that is none of a session's rejects with StorageError IO, here and below. */
  read(name: SessionFileName): Promise<string | undefined>;
}

export interface SessionByteReader {
  /** The same as bytes, of which some may be no text. */
  readBytes(name: SessionFileName): Promise<Uint8Array | undefined>;
}

export interface BlobReader {
  getBlob(sha256: string): Promise<Uint8Array | undefined>;
}

/** What can have sessions below it. */
export interface CallerFiles {
  /** The sessions of agents that work for this one: they go where it goes. Absent: it has none, and can have none. */
  readonly children?: SessionStorage;
}

/** What a session holds, for who only reads it. */
export interface SessionReader extends SessionTextReader, SessionByteReader, BlobReader, CallerFiles {
  readonly id: string;
  /** The names in a folder of the session, sorted; what is not finished is left out. */
  list(folder: SessionFolderName): Promise<string[]>;
}

/** The files of one session (docs/formats.md). Writers hold its lock. */
export interface SessionFiles extends SessionReader {
  /** absolute path of one of its logs, for programs of the person's own; absent: it is on no disk */
  pathOf?(name: SessionLogName): string;
  /** false: another window writes, or it was opened read only; every write rejects */
  readonly writable: boolean;
  /** why it cannot be written, for people, where that is not another window: a full disk */
  readonly obstacle?: string | undefined;
  /**
   * Resolves when the bytes are written: a kill takes nothing of them, a power cut may until `sync`. Where that fails, cuts the
   * file back to what it was, so that disk and memory agree, and rejects with StorageError. Checks the lock first: LOST_LOCK.
   */
  append(name: SessionLogName, text: string): Promise<void>;
  /** All that was appended to any log is on disk for good. Rejects with StorageError: then nothing more is written from here. */
  sync(): Promise<void>;
  /** Repair: keep the first `bytes` bytes of a file; on disk with `sync`. */
  truncate(name: SessionLogName, bytes: number): Promise<void>;
  /**
   * Replaces or creates a file as a whole: temporary file, synced, renamed, folder synced. Later appends go to the new one.
   * A crash leaves the old one or the new one. Rejects with the old one in place, or as `sync`. The lock is asked for again right
   * before the new one takes its place: LOST_LOCK.
   */
  replace(name: SessionFileName, text: string): Promise<void>;
  /** on disk, of all of it */
  bytes(): Promise<number>;
  /** Content-addressed; nothing happens where it is there already. Synced. */
  putBlob(sha256: string, data: string | Uint8Array): Promise<void>;
  blobWriter(): BlobWriter;
  /**
   * The text of a file as it stood, or its bytes: for undo, so as it is, with what is secret in it; never sent, never exported. Named by
   * the sha256 of its UTF-8; nothing happens where it is there already. Synced.
   */
  putSnapshot(sha256: string, data: string | Uint8Array): Promise<void>;
  /** undefined: none. Rejects with StorageError IO where what stands there is not what was kept. */
  getSnapshot(sha256: string): Promise<string | undefined>;
  getSnapshotBytes(sha256: string): Promise<Uint8Array | undefined>;
  /** It was deleted meanwhile: nothing can be written until it is brought back. Absent: not so */
  readonly isGone?: boolean;
  /** Called when this window lost or won the session, and when it was deleted. */
  onLockChange(listener: (writable: boolean) => void): void;
  close(): Promise<void>;
}

/** A session that was deleted and can still be brought back. */
export interface DeletedSession {
  key: string;
  deleted: number;
  meta: SessionMeta;
}

/** ms for which a deleted session can be brought back */
export const TRASH_MS = 30 * 86_400_000;

/**
 * That a session may have an edit of a file that waits for its review: `<hash of the URI>.<session>`, with the URI in it and where the
 * session is. One folder for all windows and terminals of a person, since each may have a storage of its own. A cache that is not
 * synced; the session's log decides.
 */
export interface UnreviewedMarks {
  /** one read of a folder */
  list(): Promise<string[]>;
  /** the URI; "": the mark is gone */
  read(mark: string): Promise<string>;
  /** @param mark of a session of this storage */
  put(mark: string, uri: string): Promise<void>;
  drop(mark: string): Promise<void>;
  /** Of its session. ms; Infinity: it is open for writing somewhere, a crash left it so, or the mark went meanwhile; undefined: it was deleted */
  activeUntil(mark: string): Promise<number | undefined>;
  /** Its session, read-only. Rejects with StorageError NOT_FOUND. */
  open(mark: string): Promise<SessionFiles>;
}

export interface SessionStorage {
  readonly unreviewed: UnreviewedMarks;
  /** Newest first. A folder that is no session is passed over. */
  list(): Promise<SessionMeta[]>;
  create(id: string): Promise<SessionFiles>;
  /**
   * Rejects with StorageError NOT_FOUND. Opens read-only where another process holds the lock.
   * `readOnlyError`: takes no lock and waits for none, mends nothing: a writer of the session is not disturbed.
   */
  open(id: string, options?: { readOnly?: boolean }): Promise<SessionFiles>;
  /** meta.json: a cache for `list`, rebuilt when missing; not synced. */
  writeMeta(meta: SessionMeta): Promise<void>;
  /** What each session takes on disk, deleted ones that can be brought back too: those by their `key`. Deletes what is in the trash longer than that. */
  usage(): Promise<{ id: string; bytes: number }[]>;
  /**
   * Permanently deletes a session, also one without a log, so only when a person said so. A crash in the middle leaves all
   * of it or nothing that opens. Rejects with StorageError NOT_FOUND, and IN_USE while a window has it open for writing.
   */
  remove(id: string): Promise<void>;
  /**
   * Puts a session into the trash, for TRASH_MS: in no list any more when it resolves, also after a crash. Rejects as `remove`.
   * @returns its `key` there
   */
  trash(id: string): Promise<string>;
  /** What is in the trash, deleted last first. */
  deleted(): Promise<DeletedSession[]>;
  /** Brings one back under its own id. Rejects with StorageError NOT_FOUND, and IO where there is such a session again. @returns its id */
  restore(key: string): Promise<string>;
  /** Deletes one in the trash for good. Rejects with StorageError. */
  purge(key: string): Promise<void>;
}

// What the files of a session are called (docs/formats.md).

export type SessionLogName = "history.jsonl" | "requests.jsonl" | "permissions.jsonl";

/** `archive/0001.jsonl`: the records that a compaction replaced; written once. */
export type ArchiveName = `archive/${string}.jsonl`;

/** Every file of a session that is read as a whole. Those in folders are numbered: `archive/0001.jsonl`. */
export type SessionFileName = SessionLogName | "history.broken.jsonl" | ArchiveName;

export type SessionFolderName = "archive" | "blobs";

const LOG = /^(history|requests|permissions)\.jsonl$/;
/** `runs`: bundles of earlier versions have them. */
const FILE = /^(history|history\.broken|requests|runs|permissions|(archive|runs)\/[0-9]{4,9})\.jsonl$/;

export const isSessionLogName = (name: string): name is SessionLogName => LOG.test(name);

/** Names also come from the headers of logs: one that leads out of the session's folder is none. */
export const isSessionFileName = (name: string): name is SessionFileName => FILE.test(name);

/** Of the names that a log's header gives: those that can be read. */
export const isArchiveName = (name: string): name is ArchiveName => name.startsWith("archive/") && FILE.test(name);

/** What models cost the person, over all sessions and windows (docs/formats.md). */
export interface Spending {
  /** Of one request. @param entry `ts`: ms since the epoch; `cost`: US dollars */
  add(entry: { ts: number; cost: number }): Promise<void>;
  /** US dollars of all requests of the day of `now` after `ts`, by the clock on the wall. */
  since(ts: number, now: number): Promise<number>;
}
