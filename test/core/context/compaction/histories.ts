/** Conversations by their sizes: what tests of folding and planning are made of. */
import { type Form, outputForm } from "../../../../src/core/context/compose";
import { estimateTokens } from "../../../../src/core/ground/text/estimate";
import { Conversation, endedTurn, type ToolOutput } from "../../../../src/core/log/conversation";
import type { MessageMetadata, StrataMessage } from "../../../../src/shared/messages";

/** A text that takes so many tokens: a sign each. */
export const words = (tokens: number): string => "字".repeat(tokens);

/** A tool's result in tokens: as shown; kept: the same, folded: 40, where nothing else is said. */
export interface Result {
  shown: number;
  kept?: number;
  folded?: number;
  tool?: string;
  isFolded?: boolean;
  /** the call has no result yet */
  open?: boolean;
}

/** What the model says in a step, in tokens, and what its calls gave; a steering message follows where there is one. */
export interface Step {
  says?: number;
  results?: Result[];
  steer?: number;
}

export interface RoundSpec {
  turn: number;
  /** the user's words, in tokens; 0: no opening message */
  user?: number;
  /** an injected notice before them */
  notice?: number;
  steps?: Step[];
}

/** Ids are `t<turn>`, `t<turn>.notice`, `t<turn>.<step>`, `t<turn>.<step>.steer`; calls `c<n>`, from 1 in each step. */
export function messagesOf(rounds: readonly RoundSpec[]): StrataMessage[] {
  return rounds.flatMap(round => {
    const { turn, user = 1, notice = 0, steps = [] } = round;
    const said = (id: string, tokens: number, step: number, kind: MessageMetadata["kind"]): StrataMessage[] =>
      tokens > 0
        ? [{ id, role: "user", parts: [{ type: "text", text: words(tokens) }], metadata: metadata(turn, step, kind) }]
        : [];
    return [
      ...said(`t${turn}.notice`, notice, 0, "notice"),
      ...said(`t${turn}`, user, 0, "normal"),
      ...steps.flatMap((step, at) => [
        assistant(turn, at + 1, step),
        ...said(`t${turn}.${at + 1}.steer`, step.steer ?? 0, at + 1, "steer"),
      ]),
    ];
  });
}

function assistant(turn: number, step: number, { says = 0, results = [] }: Step): StrataMessage {
  const parts: StrataMessage["parts"] = says > 0 ? [{ type: "text", text: words(says) }] : [];
  for (const [at, result] of results.entries()) {
    const call = {
      type: "dynamic-tool" as const,
      toolName: result.tool ?? "Read",
      toolCallId: `c${at + 1}`,
      input: {},
    };
    if (result.open) parts.push({ ...call, state: "input-available" });
    else parts.push({ ...call, state: "output-available", output: outputOf(result) });
  }
  return { id: `t${turn}.${step}`, role: "assistant", parts, metadata: metadata(turn, step, "normal") };
}

function outputOf({ shown, kept = shown, folded = Math.min(40, kept), isFolded }: Result): ToolOutput {
  const forms = { shown: words(shown), kept: words(kept), folded: words(folded) };
  return { status: "success", ...forms, ...(isFolded ? { isFolded } : {}) };
}

const metadata = (turn: number, step: number, kind: MessageMetadata["kind"]): MessageMetadata => ({
  ...{ ts: 0, turn, step, runId: `run${turn}`, kind },
});

/** The newest round is the turn that runs, where nothing else is said. */
export function conversationOf(rounds: readonly RoundSpec[], more: Partial<Conversation> = {}): Conversation {
  const turn = rounds.at(-1)?.turn ?? 0;
  const base = { ...new Conversation(), messages: messagesOf(rounds), turn, turnOpen: true, observedTokens: 1e9 };
  return { ...base, settled: endedTurn({ ...base, ...more }), ...more };
}

/** Tokens of a message: its texts, and its results in their form. */
export function tokensOf(message: StrataMessage, form: Form): number {
  return message.parts.reduce((sum, part) => {
    if (part.type === "text") return sum + estimateTokens(part.text);
    if (part.type !== "dynamic-tool" || part.state !== "output-available") return sum;
    const output = part.output as ToolOutput;
    return sum + estimateTokens(output[outputForm(output, form)]);
  }, 0);
}
