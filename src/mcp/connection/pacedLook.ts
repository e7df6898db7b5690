import type { Clock } from "../../core/ports";

/** Looks again when a server says that its lists changed: at once the first time, and ever more rarely where it goes on saying so. */
const FIRST_MS = 1_000;
const MAX_MS = 60_000;

export class PacedLook {
  private wanted = false;
  private looking = false;
  /** calls the next look off */
  private timer: (() => void) | undefined;
  private pauseMs = FIRST_MS;
  private lastAt = Number.NEGATIVE_INFINITY;

  /** @param look never rejects */
  constructor(
    private readonly look: () => Promise<void>,
    private readonly clock: Clock,
  ) {}

  /** One look follows, however often it is said meanwhile. */
  changed(): void {
    this.wanted = true;
    if (this.looking || this.timer) return;
    const quiet = this.clock.steady() - this.lastAt;
    // Nothing was said for a good while: it is no habit.
    this.pauseMs = quiet > this.pauseMs * 4 ? FIRST_MS : Math.min(this.pauseMs * 2, MAX_MS);
    const wait = quiet >= this.pauseMs ? 0 : this.pauseMs - quiet;
    this.timer = this.clock.after(wait, () => void this.run(), "aside");
  }

  end(): void {
    this.timer?.();
    this.timer = undefined;
    this.wanted = false;
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    this.wanted = false;
    this.looking = true;
    await this.look();
    this.looking = false;
    this.lastAt = this.clock.steady();
    if (this.wanted) this.changed();
  }
}
