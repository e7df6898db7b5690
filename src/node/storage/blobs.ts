/** Files named by the sha256 of what they hold, each there once: blobs, and states of files for undo. */
import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { type BlobWriter, StorageError } from "../../core/ground/ports";
import { KeyedQueue, SerialQueue } from "../../shared/async";
import { t } from "../../shared/l10n";
import { fileNames, isFile, makeIfMissing, readOr, removeQuietly, removeTree, writeAll } from "../disk";
import { storageError } from "../errno";
import type { FileSystem } from "../fileSystem";

const HASH = /^[0-9a-f]{64}$/;
/** Folder of a session → the sentence where a write there fails. */
const NOT_KEPT = {
  blobs: () => t("The output was not kept."),
  snapshots: () => t("The state of the file was not kept, so this change could not be undone."),
};

export class Blobs {
  private readonly folder: string;
  /** unfinished writes; emptied by the next holder of the session's lock */
  private readonly unfinished: string;
  readonly writers = new Set<FileBlobWriter>();
  /** The second of two who store the same waits: what it finds is on disk for good. */
  private readonly storing = new KeyedQueue();
  private ready: Promise<void> | undefined;
  private readonly queue = new SerialQueue();
  private naming: Promise<void> | undefined;

  constructor(
    private readonly fs: FileSystem,
    private readonly session: string,
    readonly kind: keyof typeof NOT_KEPT,
  ) {
    this.folder = join(session, kind);
    this.unfinished = join(session, `${kind}.unfinished`);
  }

  async put(sha256: string, data: string | Uint8Array): Promise<void> {
    if (await this.isStored(sha256)) return;
    const writer = this.writer();
    await writer.write(data);
    const { sha256: actual } = await writer.finish();
    if (actual !== sha256) throw new StorageError("IO", `What was to be ${sha256} in ${this.kind} is ${actual}.`);
  }

  get(sha256: string): Promise<Uint8Array | undefined> {
    return readOr(this.fs, this.path(sha256));
  }

  writer(): BlobWriter {
    const writer = new FileBlobWriter(this.fs, this.unfinished, this);
    this.writers.add(writer);
    return writer;
  }

  async names(): Promise<string[]> {
    return (await fileNames(this.fs, this.folder)).filter(name => HASH.test(name)).sort();
  }

  async close(): Promise<void> {
    for (const writer of [...this.writers]) await writer.discard();
  }

  async tidy(): Promise<void> {
    this.ready = undefined;
    await removeTree(this.fs, this.unfinished);
  }

  /** For good: not only until the next power cut. */
  async isStored(sha256: string): Promise<boolean> {
    const path = this.path(sha256);
    if (!(await isFile(this.fs, path))) return false;
    return this.storing.run(sha256, async () => {
      await this.prepare();
      return isFile(this.fs, path);
    });
  }

  /** Durably gives a synced file its name as a blob. false: the blob exists, and the file is untouched */
  store(temporary: string, sha256: string): Promise<boolean> {
    return this.storing.run(sha256, async () => {
      await this.prepare();
      const path = this.path(sha256);
      // the one before in the queue stored it
      if (await isFile(this.fs, path)) return false;
      await this.fs.rename(temporary, path);
      try {
        await this.named();
      } catch (error) {
        // the next one must not find what a power cut may take
        await removeQuietly(this.fs, path);
        throw error;
      }
      return true;
    });
  }

  /** The names that are in the folder when this begins are on disk: one sync serves all that wait. */
  private named(): Promise<void> {
    this.naming ??= this.queue.run(() => {
      this.naming = undefined;
      return this.fs.syncFolder(this.folder);
    });
    return this.naming;
  }

  /** The folder, and the names that a process left in it which died before they were on disk. */
  private prepare(): Promise<void> {
    const prepare = async () => {
      await makeIfMissing(this.fs, this.folder);
      await Promise.all([this.session, this.folder].map(folder => this.fs.syncFolder(folder)));
    };
    this.ready ??= prepare().catch(error => {
      this.ready = undefined;
      throw error;
    });
    return this.ready;
  }

  private path(sha256: string): string {
    if (!HASH.test(sha256)) throw new StorageError("NOT_FOUND", `${sha256} is no name in ${this.kind}.`);
    return join(this.folder, sha256);
  }
}

class FileBlobWriter implements BlobWriter {
  private readonly hash = createHash("sha256");
  private readonly temporary: string;
  private readonly queue = new SerialQueue();
  private fd: number | undefined;
  private bytes = 0;
  /** it has its name as a blob: nothing is left to remove */
  private isStored = false;

  constructor(
    private readonly fs: FileSystem,
    private readonly unfinished: string,
    private readonly blobs: Blobs,
  ) {
    this.temporary = join(unfinished, randomUUID());
  }

  write(chunk: string | Uint8Array): Promise<void> {
    return this.queue.run(async () => {
      try {
        await writeAll(this.fs, await this.opened(), typeof chunk === "string" ? Buffer.from(chunk) : chunk);
        this.hash.update(chunk);
        this.bytes += Buffer.byteLength(chunk);
      } catch (error) {
        throw storageError(error, NOT_KEPT[this.blobs.kind]());
      }
    });
  }

  finish(): Promise<{ sha256: string; bytes: number }> {
    return this.queue.run(async () => {
      const sha256 = this.hash.digest("hex");
      try {
        if (!(await this.blobs.isStored(sha256))) await this.store(sha256);
        await this.drop();
        return { sha256, bytes: this.bytes };
      } catch (error) {
        await this.drop();
        throw storageError(error, NOT_KEPT[this.blobs.kind]());
      }
    });
  }

  discard(): Promise<void> {
    return this.queue.run(() => this.drop());
  }

  private async store(sha256: string): Promise<void> {
    await this.fs.fdatasync(await this.opened());
    await this.close();
    this.isStored = await this.blobs.store(this.temporary, sha256);
  }

  private async drop(): Promise<void> {
    this.blobs.writers.delete(this);
    try {
      await this.close();
    } finally {
      if (!this.isStored) await removeQuietly(this.fs, this.temporary);
    }
  }

  private async close(): Promise<void> {
    const { fd } = this;
    this.fd = undefined;
    if (fd !== undefined) await this.fs.close(fd);
  }

  private async opened(): Promise<number> {
    if (this.fd === undefined) {
      // nothing in it has to outlive a power cut
      await makeIfMissing(this.fs, this.unfinished);
      this.fd = await this.fs.open(this.temporary, "wx");
    }
    return this.fd;
  }
}
