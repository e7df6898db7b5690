/** A program that prints without end is held back: nobody can read that much, and the editor has other things to do. */
import type { Clock } from "../ports";

const BYTES_A_SECOND = 8 * 1024 * 1024;

export class Pace {
  private since: number;
  private bytes = 0;

  constructor(private readonly clock: Clock) {
    this.since = clock.now();
  }

  /** Resolves when more may come: at once, below 8 MB a second. */
  async passed(bytes: number): Promise<void> {
    this.bytes += bytes;
    if (this.bytes < BYTES_A_SECOND) return;
    const early = 1000 - (this.clock.now() - this.since);
    if (early > 0) await this.clock.sleep(early);
    this.since = this.clock.now();
    this.bytes = 0;
  }
}
