/** A conversation's messages by turn, and a turn's by step. Pure. */
import type { StrataMessage } from "../../../shared/messages";

/** All messages of a turn, in order: notices injected before the user's words, the words, steps, steering. */
export interface TurnMessages {
  turn: number;
  messages: StrataMessage[];
}

/** Oldest first. Turn numbers may have gaps; a message without one belongs to the turn before it. */
export function groupByTurn(messages: readonly StrataMessage[]): TurnMessages[] {
  let turn = 0;
  const grouped = Map.groupBy(messages, ({ metadata }) => (turn = metadata?.turn ?? turn));
  return [...grouped].map(([number, own]) => ({ turn: number, messages: own }));
}

/**
 * What stands before a turn's first step (the user's message above all), and its steps: each the model's message with its
 * results and what came before the next one, a steering message or images.
 */
export function splitSteps({ messages }: TurnMessages): { opening: StrataMessage[]; steps: StrataMessage[][] } {
  const opening: StrataMessage[] = [];
  const steps: StrataMessage[][] = [];
  for (const message of messages) {
    if (message.role === "assistant") steps.push([message]);
    else (steps.at(-1) ?? opening).push(message);
  }
  return { opening, steps };
}
