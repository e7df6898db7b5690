/**
 * What the core needs from the world, each port as narrow as its callers. Adapters: node/ and vscode/; fakes: test/fakes.
 * Paths: `path` is for people and models ('/' separators, relative to its root where inside the workspace); `uri` is the
 * identity of a file (`file:///…`), the key of stamps and records.
 */
import type { LanguageModel } from "ai";
import type { Json } from "../shared/messages";
import type { PermissionMode, Settings } from "../shared/settings";
import type { Stamp } from "../shared/toolResult";

// ---------------------------------------------------------------- small things

export interface Clock {
  /** ms since the epoch */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Ids {
  /** A new id, unique on this machine, without meaning: `msg_…`, `run_…`. */
  next(prefix: string): string;
}

export interface Hash {
  /** lower-case hex; text is hashed as UTF-8 */
  sha256(data: string | Uint8Array): string;
}

/** Stands before everything that is logged, hashed or sent (CONTEXT.md, section 11). */
export interface Redactor {
  /** Secrets become stable placeholders. Idempotent. */
  redact(text: string): string;
  /** Placeholders that this session handed out become the secrets again: only for what is written into files. */
  restore(text: string): string;
}

export interface Logger {
  log(level: "debug" | "info" | "warning" | "error", message: string, fields?: Record<string, Json>): void;
}

// ---------------------------------------------------------------- files

export interface Root {
  /** the folder's name; what `name:path` addresses where there are several roots */
  name: string;
  /** absolute path, '/' separators */
  path: string;
  uri: string;
}

/** A file that was named, resolved: links followed, `..` gone. */
export interface FileRef {
  uri: string;
  /** absolute, as the file system has it after links were followed, '/' separators */
  absolute: string;
  /** for people and models: relative to its root (with `name:` where there are several), absolute outside */
  path: string;
  /** lies in one of the roots after links were followed */
  inside: boolean;
}

export interface FileStat {
  type: "file" | "directory" | "other";
  /** bytes */
  size: number;
  /** ms since the epoch */
  mtime: number;
}

export type Encoding = "utf8" | "utf8bom" | "utf16le" | "utf16be" | "latin1";

/** A text file as it stands: the editor's buffer where the document is open, else the file. */
export interface TextFile {
  kind: "text";
  /** decoded, without BOM, line ends as they are */
  text: string;
  /** what the adapter will write it back as; an adapter may know more encodings than these */
  encoding: Encoding | (string & {});
  stamp: Stamp;
  /** where the text comes from */
  from: "editor" | "disk";
}

export interface BinaryFile {
  kind: "binary";
  size: number;
  stamp: Stamp;
  /** `image/png` and the like where it is known from the first bytes */
  mediaType?: string;
  /** the bytes, of images of at most 5 MB only */
  bytes?: Uint8Array;
}

/** Replace `[start, end)` (UTF-16 offsets into the base text) by `text`. Sorted, not overlapping. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

export interface ApplyEdits {
  ref: FileRef;
  /** the sha256 that must still stand; null: the file must not exist yet (folders are created) */
  base: string | null;
  edits: readonly TextEdit[];
}

export type ApplyOutcome =
  /** `text` is what stands now, after saving: a formatter may have changed more than the edit. */
  | { kind: "applied"; stamp: Stamp; text: string; saved: boolean }
  /** The base moved: nothing was written. */
  | { kind: "stale" };

export interface DirectoryEntry {
  name: string;
  type: "file" | "directory" | "other";
  /** bytes; 0 for directories */
  size: number;
}

/**
 * The workspace's files. Failures reject with `FileError`; nothing else.
 */
export interface Files {
  readonly roots: readonly Root[];
  /**
   * Resolves what a person or model wrote: relative to the first root (or to `base`), absolute, `~/…` or `root:path`. The
   * file need not exist: the nearest folder that does is resolved.
   */
  resolve(input: string): Promise<FileRef>;
  /** undefined: there is nothing */
  stat(ref: FileRef): Promise<FileStat | undefined>;
  /** Refuses more than `maxBytes` with FileError TOO_LARGE before reading. */
  read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile>;
  /** Compare and swap: check and write are one step; edits on one file run one after the other. */
  apply(change: ApplyEdits): Promise<ApplyOutcome>;
  list(ref: FileRef): Promise<DirectoryEntry[]>;
}

