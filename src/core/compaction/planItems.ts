/** A plan as people see it: its items, and words. */
import type { StrataMessage } from "../../shared/messages";
import { refKey } from "../history/conversation";
import { counted } from "../text/format";
import type { CompactionPlan, Fate, PlanInput, PlanItem, Sizes } from "./plan";
import { type TurnMessages, turnTitle } from "./turnMessages";

/** @param folded keys of the results that become folded */
export function listPlanItems(
  { conversation }: PlanInput,
  sizes: Sizes,
  goes: ReadonlySet<string>,
  folded: ReadonlySet<string>,
): PlanItem[] {
  const { pins, turn, turnOpen } = conversation;
  const fateOf = (round: TurnMessages, stays: readonly StrataMessage[]): Fate => {
    if (pins.has(round.turn)) return "pinned";
    if (stays.some(message => hasFolded(message, folded))) return "folded";
    return turnOpen && round.turn === turn ? "verbatim" : "kept";
  };
  return sizes.rounds.flatMap(round => {
    const gone = round.messages.filter(({ id }) => goes.has(id));
    const stays = round.messages.filter(({ id }) => !goes.has(id));
    const item = (messages: StrataMessage[], fate: Fate): PlanItem[] => {
      if (messages.length === 0) return [];
      const before = messages.reduce((sum, message) => sum + sizes.now(message), 0);
      const after = messages.reduce((sum, message) => sum + sizes.after(message, folded), 0);
      const tokens = { before, after: fate === "summarised" ? 0 : after };
      return [{ turn: round.turn, messageIds: messages.map(({ id }) => id), title: turnTitle(round), fate, tokens }];
    };
    return [...item(gone, "summarised"), ...item(stays, fateOf(round, stays))];
  });
}

function hasFolded({ id, parts }: StrataMessage, folded: ReadonlySet<string>): boolean {
  return parts.some(
    part => part.type === "dynamic-tool" && folded.has(refKey({ messageId: id, callId: part.toolCallId })),
  );
}

/** What a person should know, since it is theirs to change. */
export function planWarning(
  { conversation }: PlanInput,
  { rounds, budget, now }: Sizes,
  goes: ReadonlySet<string>,
): string | undefined {
  const pinned = rounds.filter(({ turn }) => conversation.pins.has(turn)).flatMap(({ messages }) => messages);
  if (pinned.some(({ id }) => goes.has(id))) {
    return "Pinned rounds are summarised too: with them the request does not fit into the model's context window.";
  }
  const tokens = pinned.reduce((sum, message) => sum + now(message), 0);
  if (tokens <= budget || pinned.length === 0) return undefined;
  return "The pinned rounds alone take more than half of the context window. Unpin some: they leave little room for work.";
}

/** @param full what would go and be folded, and why that was not worth it */
export function planReason(
  { mode, keepRounds, summaryTokens }: PlanInput,
  rounds: readonly TurnMessages[],
  full: CompactionPlan,
): string {
  if (rounds.length === 0) return "There is nothing to compact: the conversation is empty.";
  if (full.removed.length > 0) {
    return "Compacting would not make the conversation smaller: what could go takes no more than its summary would.";
  }
  if (mode === "retry")
    return "There is nothing more to leave out: what is left is the newest step and what the user said.";
  if (mode !== "manual") return "There is nothing to compact: all rounds that could go fit beside the newest one.";
  const beside = summaryTokens > 0 ? "beside what is summarised already, " : "";
  const has = `${beside}the conversation has ${counted(rounds.length, "round")}`;
  if (rounds.length > keepRounds) return `There is nothing to compact: ${has}, and all older ones are pinned.`;
  const stay = keepRounds === 1 ? "the newest one always stays" : `the newest ${keepRounds} always stay`;
  return `There is nothing to compact: ${has}, and ${stay} (strata.history.keepRounds).`;
}
