/**
 * One writer per session, also over remotes and containers. Whoever does not hold the lock looks again and again, and takes
 * over when it is gone or was left: its process is known to be dead, or its heartbeat stands still.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errno, isMissing } from "../errno";
import { removeFile } from "./disk";
import type { FileSystem } from "./fileSystem";
import { HeldLock, type Lock, lockPath, readLock, thisMachine } from "./lockFile";

export interface LockTimes {
  /** ms between two heartbeats */
  heartbeatMs: number;
  /** ms without a heartbeat after which a lock counts as left */
  staleMs: number;
  /** ms between two looks of a window that waits */
  pollMs: number;
}

export const LOCK_TIMES: LockTimes = { heartbeatMs: 5000, staleMs: 15_000, pollMs: 2000 };

export class SessionLock {
  private held: HeldLock | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** the other's lock as it was seen last, and since when it has not changed (this process's own clock) */
  private seen: { text: string; since: number } | undefined;
  /** the other is a process of this machine, and it lives */
  private otherLives = false;

  /** @param onChange awaited before anything is written with a lock that was won */
  constructor(
    private readonly fs: FileSystem,
    private readonly folder: string,
    private readonly times: LockTimes,
    private readonly onChange: (held: boolean) => Promise<void>,
  ) {}

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
    const end = performance.now() + 2 * this.times.staleMs + 5 * this.times.pollMs;
    while (!this.isHeld && !this.otherLives && this.seen?.text === found && performance.now() < end) {
      await delay(this.times.pollMs);
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
    clearTimeout(this.timer);
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
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.held?.drop();
  }

  private schedule(): void {
    this.timer = setTimeout(() => this.tick(), this.held ? this.times.heartbeatMs : this.times.pollMs);
    this.timer.unref();
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
      }
    } catch {
      // The disk did not answer: the next tick asks again. Until then writing is safe, since each write checks.
    }
    if (this.timer === timer) this.schedule();
  }

  private async win(lock: HeldLock): Promise<void> {
    this.held = lock;
    this.seen = undefined;
    await this.onChange(true);
  }

  private async lose(lock: HeldLock): Promise<void> {
    if (this.held !== lock) return;
    this.held = undefined;
    await lock.drop();
    await this.onChange(false);
    if (!this.timer) return;
    // Who waits looks more often than who holds it beats.
    clearTimeout(this.timer);
    this.schedule();
  }

  private async acquire(): Promise<HeldLock | undefined> {
    const created = await HeldLock.create(this.fs, this.folder);
    if (created) return created;
    const found = await readLock(this.fs, lockPath(this.folder));
    if (!found || !(await this.isLeft(found))) return undefined;
    return this.takeOver(found.text);
  }

  private async isLeft({ text, lock }: { text: string; lock: Lock | undefined }): Promise<boolean> {
    if (this.seen?.text !== text) this.seen = { text, since: performance.now() };
    if (performance.now() - this.seen.since > this.times.staleMs) return true;
    if (!lock?.machine || lock.machine !== (await thisMachine())) return false;
    this.otherLives = isAlive(lock.pid) && Date.now() - lock.heartbeat <= this.times.staleMs;
    return !this.otherLives;
  }

  /** Of several who see the same dead lock one may replace it: the one who can create the guard. */
  private async takeOver(text: string): Promise<HeldLock | undefined> {
    const guard = join(this.folder, "lock.takeover");
    try {
      await this.fs.close(await this.fs.open(guard, "wx"));
    } catch (error) {
      if (errno(error) !== "EEXIST") throw error;
      await this.removeOldGuard(guard);
      return undefined;
    }
    try {
      const now = await readLock(this.fs, lockPath(this.folder));
      return now?.text === text ? await HeldLock.replace(this.fs, this.folder) : undefined;
    } finally {
      await removeFile(this.fs, guard);
    }
  }

  /** One who died while taking over must not block the session for ever. */
  private async removeOldGuard(guard: string): Promise<void> {
    try {
      const { mtimeMs } = await this.fs.stat(guard);
      // of the future: the clock was set back since
      if (Math.abs(Date.now() - mtimeMs) > this.times.staleMs) await removeFile(this.fs, guard);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) !== "ESRCH";
  }
}
