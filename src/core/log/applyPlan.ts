/** What `plan` and `planEnd` records do to the conversation, and what a search finds of a plan. */
import type { RecordOf } from "../../shared/records";
import { allDone } from "../../shared/toolResult";
import type { Conversation } from "./conversation";
import { endedText } from "./plans/planText";

/** source of what is injected of a plan's end */
const PLAN_END = "planEnd";

/** A new proposal leaves alone what is being carried out. */
export function applyPlan(conversation: Conversation, { op, turn, text }: RecordOf<"plan">): void {
  const { proposed: _, ...others } = conversation.plans;
  const { standing } = others;
  conversation.plans =
    op === "proposed"
      ? { ...others, proposed: { turn, text } }
      : // What is told of it says that no other counts.
        { ...(standing !== undefined && { standing }), carriedOut: { turn, text } };
}

/** It stays in L2 until the next compaction, so that no prefix breaks for it; the model is told with its next request. */
export function applyPlanEnd(conversation: Conversation, { title }: RecordOf<"planEnd">): void {
  const { carriedOut: _, ...others } = conversation.plans;
  conversation.plans = { ...others, ended: title };
}

/** A turn ended: a plan whose todos are done has ended too. */
export function endDonePlan(conversation: Conversation): void {
  const { carriedOut: _, ...others } = conversation.plans;
  if (allDone(conversation.todos)) conversation.plans = others;
}

/** What the model has to hear before its next request; undefined: it knows all. For `Inject.injectSystemOnce`. */
export function planNews({
  plans: { ended },
  turn,
}: Conversation): { text: string; fingerprint: string; source: string } | undefined {
  if (ended === undefined) return undefined;
  return { text: endedText(ended), fingerprint: `${PLAN_END} ${turn}`, source: PLAN_END };
}

/** What it was told is known from here on. */
export function markPlanEndTold(conversation: Conversation, { source }: RecordOf<"inject">): void {
  if (source !== PLAN_END) return;
  const { ended: _, ...others } = conversation.plans;
  conversation.plans = others;
}

/** A proposal is found as the answer that it was. */
export const searchedPlan = ({ op, turn, text }: RecordOf<"plan">) =>
  op === "carried-out" ? { turn, source: "plan", content: text } : undefined;
