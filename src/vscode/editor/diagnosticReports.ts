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

const NEVER: Moment = { number: -1, at: 0 };
const UNOPENED = { opened: NEVER, changed: NEVER, reported: NEVER };
/** `next` is aborted with the next report. */
type DocumentReports = typeof UNOPENED & { next: AbortController };

export class DiagnosticReports {
  private moment: ReportNumber = 0;
  private readonly files = new Map<string, DocumentReports>();

  constructor(private readonly clock: Clock) {}

  now(): ReportNumber {
    return this.moment;
  }

  /** @param at ms; of a file that was open before anybody watched: 0 */
  opened(uri: string, at = this.clock.now()): void {
    const opened = this.tick(at);
    this.files.set(uri, { opened, changed: opened, reported: NEVER, next: new AbortController() });
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
    seen.next.abort();
    seen.next = new AbortController();
  }

  private of(uri: string): typeof UNOPENED {
    return this.files.get(uri) ?? UNOPENED;
  }

  /** Whether a checker has reported on the file since it was opened. */
  hasReport = (uri: string): boolean => this.of(uri).reported.number > this.of(uri).opened.number;

  /** Whether a checker has reported on the file's current text. */
  isCurrent = (uri: string): boolean => this.of(uri).reported.number > this.of(uri).changed.number;

  /** ms since the file was opened; 0 for one that is not open. */
  openFor = (uri: string): number => this.since(this.of(uri).opened);

  /** ms since its text was opened or changed last; 0 for one that is not open. */
  age = (uri: string): number => this.since(this.of(uri).changed);

  private since = (moment: Moment): number => (moment === NEVER ? 0 : this.clock.now() - moment.at);

  /**
   * Waits, at most `maxMs`, until a checker has reported on the file since `since` and since its text changed last (before
   * this call: more typing does not make it wait longer), and has been quiet for a moment. Whether one has; false at
   * once when `signal` is aborted.
   */
  async settled(uri: string, since: ReportNumber, maxMs: number, signal: AbortSignal): Promise<boolean> {
    const end = this.clock.now() + maxMs;
    const floor = Math.max(since, this.of(uri).changed.number);
    while (!signal.aborted) {
      const now = this.clock.now();
      const { reported } = this.of(uri);
      const isHeard = reported.number > floor;
      const until = isHeard ? Math.min(end, reported.at + QUIET_MS) : end;
      if (until <= now) return isHeard;
      const next = this.files.get(uri)?.next.signal;
      const ended = AbortSignal.any([signal, ...(next ? [next] : [])]);
      await this.clock.sleep(until - now, ended).catch((error: unknown) => {
        if (!ended.aborted) throw error;
      });
    }
    return false;
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
  /** false: a wait of its whole length was in vain; true: one was heard, which counts for good */
  private readonly heard = new Map<string, boolean>();

  /** ms to wait for a report on a file of a kind (its language, say), `maxMs` at most. */
  limit(kind: string, maxMs: number): number {
    return this.heard.get(kind) === false ? Math.min(SHORT_MS, maxMs) : maxMs;
  }

  /** A checker reported on such a file. */
  report(kind: string): void {
    this.heard.set(kind, true);
  }

  /** A wait of its whole length was in vain. */
  silence(kind: string): void {
    if (!this.heard.has(kind)) this.heard.set(kind, false);
  }
}
