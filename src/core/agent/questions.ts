/**
 * What the person is asked while a turn runs: whether a call may run, and questions that allow nothing: the agent's own (AskUser),
 * and those of an MCP server. A question is a record when it is asked and another when it is answered, so that the log says who
 * allowed what, and what they changed of it. It waits as long as it takes; Stop answers no. Approvals and the agent's own questions
 * outlive their process: the turn is left as the log has it, and continues where the session is opened again. A call that waited is
 * prepared and asked anew then.
 */

import { type ApprovalAction, type ApprovalAnswer, approvalActionSchema } from "../../shared/approval";
import { askerOf } from "../../shared/delegation";
import type { AgentEvent } from "../../shared/events";
import { t } from "../../shared/l10n";
import { type QuestionAnswer, type QuestionForm, type QuestionReply, replyProblem } from "../../shared/question";
import type { NewRecord, RecordOf } from "../../shared/records";
import { mapStrings, type Redact } from "../../shared/redacted";
import { editedProposal, isSameText } from "../changes/edits/proposalRevision";
import { type Ids, SessionError } from "../ground/ports";
import { askedAbout, type Conversation } from "../log/conversation";
import type { History } from "../log/history";
import type { Proposal } from "../tool/tool";

/** The session is closed while a question waits: the turn is not recorded as ended, since it continues later. */
export class TurnSuspended extends Error {}

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
  /** the records that go with the answer */
  follows?(answer: ApprovalAnswer): NewRecord[];
}

/** Without what the history adds. */
type QuestionContent = Pick<RecordOf<"question">, "questionId" | "callId" | "toolName" | "form">;

/** When a person can answer. `later`: approvals and the agent's own questions wait in the log. */
export type Answers = "now" | "later" | "never";

type OpenQuestions<About, Answer> = Map<string, { about: About; settle(answer: Answer): void }>;

const unanswered = (by: "stop" | "nobody"): ApprovalResponse => ({ answer: { decision: "deny", scope: "once", by } });
const STOPPED: QuestionAnswer = { action: "cancel", by: "stop" };

interface QuestionsDeps {
  history: History;
  ids: Ids;
  answers: Answers;
  /** secrets → placeholders */
  redact: Redact;
  emit(event: AgentEvent): void;
  /** a question was asked or answered */
  onChange(): void;
}

export class Questions {
  private readonly approvals: OpenQuestions<Omit<ApprovalRequest, "exact" | "follows">, ApprovalResponse> = new Map();
  private readonly asked: OpenQuestions<QuestionContent, QuestionAnswer> = new Map();

  /** given before the question was asked again in this process, by approval */
  private readonly given = new Map<string, Omit<ApprovalAnswer, "edited">>();

  constructor(private readonly deps: QuestionsDeps) {}

  get open(): number {
    return this.approvals.size + this.asked.size;
  }

  /** A person can be asked anew later about a call. */
  get waits(): boolean {
    return this.deps.answers !== "never";
  }

  /** The turn waits for an answer that can be given later: it can be suspended. */
  get suspends(): boolean {
    // Also one of a former process, before it is asked again here.
    const { conversation } = this.deps.history;
    const actions = [...[...this.approvals.values()].map(({ about }) => about.action), ...conversation.asked.values()];
    // A child ends with its caller: what it asks is not asked again.
    const isOwn = ({ callId }: { callId: string }) => askerOf(callId) === undefined;
    if (this.waits && actions.some(isOwn)) return true;
    return [...this.asked.values()].some(({ about }) => isOfAgent(about.form) && isOwn(about));
  }

