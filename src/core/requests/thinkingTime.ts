/** How long a model thought: from the first word of a thought to the first of something else. Words come as they are thought. */
import type { Clock } from "../ports";
import type { StepDelta } from "./answer";

export class ThinkingTime {
  private since: number | undefined;
  private sum: number | undefined;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  hear({ type }: Pick<StepDelta, "type">): void {
    if (type === "reasoning") this.since ??= this.clock.now();
    else this.end();
  }

  /** ms, of all its thoughts; undefined: nobody heard any. */
  end(): number | undefined {
    if (this.since !== undefined) this.sum = (this.sum ?? 0) + this.clock.now() - this.since;
    this.since = undefined;
    return this.sum;
  }
}
