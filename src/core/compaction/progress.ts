/** How far a compaction is, as live events. */
import type { CompactionReason } from "../../shared/compaction";
import type { AgentEvent, CompactionPhase } from "../../shared/events";
import type { Clock } from "../ports";
import type { CompactionPlan } from "./plan";

export class Progress {
  readonly startedAt: number;
  tokens: { before: number; after?: number } = { before: 0 };
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

  tell(phase: CompactionPhase, message?: string): void {
    const { reason, startedAt, tokens, rounds } = this;
    const more = { ...(rounds ? { rounds } : {}), ...(message ? { message } : {}) };
    this.deps.emit({ type: "compaction", phase, reason, startedAt, tokens, ...more });
  }
}
