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
import { WaitingQuestions } from "./questions";

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

/** @param what the call that needed an approval */
export const needsApproval = (what: string): string =>
  t(
    "Nobody was there to allow: {0}. Run it where you can answer: in a terminal without --json, or in the editor. What a mode allows does not ask (--mode edits, --mode auto), but protected files always do.",
    what,
  );

interface ApprovalsDeps {
  history: History;
  ids: Ids;
  /** false in a terminal without a person */
  attended: boolean;
  /** secrets → placeholders */
  redact: Redact;
  emit(event: AgentEvent): void;
  /** a question was asked or answered */
  onChange(): void;
}

export class Approvals {
  private readonly waiting: WaitingQuestions<Omit<ApprovalRequest, "exact">, ApprovalResponse>;

  constructor(private readonly deps: ApprovalsDeps) {
    this.waiting = new WaitingQuestions(deps.onChange);
  }

  get open(): number {
    return this.waiting.all.length;
  }

  /** A person can be asked anew later, so the turn may be suspended. */
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
    // The person sees the exact call: a placeholder could hide anything.
    if (attended && JSON.stringify(exact) !== JSON.stringify(detail))
      emit({ type: "question", approvalId, callId, toolName, title: exactTitle(action), detail: exact });
    // Waits before the record is written: listeners may answer at once.
    const waiter = attended
      ? this.waiting.wait(approvalId, { action, proposal }, unanswered("stop"), signal)
      : Promise.resolve(unanswered("nobody"));
    try {
      if (before?.approvalId !== approvalId || !isSame(before.action, action))
        await history.append({ kind: "approval", approvalId, action });
    } catch (error) {
      this.waiting.settle(approvalId, unanswered("stop"));
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

  /** What an open question is about; undefined: it is not open, or no edit. */
  findProposal(approvalId: string): Proposal | undefined {
    return this.waiting.find(approvalId)?.proposal;
  }

  /**
   * @param text what the person made of the proposal; line ends do not count
   * @returns false where the question is not open any more (answered, stopped)
   */
  answer(approvalId: string, answer: Omit<ApprovalAnswer, "edited">, text?: string): boolean {
    const waiting = this.waiting.find(approvalId);
    if (!waiting) return false;
    const { proposal, action } = waiting;
    // Only rules that were offered are written.
    const offered = action.rules?.find(option => option.join("\n") === answer.rules?.join("\n"));
    if (answer.scope === "always" && !offered) return this.answer(approvalId, { ...answer, scope: "session" }, text);
    const isChanged =
      answer.decision === "allow" && proposal && text !== undefined && !isSameText(text, proposal.after);
    this.waiting.settle(approvalId, isChanged ? { answer, text } : { answer });
    return true;
  }
}

const unanswered = (by: "stop" | "nobody"): ApprovalResponse => ({ answer: { decision: "deny", scope: "once", by } });

/** As the log has both. */
const isSame = (one: ApprovalAction, other: ApprovalAction) =>
  JSON.stringify(approvalActionSchema.parse(one)) === JSON.stringify(approvalActionSchema.parse(other));

/** The whole command is shown below; a title made of it would have placeholders. */
const exactTitle = ({ title, detail }: ApprovalAction) => (detail.type === "command" ? "Run this command?" : title);
