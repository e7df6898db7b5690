/** How a run ended, from its events to an exit code (docs/runs.md). */
import type { waitingFor } from "../core/agent/questions";
import type { AgentEvent, CompactionPhase } from "../shared/events";
import { listed } from "../shared/format";
import { t } from "../shared/l10n";
import type { RecordOf } from "../shared/records";
import type { RunResult } from "../shared/runResult";
import { visibleLine } from "../shared/shown";
import { EXIT } from "./output";

export type OpenQuestion = NonNullable<ReturnType<typeof waitingFor>>;

/** What a slash command leaves in the log. */
const DOINGS: readonly string[] = ["compaction", "undo", "redo", "rewind"];

/** What events say of how it went. */
export class RunOutcome {
  /** of the newest compaction */
  phase: CompactionPhase | undefined;
  cancelled = false;
  /** a slash command did something */
  hasDone = false;
  private end: RecordOf<"turnEnd"> | undefined;
  private failed = false;
  /** what waits for an answer when the run ends */
  waiting: OpenQuestion | undefined;
  /** background tasks that ended with the run */
  cutOff: string[] = [];
  /** it was stopped before it began */
  isCutShort = false;
  /** its minutes are not over */
  isInTime = true;
  /** another process has its session by now */
  isLost = false;
  /** titles of calls that could not be allowed */
  private readonly unanswered = new Set<string>();

  take(event: AgentEvent): void {
    if (event.type === "failure") this.failed = true;
    if (event.type === "record" && event.record.kind === "turnEnd") this.end = event.record;
    if (event.type === "record" && DOINGS.includes(event.record.kind)) this.hasDone = true;
    if (event.type === "record" && event.record.kind === "rewind" && event.record.cutOff) this.failed = true;
    if (event.type === "record" && event.record.kind === "approval" && event.record.answer?.by === "nobody")
      this.unanswered.add(visibleLine(event.record.action.title.replace(/\?$/, "")));
    if (event.type !== "compaction") return;
    this.phase = event.phase;
    if (event.phase === "planning") this.cancelled = false;
  }

  /** Of a compaction that failed, events have said why. */
  async follow(compaction: Promise<void>): Promise<void> {
    try {
      await compaction;
    } catch (error) {
      if (this.phase !== "failed") throw error;
      this.failed = true;
    }
  }

  /** which limit ended the run */
  get limit(): RunResult["limit"] {
    if (!this.isInTime) return "minutes";
    const code = this.end?.reason === "limit" ? (this.end.error?.code ?? "") : "";
    if (code === "max-steps") return "steps";
    if (code === "max-tokens-run") return "tokens";
    return code.startsWith("max-cost") ? "cost" : undefined;
  }

  /** @param compacted there need not have been a turn */
  exitCode(compacted: boolean): number {
    if (this.isLost) return EXIT.later;
    if (this.isCutShort) return EXIT.stopped;
    if (this.failed) return EXIT.error;
    if (this.limit) return EXIT.limit;
    if (this.waiting) return EXIT.approval;
    if (compacted && !this.end) return this.phase === "cancelled" ? EXIT.stopped : EXIT.done;
    return this.wentOnWithout ? EXIT.approval : exitCode(this.end);
  }

  /** Calls that could not be allowed in a turn that ended well. */
  get wentOnWithout(): string | undefined {
    const isOver = this.end?.reason === "done" || this.end?.reason === "limit";
    return isOver && this.unanswered.size > 0 ? needsApproval(listed([...this.unanswered], MAX_TOLD)) : undefined;
  }
}

function exitCode(end: RecordOf<"turnEnd"> | undefined): number {
  if (end?.reason === "done") return EXIT.done;
  if (end?.reason === "stopped") return EXIT.stopped;
  if (LATER.includes(end?.error?.code ?? "")) return EXIT.later;
  return EXIT.error;
}

/** What the same request may not meet another time: the provider's limits and faults, and the way to it. */
const LATER = ["rate-limit", "server", "timeout", "cut", "refused"];

/** @param what the calls that needed an approval */
const needsApproval = (what: string): string =>
  t(
    "Nobody was there to allow: {0}. Run it where you can answer: in a terminal or in the editor, or with --json, where it waits. What a mode allows does not ask (--mode edits, --mode auto), but protected files always do.",
    what,
  );

/** what a run went without, at most */
const MAX_TOLD = 5;
