/** The files of one session on disk. */
import { rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type BlobWriter,
  type SessionFileName,
  type SessionFiles,
  type SessionLogName,
  StorageError,
} from "../../core/ports";
import { errno, isMissing } from "../errno";
import { Queue } from "../queue";
import { AppendFile } from "./appendFile";
import { Blobs } from "./blobs";
import { readOr, writeWhole } from "./disk";
import { lostLock, readOnly, storageError } from "./errors";
import { type LockTimes, SessionLock } from "./lock";

const NOT_SAVED = "This session was not saved.";

export class NodeSessionFiles implements SessionFiles {
  private readonly lock: SessionLock;
  private readonly blobs: Blobs;
  private readonly logs = new Map<SessionLogName, AppendFile>();
  /** Logs are written by one task at a time: an append finds the file as the one before left it. */
  private readonly queue = new Queue();
  private readonly listeners: ((writable: boolean) => void)[] = [];
  private closed = false;
  /** why the lock could not be taken, where it is not another window that has it */
  private obstacle: StorageError | undefined;
  /** an empty session's folder is not ours to remove */
  private leavesFolder = false;

  private constructor(
    readonly id: string,
    private readonly folder: string,
    times: LockTimes,
  ) {
    this.blobs = new Blobs(folder);
    this.lock = new SessionLock(folder, times, held => this.changed(held));
  }

  /** @param folder the session's, existing */
  static async open(id: string, folder: string, times: LockTimes): Promise<NodeSessionFiles> {
    const files = new NodeSessionFiles(id, folder, times);
    try {
      await files.lock.start();
    } catch (error) {
      // what cannot be written can still be read
      files.obstacle = storageError(error, NOT_SAVED);
    }
    if (files.writable) await files.blobs.tidy();
    return files;
  }

  /** To read only: leaves no trace on disk. */
  static view(id: string, folder: string, times: LockTimes): NodeSessionFiles {
    const files = new NodeSessionFiles(id, folder, times);
    files.obstacle = new StorageError("READ_ONLY", "This session was opened to be read only.");
    files.leavesFolder = true;
    return files;
  }

  get writable(): boolean {
    return this.lock.isHeld && !this.closed;
  }

  read(name: SessionFileName): Promise<string | undefined> {
    return this.queue.run(async () => {
      try {
        return (await readOr(this.path(name)))?.toString("utf8");
      } catch (error) {
        throw storageError(error, "The session could not be read.");
      }
    });
  }

  append(name: SessionLogName, text: string): Promise<void> {
    return this.write(async () => (await this.log(name)).append(text));
  }

  truncate(name: SessionLogName, bytes: number): Promise<void> {
    return this.write(async () => (await this.log(name)).truncate(bytes));
  }

  replace(name: SessionFileName, text: string): Promise<void> {
    return this.write(async () => {
      await this.closeLog(name);
      await writeWhole(this.path(name), text, { sync: true });
    });
  }

  async putBlob(sha256: string, data: string | Uint8Array): Promise<void> {
    this.mustBeWritable();
    try {
      await this.blobs.put(sha256, data);
    } catch (error) {
      throw storageError(error, NOT_SAVED);
    }
  }

  async getBlob(sha256: string): Promise<Uint8Array | undefined> {
    try {
      return await this.blobs.get(sha256);
    } catch (error) {
      throw storageError(error, "The session could not be read.");
    }
  }

  blobWriter(): BlobWriter {
    this.mustBeWritable();
    return this.blobs.writer();
  }

  onLockChange(listener: (writable: boolean) => void): void {
    this.listeners.push(listener);
  }

  close(): Promise<void> {
    return this.queue.run(async () => {
      if (this.closed) return;
      this.closed = true;
      await this.blobs.close();
      await this.closeLogs();
      await this.lock.stop();
      if (!this.leavesFolder) await this.removeIfEmpty();
    });
  }

  private mustBeWritable(): void {
    if (!this.writable) throw this.obstacle ?? readOnly();
  }

  private write(task: () => Promise<void>): Promise<void> {
    return this.queue.run(async () => {
      try {
        this.mustBeWritable();
        if (!(await this.lock.check())) throw lostLock();
        await task();
      } catch (error) {
        throw storageError(error, NOT_SAVED);
      }
    });
  }

  private async log(name: SessionLogName): Promise<AppendFile> {
    const open = this.logs.get(name) ?? (await AppendFile.open(this.path(name)));
    this.logs.set(name, open);
    return open;
  }

  private async closeLog(name: string): Promise<void> {
    for (const [open, file] of this.logs) {
      if (open !== name) continue;
      this.logs.delete(open);
      await file.close();
    }
  }

  private async closeLogs(): Promise<void> {
    for (const name of [...this.logs.keys()]) await this.closeLog(name);
  }

  /** What another window wrote meanwhile: descriptors and lengths are from before. */
  private async changed(held: boolean): Promise<void> {
    if (held) {
      this.obstacle = undefined;
      await this.queue.run(() => this.closeLogs());
      await this.blobs.tidy();
    }
    for (const listener of this.listeners) listener(held);
  }

  private path(name: string): string {
    if (!/^[a-z][a-z.]*\.jsonl$/.test(name)) throw new StorageError("IO", `${name} is no file of a session.`);
    return join(this.folder, name);
  }

  /** A session in which nothing was ever said leaves no folder. */
  private async removeIfEmpty(): Promise<void> {
    try {
      await stat(this.path("history.jsonl"));
    } catch (error) {
      if (!isMissing(error)) throw error;
      await rmdir(this.folder).catch(failure => {
        // something else is in it, or it is gone already
        if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errno(failure))) throw failure;
      });
    }
  }
}
