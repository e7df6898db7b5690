import type { Ids } from "../../src/core/ports";

/** `msg_1`, `msg_2`, `run_1`: a count for each prefix. */
export class FakeIds implements Ids {
  private readonly counts = new Map<string, number>();

  next(prefix: string): string {
    const count = (this.counts.get(prefix) ?? 0) + 1;
    this.counts.set(prefix, count);
    return `${prefix}_${count}`;
  }
}
