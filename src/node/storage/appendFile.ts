/** A file that only grows, kept open. What an append could not finish is cut off again. */
import { close, fdatasync, fstat, ftruncate, open, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { FILE_MODE, syncFolder } from "./disk";

// plain descriptors: a FileHandle costs about a tenth more per append
const openFile = promisify(open);
const statFile = promisify(fstat);
const truncateFile = promisify(ftruncate);
const syncData = promisify(fdatasync);
const closeFile = promisify(close);

export class AppendFile {
  private constructor(
    private readonly fd: number,
    /** bytes that are on disk for good */
    private length: number,
  ) {}

  /** something beyond `length` may be on disk and could not be cut off yet */
  private torn = false;

  static async open(path: string): Promise<AppendFile> {
    const fd = await openFile(path, "a", FILE_MODE);
    const { size } = await statFile(fd);
    if (size === 0) await syncFolder(dirname(path));
    return new AppendFile(fd, size);
  }

  /** Resolves when the bytes are on disk. Rejects with the system's error; then the file is as it was before. */
  async append(text: string): Promise<void> {
    if (this.torn) await this.cut(this.length);
    const bytes = Buffer.from(text, "utf8");
    try {
      // at once: it only goes into the system's memory; the sync is what takes time, and waits elsewhere
      for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at);
      await syncData(this.fd);
      this.length += bytes.length;
    } catch (error) {
      this.torn = true;
      // Where even that fails, the next append has to cut first; a crash before it leaves a torn line, which opening mends.
      await this.cut(this.length).catch(() => undefined);
      throw error;
    }
  }

  async truncate(bytes: number): Promise<void> {
    await this.cut(Math.min(bytes, this.length));
  }

  close(): Promise<void> {
    return closeFile(this.fd);
  }

  private async cut(length: number): Promise<void> {
    await truncateFile(this.fd, length);
    await syncData(this.fd);
    this.length = length;
    this.torn = false;
  }
}
