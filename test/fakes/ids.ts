import type { Ids } from "../../src/core/ground/ports";

/** `msg_1`, `run_2`, `msg_3`: what follows the prefix is unique by itself, as the real ones are (an answer's id is made of its request's). */
export class FakeIds implements Ids {
  private count = 0;

  next(prefix: string): string {
    return `${prefix}_${++this.count}`;
  }
}