  /**
   * Whether a call may run. Resolves with the answer, which is on disk by then. A question that the log has already, about the same
   * bytes, continues as that one. Rejects with StorageError; with TurnSuspended where that is why the signal was aborted.
   */
  async approve({ action, exact, proposal, follows }: ApprovalRequest, signal: AbortSignal): Promise<ApprovalResponse> {
    const { history, ids, redact, emit } = this.deps;
    const before = askedAbout(history.conversation, action.callId);
    const approvalId = before?.action.binds === action.binds ? before.approvalId : ids.next("apr");
    const { callId, toolName, detail } = action;
    // The person sees the exact call: a placeholder could hide anything.
    if (this.waits && JSON.stringify(exact) !== JSON.stringify(detail))
      emit({ type: "question", approvalId, callId, toolName, title: exactTitle(action), detail: exact });
    const isLogged = before?.approvalId === approvalId && isSame(before.action, action);
    const record = isLogged ? undefined : ({ kind: "approval", approvalId, action } as const);
    if (record && !this.waits) await history.append(record);
    const given = this.given.get(approvalId);
    const answered = given ? { answer: given } : this.waits ? undefined : unanswered("nobody");
    const asking = { record, stopped: unanswered("stop"), signal };
    const response: ApprovalResponse =
      answered ?? (await this.answerTo(this.approvals, approvalId, { action, proposal }, asking));
    const { text = proposal?.after } = response;
    const isEdit = response.answer.decision === "allow" && proposal !== undefined && text !== undefined;
    const edited = isEdit && editedProposal(proposal, text, redact);
    const answer = { ...response.answer, ...(edited && { edited }) };
    await history.appendAll([{ kind: "approval", approvalId, action, answer }, ...(follows?.(answer) ?? [])]);
    return { ...response, answer };
  }

  /** What an open question is about; undefined: it is not open, or no edit. */
  findProposal(approvalId: string): Proposal | undefined {
    return this.approvals.get(approvalId)?.about.proposal;
  }

  /**
   * One that the log has is answered when it is asked again in this process, where it is about the same bytes still.
   * @param text what the person made of the proposal; line ends do not count
   * @returns false where the question is not open any more (answered, stopped)
   */
  answer(approvalId: string, answer: Omit<ApprovalAnswer, "edited">, text?: string): boolean {
    const waiting = this.approvals.get(approvalId);
    if (!waiting) {
      const isLogged = this.deps.history.conversation.asked.has(approvalId) && text === undefined;
      if (isLogged) this.given.set(approvalId, answer);
      return isLogged;
    }
    const { proposal, action } = waiting.about;
    // Only rules that were offered are written.
    const offered = action.rules?.find(option => option.join("\n") === answer.rules?.join("\n"));
    if (answer.scope === "always" && !offered) return this.answer(approvalId, { ...answer, scope: "session" }, text);
    const isChanged =
      answer.decision === "allow" && proposal && text !== undefined && !isSameText(text, proposal.after);
    waiting.settle(isChanged ? { answer, text } : { answer });
    return true;
  }

  /**
   * Asks what allows nothing. Resolves with the answer, which is on disk by then. The agent's question that the log has already is
   * not asked anew. Rejects as `approve` does; else Stop is the answer.
   */
  async ask(
    form: QuestionForm,
    { callId, toolName }: { callId: string; toolName: string },
    signal: AbortSignal,
  ): Promise<QuestionAnswer> {
    const { history, ids, answers, redact, emit } = this.deps;
    const known = isOfAgent(form) ? history.conversation.questions.get(callId) : undefined;
    if (known) return known.answer ?? this.answered(known, undefined, signal);
    if (!this.waits || (answers === "later" && !isOfAgent(form))) return { action: "cancel", by: "nobody" };
    const asked = { questionId: ids.next("qst"), callId, toolName, form };
    const isExact = isOfAgent(form) || JSON.stringify(mapStrings(form, redact)) === JSON.stringify(form);
    if (!isExact) emit({ type: "form", ...asked });
    return this.answered(asked, { kind: "question", ...asked }, signal);
  }

  /** Waits for the open question of a turn that another process began. Rejects as `ask`. */
  async reopen(signal: AbortSignal): Promise<void> {
    const open = openQuestion(this.deps.history.conversation);
    if (open) await this.answered(open, undefined, signal);
  }

