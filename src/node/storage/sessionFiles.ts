/** The files of one session on disk. */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import {
  type BlobWriter,
  type SessionFileName,
  type SessionFiles,
  type SessionFolderName,
  type SessionLogName,
  type SessionStorage,
  StorageError,
} from "../../core/ground/ports";
import { isSessionFileName, isSessionLogName } from "../../core/ground/ports/storage";
import { SerialQueue } from "../../shared/async";
import { t } from "../../shared/l10n";
import {
  AppendFile,
  fileNames,
  isFile,
  isTemporary,
  makeFolder,
  readOr,
  removeQuietly,
  replaceFile,
  syncReadable,
  treeBytes,
  UnknownStateError,
} from "../disk";
import { errno, orStorageError, storageError, unlessMissing } from "../errno";
import type { FileSystem } from "../fileSystem";
import { Blobs } from "./blobs";
import { type LockTiming, SessionLock } from "./sessionLock";

const notSaved = () => t("This session was not saved.");
const notWritable = () => t("This session can only be read now.");
const notClosed = () =>
  t("This session was saved, but other windows may have to wait some seconds until they can write to it.");
const writtenElsewhere = () => t("This session is being written by another window; here it can only be read.");
const unknownState = () =>
  t(
    "This session was not saved: the disk fails, and what stands there may differ from what you see. Nothing more is written from here. Check the disk, then open the session again.",
  );
const notRead = () => t("The session could not be read.");

export class NodeSessionFiles implements SessionFiles {
  private readonly lock: SessionLock;
  private readonly blobs: Blobs;
  private readonly snapshots: Blobs;
  private readonly logs = new Map<string, AppendFile>();
  /** Logs are written by one task at a time: an append finds the file as the one before left it. */
  private readonly queue = new SerialQueue();
  private readonly listeners: ((writable: boolean) => void)[] = [];
  children?: SessionStorage;
  private closed = false;
  /** why the lock could not be taken, where it is not another window that has it */
  private refusal: StorageError | undefined;
  /** from here on memory and disk may differ: nothing is written any more */
  private broken: StorageError | undefined;
  private leavesFolder = false;
  /** folders of which names may not be on disk yet: at first all, also those above, after another process's writes too */
  private unsettled: readonly string[];
  /** something was appended since the last sync, or a process before may have left it */
  private unsynced = false;
  /** one that has not begun: it serves all who ask meanwhile */
  private nextSync: Promise<void> | undefined;

  private constructor(
    private readonly fs: FileSystem,
    readonly id: string,
    private readonly place: string,
    timing: LockTiming,
  ) {
    this.blobs = new Blobs(fs, place, "blobs");
    this.snapshots = new Blobs(fs, place, "snapshots");
    this.lock = new SessionLock(fs, place, timing, held => this.changed(held));
    this.unsettled = this.allFolders;
  }

  pathOf(name: SessionLogName): string {
    return join(this.place, name);
  }

  static async open(fs: FileSystem, id: string, folder: string, timing: LockTiming): Promise<NodeSessionFiles> {
    const files = new NodeSessionFiles(fs, id, folder, timing);
    try {
      await files.lock.start();
    } catch (error) {
      // what cannot be written can still be read
      files.refusal = storageError(error, notWritable());
    }
    files.unsynced = files.writable;
    if (files.writable) await files.tidy();
    return files;
  }

  /** To read only: leaves no trace on disk. */
  static view(fs: FileSystem, id: string, folder: string, timing: LockTiming): NodeSessionFiles {
    const files = new NodeSessionFiles(fs, id, folder, timing);
    files.refusal = new StorageError("READ_ONLY", t("This session was opened to be read only."));
    files.leavesFolder = true;
    return files;
  }

  get writable(): boolean {
    return this.lock.isHeld && !this.closed;
  }

  get obstacle(): string | undefined {
    return this.refusal?.message;
  }

  get isGone(): boolean {
    return this.lock.isGone;
  }

  async read(name: SessionFileName): Promise<string | undefined> {
    return (await this.readBytes(name))?.toString("utf8");
  }

  readBytes(name: SessionFileName) {
    const read = () => orStorageError(notRead(), () => readOr(this.fs, this.path(name)));
    // Those in folders are large and never appended to: no append has to wait until one is read.
    return name.includes("/") ? read() : this.queue.run(read);
  }