export class FileError extends Error {
  constructor(
    readonly code: "NOT_FOUND" | "TOO_LARGE" | "IO" | "READ_ONLY",
    message: string,
  ) {
    super(message);
    this.name = "FileError";
  }
}

export interface GrepQuery {
  pattern: string;
  /** where to search; a file or a folder */
  ref: FileRef;
  glob?: string;
  type?: string;
  mode: "content" | "files_with_matches" | "count";
  before: number;
  after: number;
  ignoreCase: boolean;
  multiline: boolean;
}

export type GrepLine = {
  /** as FileRef.path */
  path: string;
  /** 1-based; 0 in the modes that have no lines */
  line: number;
  kind: "match" | "context";
  text: string;
  /** mode `count`: hits in the file */
  count?: number;
};

/** Searches honour .gitignore, .ignore and the editor's exclude settings. */
export interface Search {
  /**
   * Calls `onLine` in the engine's order (files sorted by path where it is cheap to). Return false from it to end the
   * search early. Rejects with SearchError for a pattern, glob or type that the engine refuses; `signal` ends it.
   */
  grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void>;
  /** Files below `ref` matching the glob (`**`, braces, `!` negation), as FileRef.path with their mtime (ms), newest first. */
  glob(ref: FileRef, pattern: string, signal: AbortSignal): Promise<{ path: string; mtime: number }[]>;
  /** Which of these entries of a folder are ignored (by .gitignore and exclude settings). */
  ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>>;
}

export class SearchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SearchError";
  }
}

// ---------------------------------------------------------------- commands

export interface ShellRun {
  command: string;
  /** absolute folder to start in */
  cwd: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Output in arrival order. May return a promise: the command is held until it resolves (back pressure). */
  onOutput(stream: "stdout" | "stderr", chunk: Uint8Array): void | Promise<void>;
}

export interface ShellOutcome {
  /** null: killed by a signal */
  exitCode: number | null;
  signal: string | null;
  ended: "exited" | "timeout" | "aborted";
  durationMs: number;
  /** the folder in which the command's shell ended */
  cwd: string;
  /** processes that the command left behind and that were ended with it */
  leftBehind: boolean;
}

export interface Shell {
  /** for L1: "bash", "PowerShell 7" */
  readonly name: string;
  /**
   * Runs the command in a process group of its own, with no terminal and no input; on time-out or abort the whole group
   * is killed. Resolves when every process of the group is gone. Rejects only where the shell itself cannot start.
   */
  run(run: ShellRun): Promise<ShellOutcome>;
}

// ---------------------------------------------------------------- storage

/** Bytes on their way into a blob: written as they come, named by what they hash to. */
export interface BlobWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Synced when it resolves. */
  finish(): Promise<{ sha256: string; bytes: number }>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** The append-only files of a session. */
export type SessionLogName = "history.jsonl" | "requests.jsonl";

/** Every file of a session that is read as a whole. */
export type SessionFileName = SessionLogName | "history.broken.jsonl";

/** The files of one session (CONTEXT.md, section 6). Writers hold its lock. */
export interface SessionFiles {
  readonly id: string;
  /** false: another window writes; every write rejects */
  readonly writable: boolean;
  /** undefined: no such file yet */
  read(name: SessionFileName): Promise<string | undefined>;
  /**
   * Appends and syncs. Resolves when the bytes are on disk; where that fails, cuts the file back to what it was before,
   * so that disk and memory agree, and rejects with StorageError. Checks the lock first: LOST_LOCK.
   */
  append(name: SessionLogName, text: string): Promise<void>;
  /** Repair: keep the first `bytes` bytes of a file; synced. */
  truncate(name: SessionLogName, bytes: number): Promise<void>;
  /**
   * Replaces or creates a file as a whole: temporary file, synced, renamed, folder synced. Later appends go to the new one.
   */
  replace(name: SessionFileName, text: string): Promise<void>;
  /** Content-addressed; nothing happens where it is there already. Synced. */
  putBlob(sha256: string, data: string | Uint8Array): Promise<void>;
  getBlob(sha256: string): Promise<Uint8Array | undefined>;
  blobWriter(): BlobWriter;
  /** Called when this window lost or won the session. */
  onLockChange(listener: (writable: boolean) => void): void;
  close(): Promise<void>;
}