  /** Throws SessionError where it is not open any more, or the answer does not fit. */
  reply(questionId: string, reply: QuestionReply): void {
    const waiting = this.asked.get(questionId);
    if (!waiting) throw new SessionError(overWords());
    const problem = replyProblem(waiting.about.form, reply);
    if (problem !== undefined) throw new SessionError(problem);
    waiting.settle({ ...reply, by: "user" });
  }

  private async answered(
    { questionId, callId, toolName, form }: QuestionContent,
    record: NewRecord | undefined,
    signal: AbortSignal,
  ): Promise<QuestionAnswer> {
    const about = { questionId, callId, toolName, form };
    const answer = await this.answerTo(this.asked, questionId, about, { record, stopped: STOPPED, signal });
    const logged = isOfAgent(form) ? answer : withoutValues(answer);
    await this.deps.history.append({ kind: "question", ...about, answer: logged });
    return answer;
  }

  /**
   * Resolves with the answer; when the signal is aborted with `stopped`, or rejects with TurnSuspended where that is the reason.
   * @param record that it is asked; undefined: the log has it
   */
  private async answerTo<About, Answer>(
    waiting: OpenQuestions<About, Answer>,
    id: string,
    about: About,
    { record, stopped, signal }: { record: NewRecord | undefined; stopped: Answer; signal: AbortSignal },
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const end = () => {
      signal.removeEventListener("abort", stop);
      waiting.delete(id);
      this.deps.onChange();
    };
    const settle = (answer: Answer) => {
      end();
      resolve(answer);
    };
    const stop = () => {
      if (!(signal.reason instanceof TurnSuspended)) return settle(stopped);
      end();
      reject(signal.reason);
    };
    // Waits before the record is written: listeners may answer at once.
    waiting.set(id, { about, settle });
    signal.addEventListener("abort", stop);
    this.deps.onChange();
    if (signal.aborted) stop();
    // It may end while the question is still being written.
    promise.catch(() => undefined);
    try {
      if (record) await this.deps.history.append(record);
    } catch (error) {
      waiting.get(id)?.settle(stopped);
      throw error;
    }
    return promise;
  }
}

const isSame = (one: ApprovalAction, other: ApprovalAction) =>
  JSON.stringify(approvalActionSchema.parse(one)) === JSON.stringify(approvalActionSchema.parse(other));

/** The whole command is shown below; a title made of it would have placeholders. */
const exactTitle = ({ title, detail }: ApprovalAction) => (detail.type === "command" ? "Run this command?" : title);

const overWords = () =>
  t(
    "This question is not open any more: it was answered, or the turn was stopped. Send what you want to say as a message.",
  );

const isOfAgent = ({ server }: QuestionForm) => server === undefined;

/** What a person gives a server is between the two: the log has that they did, and which fields. */
const withoutValues = ({ values, ...answer }: QuestionAnswer): QuestionAnswer =>
  values ? { ...answer, values: Object.fromEntries(Object.keys(values).map(name => [name, "…"])) } : answer;

/** The agent's question that the open turn waits for. */
export const openQuestion = ({ turnOpen, questions }: Conversation): RecordOf<"question"> | undefined =>
  turnOpen ? [...questions.values()].sort(ownFirst).find(({ answer }) => answer === undefined) : undefined;

/** What a child asked is over with its process. */
const ownFirst = (one: { callId: string }, other: { callId: string }) =>
  Number(askerOf(one.callId) !== undefined) - Number(askerOf(other.callId) !== undefined);

/** What the open turn waits for: the agent's question, or whether a call may run. `title` is as the log has it, without secrets. */
export function waitingFor(conversation: Conversation): { id: string; callId: string; title: string } | undefined {
  const question = openQuestion(conversation);
  if (question) {
    const { questionId: id, callId, form } = question;
    return { id, callId, title: form.fields[0]?.title ?? "" };
  }
  const [approval] = conversation.turnOpen ? conversation.asked : [];
  return approval && { id: approval[0], callId: approval[1].callId, title: approval[1].title };
}