  append(name: SessionLogName, text: string): Promise<void> {
    return this.write(async () => {
      const log = await this.log(name);
      // right before the write: opening takes time
      await this.mustHold();
      this.unsynced = true;
      await log.append(text);
      // Another window may have taken the session in between and replaced the file. A disk error does not prove that.
      if (!(await this.lock.check().catch(() => true))) throw this.lostLock();
    });
  }

  sync(): Promise<void> {
    this.nextSync ??= this.queue.run(async () => {
      this.nextSync = undefined;
      if (this.broken) throw this.broken;
      if (this.unsynced && this.closed) throw new StorageError("READ_ONLY", notWritable());
      return this.unsynced ? this.syncNow() : undefined;
    });
    return this.nextSync;
  }

  truncate(name: SessionLogName, bytes: number): Promise<void> {
    return this.write(async () => {
      this.unsynced = true;
      await (await this.log(name)).truncate(bytes);
    });
  }

  replace(name: SessionFileName, text: string): Promise<void> {
    return this.write(async () => {
      // The new one may name records and archives that are not synced yet, also of a process that died.
      if (this.unsynced) await this.syncNow();
      await this.closeLog(name);
      const path = this.path(name);
      if (name.includes("/")) await makeFolder(this.fs, dirname(path));
      await replaceFile(this.fs, path, text, () => this.mustHold());
    });
  }

  list(folder: SessionFolderName): Promise<string[]> {
    return orStorageError(notRead(), async () => {
      if (folder === "blobs") return this.blobs.names();
      const names = await fileNames(this.fs, join(this.place, folder));
      return names.filter(name => isSessionFileName(`${folder}/${name}`)).sort();
    });
  }

  bytes(): Promise<number> {
    return orStorageError(notRead(), () => treeBytes(this.fs, this.place));
  }

  async putBlob(sha256: string, data: string | Uint8Array): Promise<void> {
    this.mustBeWritable();
    return orStorageError(notSaved(), () => this.blobs.put(sha256, data));
  }

  getBlob(sha256: string): Promise<Uint8Array | undefined> {
    return orStorageError(notRead(), () => this.blobs.get(sha256));
  }

  blobWriter(): BlobWriter {
    this.mustBeWritable();
    return this.blobs.writer();
  }

  async putSnapshot(sha256: string, data: string | Uint8Array): Promise<void> {
    this.mustBeWritable();
    return orStorageError(notSaved(), () => this.snapshots.put(sha256, data));
  }

  async getSnapshot(sha256: string): Promise<string | undefined> {
    const bytes = await this.getSnapshotBytes(sha256);
    return bytes && Buffer.from(bytes).toString("utf8");
  }

  async getSnapshotBytes(sha256: string): Promise<Uint8Array | undefined> {
    const bytes = await orStorageError(notRead(), () => this.snapshots.get(sha256));
    if (bytes && createHash("sha256").update(bytes).digest("hex") !== sha256) {
      throw new StorageError(
        "IO",
        t("The state of the file that was kept for undo is damaged: it is not what was kept."),
      );
    }
    return bytes;
  }

  onLockChange(listener: (writable: boolean) => void): void {
    this.listeners.push(listener);
  }

  close(): Promise<void> {
    return this.queue.run(() => orStorageError(notClosed(), () => this.end()));
  }

  /** The lock is given back also after a failure. */
  private async end(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const said = this.broken;
    try {
      if (this.lock.isHeld && this.unsynced && !said) await this.syncNow().catch(() => undefined);
      await this.blobs.close();
      await this.snapshots.close();
      await this.closeLogs();
    } finally {
      await this.lock.stop();
    }
    if (this.broken !== said) throw this.broken;
    if (!this.leavesFolder) await this.removeIfEmpty();
  }

  private lostLock(): StorageError {
    return this.lock.isGone ? deletedError() : lostLockError();
  }

  /** @throws StorageError IO: not a name of a session's file */
  private path(name: string): string {
    if (!isSessionFileName(name)) throw new StorageError("IO", `${name} is no file of a session.`);
    return join(this.place, name);
  }

  /** with files that are written as a whole */
  private get folders(): string[] {
    return [this.place, join(this.place, "archive")];
  }

