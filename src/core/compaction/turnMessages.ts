/** History in rounds, and a running round in steps: what compactions go by (CONTEXT.md, section 5). Pure. */
import type { StrataMessage } from "../../shared/messages";
import { oneLine } from "../text/format";

/** All messages of a turn, in order: notices injected before the user's words, the words, steps, steering. */
export interface TurnMessages {
  turn: number;
  messages: StrataMessage[];
}

/** Oldest first. Turn numbers may have gaps; a message without one belongs to the round before it. */
export function groupByTurn(messages: readonly StrataMessage[]): TurnMessages[] {
  const rounds = new Map<number, TurnMessages>();
  let turn = 0;
  for (const message of messages) {
    turn = message.metadata?.turn ?? turn;
    const round = rounds.get(turn);
    if (round) round.messages.push(message);
    else rounds.set(turn, { turn, messages: [message] });
  }
  return [...rounds.values()];
}

/**
 * What stands before a round's first step (the user's message above all), and its steps: each the model's message with its
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

/** The user's words that opened it, in one line; empty where there are none. */
export function turnTitle({ messages }: TurnMessages): string {
  const opening = messages.find(({ role, metadata }) => role === "user" && metadata?.kind === "normal");
  const text = opening?.parts.find(part => part.type === "text")?.text ?? "";
  return oneLine(text, 120);
}
