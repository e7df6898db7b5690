/** How long it is worth to wait for a checker: files that none looks at must not cost every edit the whole wait. */

/** ms for a kind of file of which no checker was ever heard */
const SHORT_MS = 250;

export class CheckerWait {
  private readonly heard = new Set<string>();
  private readonly silent = new Set<string>();

  /** ms to wait for a report on a file of a kind (its language, say), `maxMs` at most. */
  limit(kind: string, maxMs: number): number {
    return this.silent.has(kind) && !this.heard.has(kind) ? Math.min(SHORT_MS, maxMs) : maxMs;
  }

  /** A checker reported on such a file, whoever waited. */
  report(kind: string): void {
    this.heard.add(kind);
  }

  /** A wait of its whole length was in vain. */
  silence(kind: string): void {
    this.silent.add(kind);
  }
}