export interface SessionMeta {
  id: string;
  title: string;
  /** ms since the epoch */
  created: number;
  updated: number;
  turns: number;
}

export interface SessionStorage {
  /** Newest first. A folder that is no session is passed over. */
  list(): Promise<SessionMeta[]>;
  create(id: string): Promise<SessionFiles>;
  /** Rejects with StorageError NOT_FOUND. Opens read-only where another process holds the lock. */
  open(id: string): Promise<SessionFiles>;
  /** meta.json: a cache for `list`, rebuilt when missing; not synced. */
  writeMeta(meta: SessionMeta): Promise<void>;
}

export class StorageError extends Error {
  constructor(
    readonly code: "NOT_FOUND" | "DISK_FULL" | "DENIED" | "LOST_LOCK" | "READ_ONLY" | "IO",
    message: string,
  ) {
    super(message);
    this.name = "StorageError";
  }
}

// ---------------------------------------------------------------- model

export type ModelFailureCode =
  | "no-model"
  | "auth"
  | "unknown-model"
  | "rate-limit"
  | "server"
  | "context-too-long"
  | "timeout"
  | "refused"
  | "cut"
  | "bad-answer"
  | "bad-request";

/** Why a request failed, for the loop and for people. Never carries a key. */
export interface ModelFailure {
  code: ModelFailureCode;
  /** one sentence: what happened, what it means, what can be done */
  message: string;
  retryable: boolean;
  /** from `retry-after`, ms */
  retryAfterMs?: number;
  /** HTTP status where there was one */
  status?: number;
}

export interface ModelConnection {
  /** name as the server knows it */
  readonly name: string;
  /** where requests go, for people */
  readonly address: string;
  /** tokens */
  readonly contextWindow: number;
  /** undefined leaves it to the server */
  readonly maxOutputTokens?: number;
  /** Passed on as they are (`store: false`, reasoning effort); part of the manifest. */
  readonly providerOptions: Record<string, Record<string, Json>>;
  /** ms without a byte after which a request failed */
  readonly timeoutMs: number;
  /**
   * A model for one request. `beforeSend` is awaited with the sha256 of the HTTP body (null where there is no HTTP)
   * before the first byte leaves; if it rejects, nothing is sent. `onBytes` is called whenever bytes of the answer come,
   * also those that carry no text yet: what the time-out is measured by.
   */
  open(beforeSend: (bodySha256: string | null) => Promise<void>, onBytes?: () => void): LanguageModel;
  /** Never throws: what it cannot name is `bad-answer` with the error's own words. */
  explain(error: unknown): ModelFailure;
}

export interface Models {
  /** The model as settings and secrets stand now. Rejects with NoModelError where none is set up. */
  connect(override?: { name?: string }): Promise<ModelConnection>;
}

/** What is wrong with an answer that no server reports: silence, an end before the end, nothing in it. */
export class AnswerError extends Error {
  constructor(
    readonly code: "timeout" | "cut" | "empty",
    message: string,
    /** why the model says it stopped, where it said so: an empty answer after `length` is no accident */
    readonly finishReason?: string,
  ) {
    super(message);
    this.name = "AnswerError";
  }
}

/** No model is set up: the person is told how to. */
export class NoModelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoModelError";
  }
}

// ---------------------------------------------------------------- surroundings

export interface RuleFile {
  /** for people and manifests: "CODE_LAW.md", "app:AGENTS.md", "~/.config/strata/AGENTS.md" */
  path: string;
  text: string;
  /** bytes left out because the file is larger than 32 KB */
  cutBytes: number;
  trust: "user" | "rules";
}

/** Rules as saved on disk, in the order of CONTEXT.md section 1; empty in an untrusted workspace. */
export interface Rules {
  read(): Promise<RuleFile[]>;
}

/** What the editor shows now; goes to the tail. Undefined in a terminal. */
export interface EditorState {
  activeFile?: string;
  /** 1-based lines */
  selection?: { path: string; first: number; last: number };
  openFiles: string[];
}

export interface Surroundings {
  /** For L1, and so it must hold still: "linux", "bash". */
  readonly platform: string;
  /** false: reads only, no rules */
  trusted(): boolean;
  editor(): EditorState | undefined;
}

export interface SettingsSource {
  /** as they stand now */
  get(): Settings;
}

export type { PermissionMode };
