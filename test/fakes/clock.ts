import type { Clock } from "../../src/core/ground/ports";
import { eventually } from "./eventually";

interface Due {
  /** by the steady clock */
  at: number;
  /** Somebody sleeps; else it is a call for later. */
  sleeps: boolean;
  wake(): void;
}

/** A clock that stands still until a test moves it. Whoever is due wakes in the order of their times. */
export class FakeClock implements Clock {
  private due: Due[] = [];
  private passed = 0;

  /** @param time of the wall clock, ms since the epoch */
  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  steady(): number {
    return this.passed;
  }

  /** The user, or the net, sets the wall clock: nobody sleeps longer or shorter for it. */
  set(time: number): void {
    this.time = time;
  }

  /** How many are asleep. */
  get waiting(): number {
    return this.due.filter(({ sleeps }) => sleeps).length;
  }

  /** How many calls are to come. */
  get calls(): number {
    return this.due.length - this.waiting;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.add(ms, true, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** No process stays alive for it anyhow. */
  after(ms: number, call: () => void, _aside?: "aside"): () => void {
    return this.add(ms, false, call);
  }

  /** Moves time on and wakes whoever is due; what they do then at once has run when this resolves. */
  async advance(ms: number): Promise<void> {
    const end = this.passed + ms;
    for (let next = this.next(end); next; next = this.next(end)) {
      this.moveTo(Math.max(this.passed, next.at));
      this.due = this.due.filter(other => other !== next);
      next.wake();
      await new Promise(resolve => setImmediate(resolve));
    }
    this.moveTo(end);
  }

  /** Waits until so many are asleep. */
  async asleep(count = 1): Promise<void> {
    await eventually(`${count} asleep`, () => this.waiting >= count, { saw: () => `${this.waiting} asleep` });
  }

  /**
   * Lets `ms` pass for those that sleep or are called again and again, and work with files and the like in between: each time
   * moves on to the next of them, once there are `count` of them again.
   */
  async pass(ms: number, count = 1): Promise<void> {
    const end = this.passed + ms;
    const all = () => this.due.length >= count;
    const saw = () => `${this.due.length} of ${count}`;
    await eventually("those who sleep or wait for a call", all, { saw });
    for (let next = this.next(end); next; next = this.next(end)) {
      await this.advance(Math.max(0, next.at - this.passed));
      await eventually("those who sleep or wait for a call", all, { saw });
    }
    this.moveTo(end);
  }

  /** Moves on, from one who is due to the next, until `look` finds something: for as long as that takes. */
  async until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
    let found: T | undefined;
    await eventually(what, async () => {
      found = (await look()) || undefined;
      if (found) return true;
      const next = this.next(Number.POSITIVE_INFINITY);
      if (next) await this.advance(Math.max(0, next.at - this.passed));
      return false;
    });
    return found as NonNullable<T>;
  }

  private add(ms: number, sleeps: boolean, wake: () => void): () => void {
    const one = { at: this.passed + ms, sleeps, wake };
    this.due.push(one);
    return () => {
      this.due = this.due.filter(other => other !== one);
    };
  }

  private next(end: number): Due | undefined {
    return this.due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }

  private moveTo(passed: number): void {
    this.time += passed - this.passed;
    this.passed = passed;
  }
}
