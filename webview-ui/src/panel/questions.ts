/** The question in front: the oldest that waits for an answer, and whether a person can have noticed it. */
import type { Draft, FieldDrafts } from "../../../src/shared/panelSnapshot";
import { find } from "../store/items";
import type { PanelState, QuestionState, SessionView, ToolItem } from "../store/state";
import type { Store } from "../store/store";

/** A key meant for what was there before must not answer a question that came unnoticed, ms. */
const TOO_SOON_MS = 300;

const YES =
  /^(?:y|yes|yeah|yep|ok|okay|sure|fine|allow(?: it)?|go(?: ahead| on)?|do it|run it|please do|ja|oui|s[ií]|да|是的?|好的?|可以|行|允许|允許|同意|はい)[\s.!。！]*$/i;

/** Words that only say yes. */
export const isYes = (text: string): boolean => YES.test(text.trim());

/** It waits for its answer. */
export const isOpen = (question: QuestionState | null | undefined) => question != null && question.answer === undefined;

/** The call whose question is in front; undefined: none waits */
export function frontCall({ questions, items }: SessionView): ToolItem | undefined {
  const item = questions[0] === undefined ? undefined : find(items, questions[0]);
  return item?.kind === "tool" ? item : undefined;
}

/** The question in front, where that is one that allows nothing. */
export function frontQuestion(session: SessionView): QuestionState | undefined {
  const question = frontCall(session)?.question;
  return question && isOpen(question) ? question : undefined;
}

/** So many questions at most are kept as they were left; those that will not be answered any more go this way. */
const MAX_KEPT = 8;

export class QuestionDrafts {
  /** By question: what is written into its fields so far, while its card or the window comes and goes. */
  #drafts = new Map<string, { whole: FieldDrafts; kept: FieldDrafts }>();
  #since = 0;
  #callId: string | undefined;

  /** @param kept over a reload of the window */
  constructor(
    private readonly store: Store,
    kept: Draft["answers"],
  ) {
    this.begin(kept);
    store.subscribe(() => this.#look(store.get()));
  }

  /** Of another session from here on. */
  begin(kept: Draft["answers"]): void {
    this.#drafts = new Map(Object.entries(kept ?? {}).map(([id, fields]) => [id, { whole: fields, kept: fields }]));
  }

  /** All that a reload must not lose. */
  get answers(): NonNullable<Draft["answers"]> {
    return Object.fromEntries([...this.#drafts].slice(-MAX_KEPT).map(([id, { kept }]) => [id, kept]));
  }

  /** undefined: nothing is written yet */
  draftOf(questionId: string): FieldDrafts | undefined {
    return this.#drafts.get(questionId)?.whole;
  }

  /** @param kept the part that may be on disk */
  setDraft(questionId: string, whole: FieldDrafts, kept: FieldDrafts): void {
    this.#drafts.delete(questionId);
    this.#drafts.set(questionId, { whole, kept });
  }

  forget(questionId: string): void {
    this.#drafts.delete(questionId);
  }

  /** The question in front has only just come there, or waits to be drawn: the store knows it a frame before anybody sees it. */
  get isNew(): boolean {
    const { questions } = this.store.get().session;
    return questions[0] !== this.#callId || performance.now() - this.#since < TOO_SOON_MS;
  }

  /** This question about a permission was not answered yet, and its turn runs. */
  waits(approvalId: string): boolean {
    const { questions, items } = this.store.get().session;
    return questions.some(callId => {
      const item = find(items, callId);
      return item?.kind === "tool" && item.approval?.approvalId === approvalId && item.approval.answer === undefined;
    });
  }

  /** The id of the question in front, where that is one about a permission */
  get approvalId(): string | undefined {
    const tool = frontCall(this.store.get().session);
    return isOpen(tool?.question) ? undefined : tool?.approval?.approvalId;
  }

  /** The id of the question in front, where that is one of the agent's */
  get ofAgent(): string | undefined {
    const question = frontQuestion(this.store.get().session);
    return question?.form.server === undefined ? question?.questionId : undefined;
  }

  #look({ session }: PanelState): void {
    if (session.questions[0] === this.#callId) return;
    this.#callId = session.questions[0];
    this.#since = performance.now();
  }
}
