/**
 * Questions to the person. A question is a record when it is asked and another when it is answered, so that the log says
 * who allowed what, and what they changed of it; Stop answers no. One that waits outlives its process: where the session is
 * opened again its call is prepared and asked anew.
 */

import { type ApprovalAction, type ApprovalAnswer, approvalActionSchema } from "../../shared/approval";
import type { AgentEvent } from "../../shared/events";
import { t } from "../../shared/l10n";
import type { Redact } from "../../shared/redacted";
import { editedProposal, isSameText } from "../changes/edits/proposalRevision";
import type { Ids } from "../ground/ports";
import { askedAbout } from "../log/conversation";
import type { History } from "../log/history";
import type { Proposal } from "../tool/tool";
import { TurnSuspended } from "./questions";

export interface ApprovalResponse {
  answer: ApprovalAnswer;
  /** what the person made of the proposal, where they changed what was shown to them */
  text?: string;
}

interface ApprovalRequest {
  /** as the log has it, without secrets */
  action: ApprovalAction;
  /** as it runs, and as a person has to see it */
  exact: ApprovalAction["detail"];
  proposal?: Proposal | undefined;
}

/** @param what nobody was there to allow */
export const needsApproval = (what: string): string =>
  t(
    "Nobody was there to allow: {0}. Run it where you can answer: in a terminal without --json, or in the editor. What a mode allows does not ask (--mode edits, --mode auto), but protected files always do.",
    what,
  );

interface PendingApproval {
  action: ApprovalAction;
  proposal: Proposal | undefined;
  settle(answered: ApprovalResponse): void;
}

interface ApprovalsDeps {
  history: History;
  ids: Ids;
  /** false: nobody is there to answer (a terminal without a person) */
  attended: boolean;
  /** secrets → placeholders */
  redact: Redact;
  emit(event: AgentEvent): void;
  /** a question was asked or answered */
  onChange(): void;
}

export class Approvals {
  private readonly waiting = new Map<string, PendingApproval>();

  constructor(private readonly deps: ApprovalsDeps) {}

  get open(): number {
    return this.waiting.size;
  }

  /** Somebody is there to whom it can be asked anew: a turn that stands at one can be left as it is. */
  get suspends(): boolean {
    return this.deps.attended;
  }

  /**
   * Resolves with the answer, which is on disk by then. A question that the log has already, about the same bytes, goes on as
   * that one. Rejects with StorageError; with TurnSuspended where that is why the signal was aborted.
   */
  async ask({ action, exact, proposal }: ApprovalRequest, signal: AbortSignal): Promise<ApprovalResponse> {
    const { history, ids, redact, attended, emit } = this.deps;
    const before = askedAbout(history.conversation, action.callId);
    const approvalId = before?.action.binds === action.binds ? before.approvalId : ids.next("apr");
    const { callId, toolName, detail } = action;
    // What is shown is what runs: a placeholder in its place could stand for anything.
    if (attended && JSON.stringify(exact) !== JSON.stringify(detail))
      emit({ type: "question", approvalId, callId, toolName, title: exactTitle(action), detail: exact });
    // The waiter stands before the question is told: who hears the record may answer at once.
    const waiter = this.wait(approvalId, signal, action, proposal);
    try {
      if (before?.approvalId !== approvalId || !isSame(before.action, action))
        await history.append({ kind: "approval", approvalId, action });
    } catch (error) {
      this.answer(approvalId, { decision: "deny", scope: "once", by: "stop" });
      throw error;
    }
    const answered = await waiter;
    const { text = proposal?.after } = answered;
    const isEdit = answered.answer.decision === "allow" && proposal !== undefined && text !== undefined;
    const edited = isEdit && editedProposal(proposal, text, redact);
    const answer = { ...answered.answer, ...(edited && { edited }) };
    await history.append({ kind: "approval", approvalId, action, answer });
    return { ...answered, answer };
  }

  private wait(
    approvalId: string,
    signal: AbortSignal,
    action: ApprovalAction,
    proposal: Proposal | undefined,
  ): Promise<ApprovalResponse> {
    const { attended, onChange } = this.deps;
    if (!attended) return Promise.resolve({ answer: { decision: "deny", scope: "once", by: "nobody" } });
    const waiter = new Promise<ApprovalResponse>((resolve, reject) => {
      const end = () => {
        signal.removeEventListener("abort", stop);
        this.waiting.delete(approvalId);
        onChange();
      };
      const settle = (answered: ApprovalResponse) => {
        end();
        resolve(answered);
      };
      const stop = () => {
        if (!(signal.reason instanceof TurnSuspended))
          return settle({ answer: { decision: "deny", scope: "once", by: "stop" } });
        end();
        reject(signal.reason);
      };
      this.waiting.set(approvalId, { action, proposal, settle });
      signal.addEventListener("abort", stop);
      onChange();
      if (signal.aborted) stop();
    });
    // It may end while the question is still being written.
    waiter.catch(() => undefined);
    return waiter;
  }

  /** What an open question is about; undefined: it is not open, or no edit. */
  findProposal(approvalId: string): Proposal | undefined {
    return this.waiting.get(approvalId)?.proposal;
  }

  /**
   * @param text what the person made of the proposal; line ends do not count
   * @returns false where the question is not open any more (answered, stopped)
   */
  answer(approvalId: string, answer: Omit<ApprovalAnswer, "edited">, text?: string): boolean {
    const waiting = this.waiting.get(approvalId);
    if (!waiting) return false;
    const { proposal, action } = waiting;
    // Only what was offered is written: a rule is nothing that whoever answers makes up.
    const offered = action.rules?.find(option => option.join("\n") === answer.rules?.join("\n"));
    if (answer.scope === "always" && !offered) return this.answer(approvalId, { ...answer, scope: "session" }, text);
    const isChanged =
      answer.decision === "allow" && proposal && text !== undefined && !isSameText(text, proposal.after);
    waiting.settle(isChanged ? { answer, text } : { answer });
    return true;
  }
}

/** As the log has both. */
const isSame = (one: ApprovalAction, other: ApprovalAction) =>
  JSON.stringify(approvalActionSchema.parse(one)) === JSON.stringify(approvalActionSchema.parse(other));

/** A command stands below it whole: a title that is made of it hides what the record hides. */
const exactTitle = ({ title, detail }: ApprovalAction) => (detail.type === "command" ? "Run this command?" : title);
