/** An MCP server asks the person's model, in the terminal: the person sees the exact text first, each time. */

import { askedSampling, type Sample, type SamplingDeps } from "../core/agent/smallCalls/sampling";
import { ErrorForPeople, type SamplingRequest } from "../core/ground/ports";
import { plural, t } from "../shared/l10n";
import { exactLine, exactText, linesOf, shownLines, shownSentence, shownText } from "../shared/shown";
import type { TerminalQuestions } from "./questions";

class NobodyThere extends ErrorForPeople {
  override readonly name = "NobodyThere";
}

export class TerminalSampling {
  /** absent: no run has the terminal */
  private questions: TerminalQuestions | undefined;
  readonly answer: Sample;

  constructor(deps: () => SamplingDeps) {
    this.answer = askedSampling(deps, (text, request, signal) => this.allows(text, request, signal));
  }

  /** A run has the terminal. Gives back what ends that. */
  askBy(questions: TerminalQuestions): () => void {
    this.questions = questions;
    return () => {
      this.questions = undefined;
    };
  }

  private allows(text: string, { server, maxTokens }: SamplingRequest, signal: AbortSignal) {
    if (!this.questions)
      throw new NobodyThere(
        t("Nobody is there to allow it: servers ask the model only in a run at a terminal, without --json."),
      );
    const lines = linesOf(exactText(text)).map(line => shownText`  ${line}`);
    const head = shownSentence(
      plural(
        maxTokens,
        "The MCP server {1} asks to send this to your model; the answer may use 1 token:",
        "The MCP server {1} asks to send this to your model; the answer may use {0} tokens:",
      ),
      0,
      exactLine(server),
    );
    return this.questions.asksYes(
      shownLines([head, ...lines]),
      shownSentence(t("Send it? y = yes, anything else = no: ")),
      signal,
    );
  }
}
