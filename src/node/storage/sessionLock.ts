/**
 * One writer per session, also over remotes and containers. A window without the lock polls, and takes over when the lock is
 * gone or abandoned: its process is dead, or its heartbeat stopped. (C-152)
 */
import { randomUUID } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Clock } from "../../core/ground/ports";
import { parseJson } from "../../shared/isObject";
import { readOr, removeFile, takeGuard } from "../disk";
import { errno, unlessMissing } from "../errno";
import type { FileSystem } from "../fileSystem";
import { isProcessAlive } from "../processes";

export interface LockTimes {
  /** ms between two heartbeats */
  heartbeatMs: number;
  /** ms without a heartbeat after which a lock counts as left */
  staleMs: number;
  /** ms between two looks of a window that waits */
  pollMs: number;
}

export interface LockTiming {
  times: LockTimes;
  clock: Clock;
}

export const LOCK_TIMES: LockTimes = { heartbeatMs: 5000, staleMs: 15_000, pollMs: 2000 };

/** How often `staleMs` a lock of a machine with this name, but of another boot, may stand still before it counts as left. */
const LONG_STALE = 4;

export class SessionLock {
  /** Its folder is not there any more: the session was deleted. */
  isGone = false;
  private held: HeldLock | undefined;
  /** calls the next look off */
  private timer: (() => void) | undefined;
  /** the other's lock as it was seen last, and since when it has not changed, by the steady clock */
  private seen: { text: string; since: number } | undefined;
  /** the other is a process of this machine, and it lives */
  private otherLives = false;
  private readonly times: LockTimes;
  private readonly clock: Clock;

  /** @param onChange awaited before anything is written with a lock that was won */
  constructor(
    private readonly fs: FileSystem,
    private readonly folder: string,
    { times, clock }: LockTiming,
    private readonly onChange: (held: boolean) => Promise<void>,
  ) {
    this.times = times;
    this.clock = clock;
  }

  get isHeld(): boolean {
    return this.held !== undefined;
  }

  /** Takes the lock if it is free, and from then on keeps it or waits for it: also when this rejects. */
  async start(): Promise<void> {
    try {
      this.held = await this.acquire();
    } finally {
      this.schedule();
    }
  }

  /**
   * As `start`, and waits until it is known whether the other still works: at once on the same machine; else, also after this
   * one was started anew, for a heartbeat of it. `isHeld` says how it ended.
   */
  async startSurely(): Promise<void> {
    await this.start();
    const found = this.seen?.text;
    // Twice the time that is needed: on a busy machine looks come late.
    const end = this.clock.steady() + 2 * this.times.staleMs + 5 * this.times.pollMs;
    while (!this.isHeld && !this.otherLives && this.seen?.text === found && this.clock.steady() < end) {
      await this.clock.sleep(this.times.pollMs);
    }
  }

  /** Before each write. False: it was lost; `onChange` has been told. */
  async check(): Promise<boolean> {
    const { held } = this;
    if (!held) return false;
    if (await held.isMine()) return true;
    await this.lose(held);
    return false;
  }

  async stop(): Promise<void> {
    this.timer?.();
    this.timer = undefined;
    const { held } = this;
    this.held = undefined;
    await held?.release();
  }

  /**
   * Closes the lock's file and leaves it standing, so that its folder can be moved away: Windows moves none with an open file
   * in it. `stop` comes after.
   */
  async park(): Promise<void> {
    this.timer?.();
    this.timer = undefined;
    await this.held?.drop();
  }

  private schedule(): void {
    const ms = this.held ? this.times.heartbeatMs : this.times.pollMs;
    this.timer = this.clock.after(ms, () => void this.tick(), "aside");
  }

  private async tick(): Promise<void> {
    const { timer } = this;
    try {
      if (this.held) {
        if (await this.check()) this.held?.beat();
      } else {
        const won = await this.acquire();
        if (won && this.timer !== timer) await won.release();
        else if (won) await this.win(won);
        else this.isGone = false;
      }
    } catch {
      // The disk did not answer: the next tick asks again. Until then writing is safe, since each write checks.
      if (!this.held && this.timer === timer) await this.lookWhetherGone();
    }
    if (this.timer === timer) this.schedule();
  }

  /** Tells once that the session was deleted. */
  private async lookWhetherGone(): Promise<void> {
    const wasGone = this.isGone;
    this.isGone = await this.isFolderMissing();
    if (this.isGone && !wasGone) await this.onChange(false);
  }

  private async isFolderMissing(): Promise<boolean> {
    const there = unlessMissing(this.fs.stat(this.folder), undefined);
    return (await there.catch(() => "unknown")) === undefined;
  }

  private async win(lock: HeldLock): Promise<void> {
    this.held = lock;
    this.isGone = false;
    this.seen = undefined;
    await this.onChange(true);
  }

  private async lose(lock: HeldLock): Promise<void> {
    if (this.held !== lock) return;
    this.held = undefined;
    await lock.drop();
    this.isGone = await this.isFolderMissing();
    await this.onChange(false);
    if (!this.timer) return;
    // Who waits looks more often than who holds it beats.
    this.timer?.();
    this.schedule();
  }

