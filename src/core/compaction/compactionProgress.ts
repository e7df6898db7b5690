/** How far a compaction is, as live events. */
import type { CompactionReason } from "../../shared/compaction";
import type { AgentEvent, CompactionPhase } from "../../shared/events";
import type { Clock } from "../ports";
import type { CompactionPlan } from "./plan";

export class CompactionProgress {
  readonly startedAt: number;
  /** estimates */
  tokens: { before: number; after?: number } = { before: 0 };
  /** what the provider counts for a token of the estimate, as the meter beside it does */
  factor = 1;
  private rounds: CompactionPlan["rounds"] | undefined;

  constructor(
    private readonly reason: CompactionReason,
    private readonly deps: { clock: Pick<Clock, "now">; emit(event: AgentEvent): void },
  ) {
    this.startedAt = deps.clock.now();
  }

  planned({ tokens, rounds }: CompactionPlan): void {
    this.tokens = { before: this.tokens.before, after: tokens.after };
    this.rounds = rounds;
  }

  counted<T extends { before: number; after?: number }>({ before, after }: T): T;
  counted({ before, after }: { before: number; after?: number }) {
    const of = (tokens: number) => Math.round(tokens * this.factor);
    return { before: of(before), ...(after === undefined ? {} : { after: of(after) }) };
  }

  tell(phase: CompactionPhase, message?: string): void {
    const { reason, startedAt, rounds } = this;
    const tokens = this.counted(this.tokens);
    const more = { ...(rounds ? { rounds } : {}), ...(message ? { message } : {}) };
    this.deps.emit({ type: "compaction", phase, reason, startedAt, tokens, ...more });
  }
}
