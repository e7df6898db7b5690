/** What a `plan` record does to the conversation, and what a search finds of it. */
import type { RecordOf } from "../../shared/records";
import type { Conversation } from "./conversation";

/** A new proposal leaves alone what is being carried out. */
export function applyPlan(conversation: Conversation, { op, turn, text }: RecordOf<"plan">): void {
  const { standing, carriedOut } = conversation.plans;
  const stands = standing === undefined ? {} : { standing };
  conversation.plans =
    op === "proposed"
      ? { ...stands, ...(carriedOut && { carriedOut }), proposed: { turn, text } }
      : { ...stands, carriedOut: { turn, text } };
}

/** A proposal is found as the answer that it was. */
export const searchedPlan = ({ op, turn, text }: RecordOf<"plan">) =>
  op === "carried-out" ? { turn, source: "plan", content: text } : undefined;