  private async acquire(): Promise<HeldLock | undefined> {
    const created = await HeldLock.create(this.fs, this.folder, this.clock);
    if (created) return created;
    const found = await readLock(this.fs, lockPath(this.folder));
    if (!found || !(await this.isLeft(found))) return undefined;
    return this.takeOver(found.text);
  }

  private async isLeft({ text, lock, writtenAt }: FoundLock): Promise<boolean> {
    if (this.seen?.text !== text) this.seen = { text, since: this.clock.steady() };
    if (this.clock.steady() - this.seen.since > this.times.staleMs) return true;
    // It says nothing of its holder: no program that ends before the time is over could ever take it.
    if (!lock) return Math.abs(this.clock.now() - writtenAt) > this.times.staleMs;
    if (!lock.machine || lock.machine !== (await thisMachine())) {
      // The PID is from another boot or container: trust the heartbeat, not the PID.
      return lock.host === hostname() && Math.abs(this.clock.now() - writtenAt) > this.times.staleMs * LONG_STALE;
    }
    this.otherLives = isProcessAlive(lock.pid) && this.clock.now() - lock.heartbeat <= this.times.staleMs;
    return !this.otherLives;
  }

  /** Of several who see the same dead lock one may replace it: the one who can create the guard. */
  private async takeOver(text: string): Promise<HeldLock | undefined> {
    const guard = join(this.folder, "lock.takeover");
    if (!(await takeGuard(this.fs, guard, this.times.staleMs, this.clock))) return undefined;
    try {
      const now = await readLock(this.fs, lockPath(this.folder));
      return now?.text === text ? await HeldLock.replace(this.fs, this.folder, this.clock) : undefined;
    } finally {
      await removeFile(this.fs, guard);
    }
  }
}

// The lock file of one session: a token, and a heartbeat that shows that its holder lives.

const lockSchema = z.object({
  token: z.string(),
  pid: z.int(),
  host: z.string(),
  /** Where this is the same, process ids mean the same; absent: not known. */
  machine: z.string().optional(),
  /** ms since the epoch, by the holder's clock */
  heartbeat: z.number(),
});
type Lock = z.infer<typeof lockSchema>;

const lockPath = (folder: string) => join(folder, "lock.json");

/** A lock that this process took. Its descriptor stays open, so no other file can come by its inode. */
class HeldLock {
  /** The descriptor is closed: its number may be another file's by now. */
  private dropped = false;

  private constructor(
    private readonly fs: FileSystem,
    private readonly path: string,
    private readonly fd: number,
    private readonly identity: string,
    private readonly content: Omit<Lock, "heartbeat">,
    private readonly clock: Clock,
  ) {}

  /** undefined: there is a lock already */
  static async create(fs: FileSystem, folder: string, clock: Clock): Promise<HeldLock | undefined> {
    try {
      return await HeldLock.write(fs, lockPath(folder), lockPath(folder), clock);
    } catch (error) {
      if (errno(error) === "EEXIST") return undefined;
      throw error;
    }
  }

  /** Takes the place of a lock that was left: only for the one who has the right to (`takeover`). */
  static async replace(fs: FileSystem, folder: string, clock: Clock): Promise<HeldLock> {
    const temporary = join(folder, `.lock-${randomUUID()}.tmp`);
    try {
      const lock = await HeldLock.write(fs, temporary, lockPath(folder), clock);
      await fs.rename(temporary, lockPath(folder));
      return lock;
    } finally {
      await removeFile(fs, temporary);
    }
  }

  private static async write(fs: FileSystem, at: string, path: string, clock: Clock): Promise<HeldLock> {
    const fd = await fs.open(at, "wx");
    const machine = await thisMachine();
    const content = { token: randomUUID(), pid: process.pid, host: hostname(), ...(machine && { machine }) };
    const lock = new HeldLock(fs, path, fd, (await fs.fstat(fd)).identity, content, clock);
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

  /** Always the same number of bytes, over the old ones, so that half a lock is never read. */
  beat(): void {
    if (this.dropped) return;
    this.fs.writeSync(this.fd, Buffer.from(JSON.stringify({ ...this.content, heartbeat: this.clock.now() })), 0, 0);
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

interface FoundLock {
  text: string;
  /** undefined: the text makes no sense (yet) */
  lock: Lock | undefined;
  /** ms since the epoch, by the disk's clock */
  writtenAt: number;
}

async function readLock(fs: FileSystem, path: string): Promise<FoundLock | undefined> {
  const stats = await unlessMissing(fs.stat(path), undefined);
  if (!stats) return undefined;
  const { mtimeMs: writtenAt } = stats;
  const text = (await readOr(fs, path))?.toString("utf8");
  if (text === undefined) return undefined;
  // Just created and still empty, or damaged: its age decides.
  return { text, lock: lockSchema.safeParse(parseJson(text)).data, writtenAt };
}

/**
 * What makes process ids comparable: the same boot and the same process namespace, so that two containers are two machines.
 */
async function thisMachine(): Promise<string | undefined> {
  if (process.platform !== "linux") return `${process.platform}:${hostname()}`;
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()}:${await readlink("/proc/self/ns/pid")}`;
  } catch {
    // no /proc: only heartbeats count
    return undefined;
  }
}