  /** and those on which they hang, as far up as a process of ours may have made them */
  private get allFolders(): string[] {
    const sessions = dirname(this.place);
    return [...this.folders, sessions, dirname(sessions), dirname(dirname(sessions))];
  }

  private mustBeWritable(): void {
    if (this.lock.isGone) throw deletedError();
    if (this.broken) throw this.broken;
    if (!this.writable) throw this.refusal ?? new StorageError("READ_ONLY", writtenElsewhere());
  }

  /** Right before a write: the lock may have gone to another window while this one was busy or asleep. */
  private async mustHold(): Promise<void> {
    if (!(await this.lock.check())) throw this.lostLock();
  }

  private write<T>(task: () => Promise<T>): Promise<T> {
    return this.queue.run(async () => {
      this.mustBeWritable();
      try {
        await this.mustHold();
        return await task();
      } catch (error) {
        this.unsettled = this.allFolders;
        this.unsynced = true;
        throw this.failure(error);
      }
    });
  }

  /** Logs and names at once, those that a process before left too: the disk writes them together. */
  private async syncNow(): Promise<void> {
    try {
      if (await isFile(this.fs, this.path("history.jsonl"))) await this.log("history.jsonl");
      const syncs = [...this.logs.values()].map(log => log.sync());
      const names = (folder: string) => unlessMissing(syncReadable(this.fs, folder), undefined);
      syncs.push(...this.unsettled.map(names));
      const failed = (await Promise.allSettled(syncs)).find(result => result.status === "rejected");
      if (failed) throw failed.reason;
    } catch (cause) {
      throw this.failure(new UnknownStateError(cause));
    }
    if (!(await this.lock.check().catch(() => true))) throw this.lostLock();
    this.unsettled = [];
    this.unsynced = false;
  }

  /** In an unknown state nothing is written any more. */
  private failure(error: unknown): StorageError {
    if (error instanceof UnknownStateError) this.broken = new StorageError("IO", unknownState());
    return this.broken ?? storageError(error, notSaved());
  }

  private async log(name: SessionLogName): Promise<AppendFile> {
    if (!isSessionLogName(name)) throw new StorageError("IO", `${name} is no log of a session.`);
    const open = this.logs.get(name) ?? (await AppendFile.open(this.fs, this.path(name)));
    this.logs.set(name, open);
    if (open.isEmpty) this.unsettled = [...new Set([...this.unsettled, this.place])];
    return open;
  }

  private async closeLog(name: string): Promise<void> {
    const file = this.logs.get(name);
    this.logs.delete(name);
    await file?.close();
  }

  private async closeLogs(): Promise<void> {
    for (const name of [...this.logs.keys()]) await this.closeLog(name);
  }

  /** What another window wrote meanwhile: descriptors and lengths are from before. */
  private async changed(held: boolean): Promise<void> {
    if (held) {
      this.refusal = undefined;
      await this.queue.run(async () => {
        this.unsettled = this.allFolders;
        this.unsynced = true;
        await this.closeLogs();
        await this.tidy();
      });
    }
    for (const listener of this.listeners) listener(held);
  }

  /**
   * Removes what is not finished, before anything is read by who gets the lock: what the one before was about to put in the place
   * of a file can no longer come.
   */
  private async tidy(): Promise<void> {
    try {
      for (const folder of this.folders) {
        const names = (await fileNames(this.fs, folder)).filter(isTemporary);
        for (const name of names) await removeQuietly(this.fs, join(folder, name));
      }
      await this.blobs.tidy();
      await this.snapshots.tidy();
    } catch {
      // leftovers cost space, no more: the session opens all the same, and the next one who gets the lock tries again
    }
  }

  /** A session in which nothing was ever said leaves no folder. */
  private async removeIfEmpty(): Promise<void> {
    if (await isFile(this.fs, join(this.place, "history.jsonl"))) return;
    await this.fs.rmdir(this.place).catch(failure => {
      // something else is in it, or it is gone already
      if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errno(failure))) throw failure;
    });
  }
}

const lostLockError = () =>
  new StorageError(
    "LOST_LOCK",
    t(
      "Another window has taken this session over while this one did not answer; from here on it can only be read here.",
    ),
  );

const deletedError = () => new StorageError("NOT_FOUND", t("This session was deleted in another window."));
