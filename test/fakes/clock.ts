import type { Clock } from "../../src/core/ports";

/** A clock that stands still until a test moves it. Sleepers wake in the order of their times. */
export class FakeClock implements Clock {
  private sleepers: { at: number; wake: () => void }[] = [];

  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  /** How many are asleep. */
  get waiting(): number {
    return this.sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: this.time + ms, wake: resolve };
      this.sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.sleepers = this.sleepers.filter(other => other !== sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Moves time on and wakes whoever is due; what they do then has run when this resolves. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const next = this.sleepers.filter(sleeper => sleeper.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.sleepers = this.sleepers.filter(other => other !== next);
      this.time = Math.max(this.time, next.at);
      next.wake();
      await new Promise(resolve => setImmediate(resolve));
    }
    this.time = end;
  }
}
