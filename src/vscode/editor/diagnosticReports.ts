/** Which open files checkers have reported on, and waiting until they have. Fed with the editor's events. */
import type { Clock } from "../../core/ground/ports";

/** ms without another report after which a checker counts as done; some report in parts. */
const QUIET_MS = 300;

/** A moment, by the order of events: times in ms do not tell which of two came first. */
export type ReportNumber = number;

interface Moment {
  number: ReportNumber;
  /** ms */
  at: number;
}

interface DocumentReports {
  opened: Moment;
  changed: Moment;
  reported: Moment;
}

const NEVER: Moment = { number: -1, at: 0 };

export class DiagnosticReports {
  private moment: ReportNumber = 0;
  private readonly files = new Map<string, DocumentReports>();
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly clock: Clock) {}

  now(): ReportNumber {
    return this.moment;
  }

  /** @param at ms; of a file that was open before anybody watched: 0 */
  opened(uri: string, at = this.clock.now()): void {
    const opened = this.tick(at);
    this.files.set(uri, { opened, changed: opened, reported: NEVER });
  }

  closed(uri: string): void {
    this.files.delete(uri);
  }

  changed(uri: string): void {
    const seen = this.files.get(uri);
    if (seen) seen.changed = this.tick();
  }

  reported(uri: string): void {
    const seen = this.files.get(uri);
    if (!seen) return;
    seen.reported = this.tick();
    for (const wake of this.waiting.get(uri) ?? []) wake();
  }

  /** Whether a checker has reported on the file since it was opened. */
  hasReport(uri: string): boolean {
    const seen = this.files.get(uri);
    return seen !== undefined && seen.reported.number > seen.opened.number;
  }

  /** Whether a checker has reported on the file's current text. */
  isCurrent(uri: string): boolean {
    const seen = this.files.get(uri);
    return seen !== undefined && seen.reported.number > seen.changed.number;
  }

  /** ms since the file was opened; 0 for one that is not open. */
  openFor(uri: string): number {
    const seen = this.files.get(uri);
    return seen ? this.clock.now() - seen.opened.at : 0;
  }

  /** ms since its text was opened or changed last; 0 for one that is not open. */
  age(uri: string): number {
    const seen = this.files.get(uri);
    return seen ? this.clock.now() - seen.changed.at : 0;
  }

  /**
   * Waits, at most `maxMs`, until a checker has reported on the file since `since` and since its text changed last (before
   * this call: more typing does not make it wait longer), and has been quiet for a moment. Whether one has; false at
   * once when `signal` is aborted.
   */
  async settled(uri: string, since: ReportNumber, maxMs: number, signal: AbortSignal): Promise<boolean> {
    const end = this.clock.now() + maxMs;
    const floor = Math.max(since, (this.files.get(uri)?.changed ?? NEVER).number);
    while (!signal.aborted) {
      const now = this.clock.now();
      const seen = this.files.get(uri);
      const reported = seen !== undefined && seen.reported.number > floor;
      const until = reported ? Math.min(end, seen.reported.at + QUIET_MS) : end;
      if (until <= now) return reported;
      await this.sleep(uri, until - now, signal);
    }
    return false;
  }

  /** Until the next report, `ms` at most. */
  private async sleep(uri: string, ms: number, signal: AbortSignal): Promise<void> {
    const wake = new AbortController();
    const wakeUp = () => wake.abort();
    const sleepers = this.waiting.get(uri) ?? new Set();
    this.waiting.set(uri, sleepers.add(wakeUp));
    const ended = AbortSignal.any([signal, wake.signal]);
    try {
      await this.clock.sleep(ms, ended);
    } catch (error) {
      if (!ended.aborted) throw error;
    } finally {
      sleepers.delete(wakeUp);
      if (sleepers.size === 0 && this.waiting.get(uri) === sleepers) this.waiting.delete(uri);
    }
  }

  private tick(at = this.clock.now()): Moment {
    this.moment += 1;
    return { number: this.moment, at };
  }
}

/** ms for a kind of file of which no checker was ever heard */
const SHORT_MS = 250;

/** How long it is worth to wait for a checker: files that none looks at must not cost every edit the whole wait. */
export class CheckerWait {
  private readonly heard = new Set<string>();
  private readonly silent = new Set<string>();

  /** ms to wait for a report on a file of a kind (its language, say), `maxMs` at most. */
  limit(kind: string, maxMs: number): number {
    return this.silent.has(kind) && !this.heard.has(kind) ? Math.min(SHORT_MS, maxMs) : maxMs;
  }

  /** A checker reported on such a file. */
  report(kind: string): void {
    this.heard.add(kind);
  }

  /** A wait of its whole length was in vain. */
  silence(kind: string): void {
    this.silent.add(kind);
  }
}
