/** The question in front: the oldest that waits for an answer, and whether somebody can have noticed it. */
import { find } from "../store/chunks";
import type { PanelState, QuestionState, Session, ToolItem } from "../store/state";
import type { Store } from "../store/store";

/** A key meant for what stood there before must not answer a question that nobody has seen yet, ms. */
const TOO_SOON_MS = 300;

const YES =
  /^(?:y|yes|yeah|yep|ok|okay|sure|fine|allow(?: it)?|go(?: ahead| on)?|do it|run it|please do|ja|oui|s[ií]|да|是的?|好的?|可以|行|允许|允許|同意|はい)[\s.!。！]*$/i;

/** Words that only say yes. */
export const isYes = (text: string): boolean => YES.test(text.trim());

/** It waits for its answer. */
export const isOpen = (question: QuestionState | null | undefined): boolean =>
  question != null && question.answer === undefined;

/** The call whose question is in front; undefined: none waits */
function front({ questions, chunks }: Session): ToolItem | undefined {
  const item = questions[0] === undefined ? undefined : find(chunks, questions[0]);
  return item?.kind === "tool" ? item : undefined;
}

/** The question in front, where that is one that allows nothing. */
export function frontQuestion(session: Session): QuestionState | undefined {
  const question = front(session)?.question;
  return question && isOpen(question) ? question : undefined;
}

/** What stands in a field: options that are chosen (of a boolean: "true"), and text. */
export interface FieldDraft {
  chosen: readonly string[];
  text: string;
}

export class Questions {
  /** By question: what is written into its fields so far, while its card comes and goes. */
  readonly drafts = new Map<string, Readonly<Record<string, FieldDraft>>>();
  #since = 0;
  #callId: string | undefined;

  constructor(private readonly store: Pick<Store, "get" | "subscribe">) {
    store.subscribe(() => this.#look(store.get()));
  }

  /** The question in front has only just come there, or waits to be drawn: the store knows it a frame before anybody sees it. */
  get isNew(): boolean {
    const { questions } = this.store.get().session;
    return questions[0] !== this.#callId || performance.now() - this.#since < TOO_SOON_MS;
  }

  /** The id of the question in front, where that is one about a permission */
  get approvalId(): string | undefined {
    const tool = front(this.store.get().session);
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
