/**
 * Questions that allow nothing: the agent's own (AskUser), and those of an MCP server. A question is a record when it is asked
 * and another when it is answered. It waits as long as it takes. The agent's own outlives its process: the turn is then left
 * as it stands in the log, and goes on with the answer where the session is opened again.
 */

import type { AgentEvent } from "../../shared/events";
import { t } from "../../shared/l10n";
import { type QuestionAnswer, type QuestionForm, type QuestionReply, replyProblem } from "../../shared/question";
import type { RecordOf } from "../../shared/records";
import { mapStrings, type Redact } from "../../shared/redacted";
import { type Ids, SessionError } from "../ground/ports";
import type { Conversation } from "../log/conversation";
import type { History } from "../log/history";

/** The session is closed while the agent's question waits: the turn is not recorded as ended, since it continues later. */
export class TurnSuspended extends Error {}

/** Without what the history adds. */
type QuestionContent = Pick<RecordOf<"question">, "questionId" | "callId" | "toolName" | "form">;

/** Questions of any kind that wait for a person, by id. */
export class WaitingQuestions<About, Answer> {
  private readonly waiting = new Map<string, { about: About; settle(answer: Answer): void }>();

  constructor(private readonly onChange: () => void) {}

  get all(): About[] {
    return [...this.waiting.values()].map(({ about }) => about);
  }

  find(id: string): About | undefined {
    return this.waiting.get(id)?.about;
  }

  settle(id: string, answer: Answer): void {
    this.waiting.get(id)?.settle(answer);
  }

  /** Resolves with the answer; when the signal is aborted with `stopped`, or rejects with TurnSuspended where that is the reason. */
  wait(id: string, about: About, stopped: Answer, signal: AbortSignal): Promise<Answer> {
    const waiter = new Promise<Answer>((resolve, reject) => {
      const end = () => {
        signal.removeEventListener("abort", stop);
        this.waiting.delete(id);
        this.onChange();
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
      this.waiting.set(id, { about, settle });
      signal.addEventListener("abort", stop);
      this.onChange();
      if (signal.aborted) stop();
    });
    // It may end while the question is still being written.
    waiter.catch(() => undefined);
    return waiter;
  }
}

const STOPPED: QuestionAnswer = { action: "cancel", by: "stop" };

interface QuestionsDeps {
  history: History;
  ids: Ids;
  /** a person can answer now */
  attended: boolean;
  /** A person will answer later: the agent's own questions wait in the log. */
  answeredLater: boolean;
  /** secrets → placeholders */
  redact: Redact;
  emit(event: AgentEvent): void;
  /** a question was asked or answered */
  onChange(): void;
}

export class Questions {
  private readonly waiting: WaitingQuestions<QuestionContent, QuestionAnswer>;

  constructor(private readonly deps: QuestionsDeps) {
    this.waiting = new WaitingQuestions(deps.onChange);
  }

  get open(): number {
    return this.waiting.all.length;
  }

  /** The agent itself waits: its turn can be suspended. */
  get suspends(): boolean {
    return this.waiting.all.some(({ form }) => isOfAgent(form));
  }

  /**
   * Resolves with the answer, which is on disk by then. The agent's question that the log has already is not asked anew.
   * Rejects with StorageError; with TurnSuspended where that is why the signal was aborted; else Stop is the answer.
   */
  async ask(
    form: QuestionForm,
    { callId, toolName }: { callId: string; toolName: string },
    signal: AbortSignal,
  ): Promise<QuestionAnswer> {
    const { history, ids, attended, answeredLater, redact, emit } = this.deps;
    const known = isOfAgent(form) ? history.conversation.questions.get(callId) : undefined;
    if (known) return known.answer ?? this.answered(known, this.wait(known, signal));
    if (!attended && !(answeredLater && isOfAgent(form))) return { action: "cancel", by: "nobody" };
    const asked = { questionId: ids.next("qst"), callId, toolName, form };
    const isExact = isOfAgent(form) || JSON.stringify(mapStrings(form, redact)) === JSON.stringify(form);
    if (!isExact) emit({ type: "form", ...asked });
    // Waits before the record is written: listeners may answer at once.
    const answer = this.wait(asked, signal);
    try {
      await history.append({ kind: "question", ...asked });
    } catch (error) {
      this.waiting.settle(asked.questionId, STOPPED);
      throw error;
    }
    return this.answered(asked, answer);
  }

  /** Waits for the open question of a turn that another process began. Rejects as `ask`. */
  async reopen(signal: AbortSignal): Promise<void> {
    const open = openQuestion(this.deps.history.conversation);
    if (open) await this.answered(open, this.wait(open, signal));
  }

  /** Throws SessionError where it is not open any more, or the answer does not fit. */
  answer(questionId: string, reply: QuestionReply): void {
    const asked = this.waiting.find(questionId);
    if (!asked) throw new SessionError(overWords());
    const problem = replyProblem(asked.form, reply);
    if (problem !== undefined) throw new SessionError(problem);
    this.waiting.settle(questionId, { ...reply, by: "user" });
  }

  private async answered(asked: QuestionContent, waiter: Promise<QuestionAnswer>): Promise<QuestionAnswer> {
    const answer = await waiter;
    const { questionId, callId, toolName, form } = asked;
    await this.deps.history.append({
      kind: "question",
      questionId,
      callId,
      toolName,
      form,
      answer: isOfAgent(form) ? answer : withoutValues(answer),
    });
    return answer;
  }

  private wait(asked: QuestionContent, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.waiting.wait(asked.questionId, asked, STOPPED, signal);
  }
}

const overWords = () =>
  t(
    "This question is not open any more: it was answered, or the turn was stopped. Send what you want to say as a message.",
  );

const isOfAgent = ({ server }: QuestionForm) => server === undefined;

/** What a person gives a server is between the two: the log has that they did, and which fields. */
const withoutValues = ({ values, ...answer }: QuestionAnswer): QuestionAnswer =>
  values ? { ...answer, values: Object.fromEntries(Object.keys(values).map(name => [name, "…"])) } : answer;

/** The agent's question that the open turn waits for. */
export function openQuestion({ turnOpen, questions }: Conversation): RecordOf<"question"> | undefined {
  return turnOpen ? [...questions.values()].find(({ answer }) => answer === undefined) : undefined;
}
