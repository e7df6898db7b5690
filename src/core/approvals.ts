/**
 * Questions to the person. A question is a record when it is asked and another when it is answered, so that the log says
 * who allowed what; Stop answers no.
 */
import type { ApprovalAction, ApprovalAnswer } from "../shared/records";
import type { History } from "./history/history";
import type { Ids } from "./ports";

export class Approvals {
  private readonly waiting = new Map<string, (answer: ApprovalAnswer) => void>();

  constructor(
    private readonly history: History,
    private readonly ids: Ids,
    /** false: nobody is there to answer (a terminal without a person) */
    private readonly attended: boolean,
    private readonly onChange: () => void,
  ) {}

  get open(): number {
    return this.waiting.size;
  }

  /** Resolves with the answer, which is on disk by then. */
  async ask(action: ApprovalAction, signal: AbortSignal): Promise<ApprovalAnswer> {
    const approvalId = this.ids.next("apr");
    // The waiter stands before the question is told: who hears the record may answer at once.
    const waiter = this.wait(approvalId, signal);
    try {
      await this.history.append({ kind: "approval", approvalId, action });
    } catch (error) {
      this.answer(approvalId, { decision: "deny", scope: "once", by: "stop" });
      throw error;
    }
    const answer = await waiter;
    await this.history.append({ kind: "approval", approvalId, action, answer });
    return answer;
  }

  private wait(approvalId: string, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (!this.attended) return Promise.resolve({ decision: "deny", scope: "once", by: "nobody" });
    return new Promise(resolve => {
      const settle = (answer: ApprovalAnswer) => {
        signal.removeEventListener("abort", stop);
        this.waiting.delete(approvalId);
        this.onChange();
        resolve(answer);
      };
      const stop = () => settle({ decision: "deny", scope: "once", by: "stop" });
      this.waiting.set(approvalId, settle);
      signal.addEventListener("abort", stop);
      this.onChange();
      if (signal.aborted) stop();
    });
  }

  /** @returns false where the question is not open any more (answered, stopped) */
  answer(approvalId: string, answer: ApprovalAnswer): boolean {
    const settle = this.waiting.get(approvalId);
    settle?.(answer);
    return settle !== undefined;
  }
}
