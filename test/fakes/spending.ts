/** What days cost, in memory. */
import type { Spending } from "../../src/core/ground/ports";

export class MemorySpending implements Spending {
  readonly entries: { ts: number; cost: number }[] = [];

  async add(entry: { ts: number; cost: number }): Promise<void> {
    this.entries.push(entry);
  }

  async since(ts: number, now: number): Promise<number> {
    const isToday = (each: number) => new Date(each).toDateString() === new Date(now).toDateString();
    return this.entries.reduce((sum, entry) => sum + (entry.ts > ts && isToday(entry.ts) ? entry.cost : 0), 0);
  }
}
