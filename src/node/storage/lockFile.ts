/** The lock file of one session: a token, and a heartbeat that shows that its holder lives. */
import { randomUUID } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { errno } from "../errno";
import { readOr, removeFile } from "./disk";
import type { FileSystem } from "./fileSystem";

export const lockSchema = z.object({
  token: z.string(),
  pid: z.int(),
  host: z.string(),
  /** Where this is the same, process ids mean the same; absent: not known. */
  machine: z.string().optional(),
  /** ms since the epoch, by the holder's clock */
  heartbeat: z.number(),
});
export type Lock = z.infer<typeof lockSchema>;

export const lockPath = (folder: string) => join(folder, "lock.json");

/** A lock that this process took. Its descriptor stays open, so no other file can come by its inode. */
export class HeldLock {
  /** The descriptor is closed: its number may be another file's by now. */
  private dropped = false;

  private constructor(
    private readonly fs: FileSystem,
    private readonly path: string,
    private readonly fd: number,
    private readonly identity: string,
    private readonly content: Omit<Lock, "heartbeat">,
  ) {}

  /** undefined: there is a lock already */
  static async create(fs: FileSystem, folder: string): Promise<HeldLock | undefined> {
    try {
      return await HeldLock.write(fs, lockPath(folder), lockPath(folder));
    } catch (error) {
      if (errno(error) === "EEXIST") return undefined;
      throw error;
    }
  }

  /** Takes the place of a lock that was left: only for the one who has the right to (`takeover`). */
  static async replace(fs: FileSystem, folder: string): Promise<HeldLock> {
    const temporary = join(folder, `.lock-${randomUUID()}.tmp`);
    try {
      const lock = await HeldLock.write(fs, temporary, lockPath(folder));
      await fs.rename(temporary, lockPath(folder));
      return lock;
    } finally {
      await removeFile(fs, temporary);
    }
  }

  private static async write(fs: FileSystem, at: string, path: string): Promise<HeldLock> {
    const fd = await fs.open(at, "wx");
    const machine = await thisMachine();
    const content = { token: randomUUID(), pid: process.pid, host: hostname(), ...(machine && { machine }) };
    const lock = new HeldLock(fs, path, fd, (await fs.fstat(fd)).identity, content);
    try {
      lock.beat();
      return lock;
    } catch (error) {
      // a full disk: no lock without a word of who holds it
      await removeFile(fs, at);
      await lock.drop();
      throw error;
    }
  }

  /** Always the same number of bytes, over the old ones: nobody reads half a lock. */
  beat(): void {
    if (this.dropped) return;
    this.fs.writeSync(this.fd, Buffer.from(JSON.stringify({ ...this.content, heartbeat: Date.now() })), 0, 0);
  }

  /** Asked before every append, so at once: a trip through Node's thread pool costs ten times as much as the `stat`. */
  async isMine(): Promise<boolean> {
    const identity = this.fs.identitySync(this.path);
    if (identity === undefined) return false;
    if (identity === this.identity) return true;
    // file systems over a network may number a file anew
    return (await readLock(this.fs, this.path))?.lock?.token === this.content.token;
  }

  async release(): Promise<void> {
    try {
      if (await this.isMine()) await removeFile(this.fs, this.path);
    } finally {
      await this.drop();
    }
  }

  /** Lets go of a lock that someone else has by now. */
  async drop(): Promise<void> {
    if (this.dropped) return;
    this.dropped = true;
    await this.fs.close(this.fd);
  }
}

/** `lock` is undefined where the text makes no sense (yet). Undefined: there is no lock. */
export async function readLock(
  fs: FileSystem,
  path: string,
): Promise<{ text: string; lock: Lock | undefined } | undefined> {
  const text = (await readOr(fs, path))?.toString("utf8");
  return text === undefined ? undefined : { text, lock: parseLock(text) };
}

function parseLock(text: string): Lock | undefined {
  try {
    return lockSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // just created and still empty, or damaged: its age decides
    return undefined;
  }
}

/**
 * What makes process ids comparable: the same boot and the same process namespace, so that two containers are two machines.
 */
export async function thisMachine(): Promise<string | undefined> {
  if (process.platform !== "linux") return `${process.platform}:${hostname()}`;
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()}:${await readlink("/proc/self/ns/pid")}`;
  } catch {
    // no /proc: only heartbeats count
    return undefined;
  }
}
