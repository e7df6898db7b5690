/** A file that only grows, kept open. What an append could not finish is cut off again. */
import { dirname } from "node:path";
import type { FileSystem } from "./fileSystem";

export class AppendFile {
  private constructor(
    private readonly fs: FileSystem,
    private readonly fd: number,
    /** bytes that are on disk for good */
    private length: number,
  ) {}

  /** something beyond `length` may be on disk and could not be cut off yet */
  private torn = false;

  static async open(fs: FileSystem, path: string): Promise<AppendFile> {
    const fd = await fs.open(path, "a");
    try {
      const { size } = await fs.fstat(fd);
      if (size === 0) await fs.syncFolder(dirname(path));
      return new AppendFile(fs, fd, size);
    } catch (error) {
      await fs.close(fd);
      throw error;
    }
  }

  /** Resolves when the bytes are on disk. Rejects with the system's error; then the file is as it was before. */
  async append(text: string): Promise<void> {
    await this.mend();
    const bytes = Buffer.from(text, "utf8");
    try {
      // at once: it only goes into the system's memory; the sync is what takes time, and waits elsewhere
      for (let at = 0; at < bytes.length; ) at += this.fs.writeSync(this.fd, bytes, at);
      await this.fs.fdatasync(this.fd);
      this.length += bytes.length;
    } catch (error) {
      this.torn = true;
      // Where even that fails, whoever uses the file next cuts first; a crash before it leaves a torn line, which opening mends.
      await this.cut(this.length).catch(() => undefined);
      throw error;
    }
  }

  /** An append that rejected may have left something. */
  get isTorn(): boolean {
    return this.torn;
  }

  /** Takes it away. Only for who holds the lock. */
  async mend(): Promise<void> {
    if (this.torn) await this.cut(this.length);
  }

  async truncate(bytes: number): Promise<void> {
    await this.cut(Math.min(bytes, this.length));
  }

  close(): Promise<void> {
    return this.fs.close(this.fd);
  }

  private async cut(length: number): Promise<void> {
    this.torn = true;
    await this.fs.ftruncate(this.fd, length);
    this.length = length;
    await this.fs.fdatasync(this.fd);
    this.torn = false;
  }
}
