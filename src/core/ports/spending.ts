/** What models cost the person, over all sessions and windows (docs/formats.md). */
export interface Spending {
  /** Of one request. @param entry `ts`: ms since the epoch; `cost`: US dollars */
  add(entry: { ts: number; cost: number }): Promise<void>;
  /** US dollars of all requests of the day of `now` after `ts`, by the clock on the wall. */
  since(ts: number, now: number): Promise<number>;
}
