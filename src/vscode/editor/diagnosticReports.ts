/** Which open files checkers have reported on, and waiting until they have. Fed with the editor's events. */
import type { Clock } from "../../core/ground/ports";

/** ms without another report after which a checker counts as done; some report in parts. */
const QUIET_MS = 300;

/** A moment, by the order of events: times in ms do not tell which of two came first. */
export type ReportNumber = number;

interface DocumentReports {
  opened: ReportNumber;
  openedAt: number;
  changed: ReportNumber;
  changedAt: number;
  reported: ReportNumber;
  reportedAt: number;
}

const NEVER = -1;

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
    const opened = this.tick();
    const never = { reported: NEVER, reportedAt: 0 };
    this.files.set(uri, { opened, openedAt: at, changed: opened, changedAt: at, ...never });
  }

  closed(uri: string): void {
    this.files.delete(uri);
  }

  changed(uri: string): void {
    const seen = this.files.get(uri);
    if (!seen) return;
    seen.changed = this.tick();
    seen.changedAt = this.clock.now();
  }

  reported(uri: string): void {
    const seen = this.files.get(uri);
    if (!seen) return;
    seen.reported = this.tick();
    seen.reportedAt = this.clock.now();
    for (const wake of this.waiting.get(uri) ?? []) wake();
  }

  /** Whether a checker has reported on the file since it was opened. */
  hasReport(uri: string): boolean {
    const seen = this.files.get(uri);
    return seen !== undefined && seen.reported > seen.opened;
  }

  /** Whether a checker has reported on the file's current text. */
  isCurrent(uri: string): boolean {
    const seen = this.files.get(uri);
    return seen !== undefined && seen.reported > seen.changed;
  }

  /** ms since the file was opened; 0 for one that is not open. */
  openFor(uri: string): number {
    const seen = this.files.get(uri);
    return seen ? this.clock.now() - seen.openedAt : 0;
  }

  /** ms since its text was opened or changed last; 0 for one that is not open. */
  age(uri: string): number {
    const seen = this.files.get(uri);
    return seen ? this.clock.now() - seen.changedAt : 0;
  }

  /**
   * Waits, at most `maxMs`, until a checker has reported on the file since `since` and since its text changed last (before
   * this call: more typing does not make it wait longer), and has been quiet for a moment. Whether one has; false at
   * once when `signal` is aborted.
   */
  async settled(uri: string, since: ReportNumber, maxMs: number, signal: AbortSignal): Promise<boolean> {
    const end = this.clock.now() + maxMs;
    const floor = Math.max(since, this.files.get(uri)?.changed ?? NEVER);
    while (!signal.aborted) {
      const now = this.clock.now();
      const seen = this.files.get(uri);
      const reported = seen !== undefined && seen.reported > floor;
      const until = reported ? Math.min(end, seen.reportedAt + QUIET_MS) : end;
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

  private tick(): ReportNumber {
    this.moment += 1;
    return this.moment;
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
