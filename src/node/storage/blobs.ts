/** Blobs: files named by the sha256 of what they hold, each there once. */
import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type BlobWriter, StorageError } from "../../core/ports";
import { isMissing } from "../errno";
import { Queue } from "../queue";
import { FILE_MODE, makeFolder, readOr, syncFolder } from "./disk";
import { storageError } from "./errors";

const NOT_KEPT = "The output was not kept.";

export class Blobs {
  private readonly folder: string;
  /** what is being written; emptied by whoever gets the session's lock */
  private readonly unfinished: string;
  private readonly writers = new Set<FileBlobWriter>();

  /** @param session the session's folder */
  constructor(session: string) {
    this.folder = join(session, "blobs");
    this.unfinished = join(session, "blobs.unfinished");
  }

  async put(sha256: string, data: string | Uint8Array): Promise<void> {
    const path = this.path(sha256);
    if (await exists(path)) return;
    const writer = this.writer();
    await writer.write(typeof data === "string" ? Buffer.from(data, "utf8") : data);
    const { sha256: actual } = await writer.finish();
    if (actual !== sha256) throw new StorageError("IO", `A blob was to be ${sha256} but is ${actual}.`);
  }

  get(sha256: string): Promise<Uint8Array | undefined> {
    return readOr(this.path(sha256));
  }

  writer(): BlobWriter {
    const writer: FileBlobWriter = new FileBlobWriter(this.folder, this.unfinished, () => this.writers.delete(writer));
    this.writers.add(writer);
    return writer;
  }

  /** Discards what is still being written. */
  async close(): Promise<void> {
    for (const writer of [...this.writers]) await writer.discard();
  }

  /** Removes what a crash left unfinished. */
  async tidy(): Promise<void> {
    await rm(this.unfinished, { recursive: true, force: true });
  }

  private path(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new StorageError("NOT_FOUND", `${sha256} is no blob's name.`);
    return join(this.folder, sha256);
  }
}

class FileBlobWriter implements BlobWriter {
  private readonly hash = createHash("sha256");
  private readonly temporary: string;
  private readonly queue = new Queue();
  private handle: FileHandle | undefined;
  private bytes = 0;

  constructor(
    private readonly folder: string,
    private readonly unfinished: string,
    private readonly onEnd: () => void,
  ) {
    this.temporary = join(unfinished, randomUUID());
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.queue.run(async () => {
      try {
        const handle = await this.opened();
        await handle.writeFile(chunk);
        this.hash.update(chunk);
        this.bytes += chunk.length;
      } catch (error) {
        throw storageError(error, NOT_KEPT);
      }
    });
  }

  finish(): Promise<{ sha256: string; bytes: number }> {
    return this.queue.run(async () => {
      const sha256 = this.hash.digest("hex");
      try {
        await this.store(join(this.folder, sha256));
        this.onEnd();
        return { sha256, bytes: this.bytes };
      } catch (error) {
        await this.drop();
        throw storageError(error, NOT_KEPT);
      }
    });
  }

  discard(): Promise<void> {
    return this.queue.run(() => this.drop());
  }

  private async store(path: string): Promise<void> {
    if (await exists(path)) return this.drop();
    const handle = await this.opened();
    await handle.datasync();
    await handle.close();
    this.handle = undefined;
    await makeFolder(this.folder);
    await rename(this.temporary, path);
    await syncFolder(this.folder);
  }

  private async drop(): Promise<void> {
    this.onEnd();
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
    await rm(this.temporary, { force: true });
  }

  private async opened(): Promise<FileHandle> {
    if (!this.handle) {
      await makeFolder(this.unfinished);
      this.handle = await open(this.temporary, "wx", FILE_MODE);
    }
    return this.handle;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
