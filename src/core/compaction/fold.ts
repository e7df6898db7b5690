/**
 * Which observations are folded to one line each, and when (docs/context.md). A cached token costs about
 * a tenth of a fresh one, and folding makes everything behind the first folded place fresh once: so rarely, and much. Pure.
 */
import type { ResultRef } from "../../shared/compaction";
import { outputForm } from "../context/compose";
import { type Conversation, refKey, type ToolOutput } from "../history/conversation";
import { estimateTokens } from "../text/estimate";

/** of the limit: what is left of observations after a fold, and what has to come before the next one */
const LEFT = 1 / 3;
const NEW_CONTENT = 1 / 4;
/** of what is left: what may stay whole however old it is */
const WHOLE = 2 / 3;
const NEWEST_STEPS = 10;

/** A tool's result as it would be sent now. Tokens are estimates. */
export interface Observation extends ResultRef {
  turn: number;
  /** the step it was made in, or the later one that points to it instead of repeating its text */
  step: number;
  toolName: string;
  tokens: number;
  /** in its folded form; the same as `tokens` where it is folded already or nothing is won */
  foldedTokens: number;
}

/** Of a conversation, what folding looks at. */
export type FoldView = Pick<Conversation, "messages" | "turn" | "restated" | "reads" | "changed">;

export interface FoldInput {
  conversation: FoldView & Pick<Conversation, "observedTokens">;
  /** `strata.context.foldAt`: 0 is off */
  foldAt: number;
  /** tokens of the model's context window */
  window: number;
}

/** Tokens of observations above which the oldest are folded; 0: never. */
export const foldLimit = (foldAt: number, window: number): number => Math.min(foldAt, window / 4);

/** The tokens of observations that a fold leaves, if so much can be folded. */
export const foldTarget = (limit: number): number => limit * LEFT;

/** What to fold before the next request, oldest first; empty: nothing. */
export function resultsToFold({ conversation, foldAt, window }: FoldInput): ResultRef[] {
  const limit = foldLimit(foldAt, window);
  if (limit === 0 || conversation.observedTokens < limit * NEW_CONTENT) return [];
  const observations = observationsIn(conversation, conversation.turn);
  return totalTokens(observations) > limit ? foldDownTo(foldTarget(limit), observations, limit, conversation) : [];
}

/** All results of a conversation, oldest first. @param current the turn whose results are sent as shown */
export function observationsIn({ messages, restated }: FoldView, current: number | undefined): Observation[] {
  const observations = messages.flatMap(message => {
    const { turn = 0, step = 0 } = message.metadata ?? {};
    const form = turn === current ? "shown" : "kept";
    return message.parts.flatMap((part): Observation[] => {
      if (part.type !== "dynamic-tool" || part.state !== "output-available") return [];
      const output = part.output as ToolOutput;
      const ref = { messageId: message.id, callId: part.toolCallId };
      const tokens = estimateTokens(output[outputForm(output, form)]);
      const foldedTokens = Math.min(tokens, estimateTokens(output.folded));
      const pointedAt = Math.max(step, restated.get(refKey(ref)) ?? 0);
      return [{ ...ref, turn, step: pointedAt, toolName: part.toolName, tokens, foldedTokens }];
    });
  });
  return observations.sort((a, b) => a.turn - b.turn || a.step - b.step);
}

export const totalTokens = (observations: readonly Observation[]): number =>
  observations.reduce((sum, { tokens }) => sum + tokens, 0);

/**
 * Folds from the oldest until `target` tokens of observations are left, or all that may be folded is.
 * @param observations oldest first
 */
export function foldDownTo(
  target: number,
  observations: readonly Observation[],
  limit: number,
  view: Pick<FoldView, "turn" | "reads" | "changed">,
): ResultRef[] {
  const whole = keptWhole(observations, WHOLE * foldTarget(limit), view);
  const folded: ResultRef[] = [];
  let left = totalTokens(observations);
  for (const observation of observations) {
    if (left <= target) break;
    const { messageId, callId, tokens, foldedTokens } = observation;
    if (foldedTokens === tokens || whole.has(observation)) continue;
    folded.push({ messageId, callId });
    left -= tokens - foldedTokens;
  }
  return folded;
}

/** The newest step, whatever it takes; then, as far as `room` goes: skills, the newest steps, files being edited. */
function keptWhole(
  observations: readonly Observation[],
  room: number,
  view: Pick<FoldView, "turn" | "reads" | "changed">,
): Set<Observation> {
  const newestFirst = observations.toReversed();
  const steps = [...new Set(newestFirst.map(stepNumber))].slice(0, NEWEST_STEPS);
  const edited = readsOfEditedFiles(view);
  const whole = new Set(newestFirst.filter(observation => stepNumber(observation) === steps[0]));
  let left = room - totalTokens([...whole]);
  const stay = (wanted: (observation: Observation) => boolean) => {
    for (const observation of newestFirst) {
      if (whole.has(observation) || !wanted(observation) || observation.tokens > left) continue;
      whole.add(observation);
      left -= observation.tokens;
    }
  };
  stay(({ toolName }) => toolName === "Skill");
  stay(observation => steps.includes(stepNumber(observation)));
  stay(observation => edited.has(refKey(observation)));
  return whole;
}

const stepNumber = ({ turn, step }: Observation): string => `${turn} ${step}`;

/** Readings of the newest turn whose file it has changed: what its edits are made on. */
function readsOfEditedFiles({ turn, reads, changed }: Pick<FoldView, "turn" | "reads" | "changed">): Set<string> {
  const edited = [...reads].filter(([uri]) => changed.get(uri)?.turn === turn);
  return new Set(edited.flatMap(([, standing]) => standing.map(refKey)));
}
