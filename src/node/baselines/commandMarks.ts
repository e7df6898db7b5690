/**
 * Which sessions run a command at this time, in whichever window: a file each beside the baselines. What two commands did at the
 * same time cannot be told apart.
 */
import { randomUUID } from "node:crypto";
import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Timer, WallClock } from "../../core/ground/ports";
import { unlessMissing } from "../errno";
import { isProcessAlive } from "../processes";

/** ms: no command began before what ended so long ago */
const OLD = 24 * 3_600_000;
/** ms between the signs of life of a command */
const BEAT = 10_000;
/** ms without one: its session was ended, and another process may have its number by now */
const SILENT = 60_000;

export class CommandMarks {
  private readonly name = `command-${process.pid}-${randomUUID()}`;
  private running = 0;
  /** calls the next sign of life off */
  private beat: (() => void) | undefined;

  /** @param folder where all sessions have theirs, existing */
  constructor(
    private readonly folder: string,
    private readonly clock: WallClock & Timer,
  ) {}

  /** Never rejects: without a mark the others only know less. */
  begin(): Promise<void> {
    this.running += 1;
    if (!this.beat) this.beatLater();
    return this.mark();
  }

  end(): Promise<void> {
    this.running -= 1;
    if (this.running === 0) {
      this.beat?.();
      this.beat = undefined;
    }
    return this.mark();
  }

  private beatLater(): void {
    const beat = () => {
      const now = new Date(this.clock.now());
      utimes(join(this.folder, this.name), now, now).catch(() => undefined);
      this.beatLater();
    };
    this.beat = this.clock.after(BEAT, beat, "aside");
  }

  private async mark(): Promise<void> {
    const state = this.running > 0 ? "running" : "ended";
    await writeFile(join(this.folder, this.name), state, { mode: 0o600 }).catch(() => undefined);
  }

  /** Another session's command ran at a time since then, or still does. Never rejects. @param since ms since the epoch */
  async othersSince(since: number): Promise<boolean> {
    const names = await readdir(this.folder).catch(() => []);
    const others = names.filter(name => name.startsWith("command-") && name !== this.name);
    const found = await Promise.all(others.map(name => this.ranSince(name, since).catch(() => false)));
    return found.includes(true);
  }

  private async ranSince(name: string, since: number): Promise<boolean> {
    const path = join(this.folder, name);
    const stats = await unlessMissing(stat(path), undefined);
    if (!stats) return false;
    const isHeard = stats.size === "running".length && this.clock.now() - stats.mtimeMs < SILENT;
    const isRunning = isHeard && isProcessAlive(Number(/^command-(\d+)/.exec(name)?.[1] ?? 0));
    if (isRunning || stats.mtimeMs >= since) return true;
    if (this.clock.now() - stats.mtimeMs > OLD) await rm(path, { force: true });
    return false;
  }
}
