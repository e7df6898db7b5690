/** Looks again when a server says that its lists changed: at once the first time, and ever more rarely where it goes on saying so. */
const FIRST_MS = 1_000;
const MAX_MS = 60_000;

export class PacedLook {
  private wanted = false;
  private looking = false;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = FIRST_MS;
  private lastAt = Number.NEGATIVE_INFINITY;

  /** @param look never rejects */
  constructor(private readonly look: () => Promise<void>) {}

  /** One look follows, however often it is said meanwhile. */
  changed(): void {
    this.wanted = true;
    if (this.looking || this.timer) return;
    const quiet = performance.now() - this.lastAt;
    // Nothing was said for a good while: it is no habit.
    this.pauseMs = quiet > this.pauseMs * 4 ? FIRST_MS : Math.min(this.pauseMs * 2, MAX_MS);
    const wait = quiet >= this.pauseMs ? 0 : this.pauseMs - quiet;
    this.timer = setTimeout(() => void this.run(), wait).unref();
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wanted = false;
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    this.wanted = false;
    this.looking = true;
    await this.look();
    this.looking = false;
    this.lastAt = performance.now();
    if (this.wanted) this.changed();
  }
}
