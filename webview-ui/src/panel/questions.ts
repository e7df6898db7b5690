/** The question in front: the oldest that waits for an answer, and whether somebody can have noticed it. */
import { find } from "../store/chunks";
import type { PanelState } from "../store/state";
import type { Store } from "../store/store";

/** A key meant for what stood there before must not answer a question that nobody has seen yet, ms. */
const TOO_SOON_MS = 300;

const YES =
  /^(?:y|yes|yeah|yep|ok|okay|sure|fine|allow(?: it)?|go(?: ahead| on)?|do it|run it|please do|ja|oui|s[ií]|да|是的?|好的?|可以|行|允许|允許|同意|はい)[\s.!。！]*$/i;

/** Words that only say yes. */
export const isYes = (text: string): boolean => YES.test(text.trim());

export class Questions {
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

  /** The id of the question in front; undefined: none waits */
  get approvalId(): string | undefined {
    const { questions, chunks } = this.store.get().session;
    const item = questions[0] === undefined ? undefined : find(chunks, questions[0]);
    return item?.kind === "tool" ? item.approval?.approvalId : undefined;
  }

  #look({ session }: PanelState): void {
    if (session.questions[0] === this.#callId) return;
    this.#callId = session.questions[0];
    this.#since = performance.now();
  }
}
