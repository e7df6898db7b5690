/** Which observations are folded to one line each for want of room (docs/context.md); when it pays says `foldPrice.ts`. Pure. */
import type { ResultRef } from "../../shared/compaction";
import { turnForm } from "../context/compose";
import { type Conversation, refKey } from "../history/conversation";
import { PartSizes } from "./partSizes";

/** of the limit: what is left of observations after a fold, and what has to come before the next one */
const LEFT = 1 / 4;
const NEW_CONTENT = 1 / 4;
const NEWEST_STEPS = 10;
/** of the window: what observations may take with the readings that this turn still has to edit */
const WITH_READINGS = 1 / 2;
/** of that: what these may take; more of them is no work on files but looking around */
const READINGS = 0.8;

/** A tool's result as it would be sent now. Tokens are estimates. */
export interface FoldableResult extends ResultRef {
  /** turn and step it was made in, or the later ones that point to it instead of repeating its text */
  turn: number;
  step: number;
  /** folding leaves it as long as there is room */
  staysWhole: boolean;
  tokens: number;
  /** in its folded form; the same as `tokens` where it is folded already or nothing is won */
  foldedTokens: number;
}

/** What it counts towards the limit: what is folded, or would get no shorter, is of no interest to folding. */
const weight = ({ tokens, foldedTokens }: FoldableResult): number => (foldedTokens < tokens ? tokens : 0);

export interface FoldInput {
  conversation: Conversation;
  /** `strata.context.foldAt`: 0 is off, null as the price says */
  foldAt: number | null;
  /** tokens of the model's context window */
  window: number;
  sizes?: PartSizes;
}

/** Tokens of observations above which the oldest are folded; 0: never. Where the price says it, what the window has room for. */
export const foldLimit = (foldAt: number | null, window: number): number => Math.min(foldAt ?? window, window / 4);

/** The tokens of observations that a fold leaves, if so much can be folded. */
export const foldTarget = (limit: number): number => limit * LEFT;

/** What to fold for want of room before the next request, oldest first; empty: nothing. */
export function resultsToFold({ conversation, foldAt, window, sizes }: FoldInput): ResultRef[] {
  const limit = foldLimit(foldAt, window);
  if (limit === 0 || conversation.observedTokens < limit * NEW_CONTENT) return [];
  const observations = observationsIn(conversation, conversation.settled, sizes);
  const total = totalTokens(observations);
  if (total <= limit) return [];
  const most = Math.min(foldAt ?? window, WITH_READINGS * window);
  const readings = totalTokens(observations.filter(isToBeEdited(conversation)));
  const held = most > limit && readings <= READINGS * most ? readings : 0;
  if (total - held <= limit && total <= most) return [];
  return foldDownTo(foldTarget(limit) + held, observations, limit, conversation, held);
}

/** All results of a conversation, oldest first. @param settled the newest turn whose results are sent as kept */
export function observationsIn(
  { messages, restated }: Conversation,
  settled: number,
  sizes: PartSizes = new PartSizes(),
): FoldableResult[] {
  const pointed = new Map(restated.map(({ of, turn, step }) => [refKey(of), { turn, step }]));
  const observations: FoldableResult[] = [];
  for (const message of messages) {
    const { turn = 0, step = 0 } = message.metadata ?? {};
    for (const { callId, output, folded, staysWhole } of sizes.of(message, turnForm(message, settled))) {
      if (callId === undefined) continue;
      const ref = { messageId: message.id, callId };
      const place = (pointed.size > 0 && pointed.get(refKey(ref))) || { turn, step };
      observations.push({ ...ref, ...place, staysWhole, tokens: output, foldedTokens: folded });
    }
  }
  return observations.sort((a, b) => a.turn - b.turn || a.step - b.step);
}

/** Of those that folding would make shorter. */
export const totalTokens = (observations: readonly FoldableResult[]): number =>
  observations.reduce((sum, observation) => sum + weight(observation), 0);

/**
 * Folds from the oldest until `target` tokens of observations are left, or all that may be folded is.
 * @param observations oldest first
 * @param held tokens of readings that stay beside what stays else
 */
export function foldDownTo(
  target: number,
  observations: readonly FoldableResult[],
  limit: number,
  view: Conversation,
  held = 0,
): ResultRef[] {
  const whole = keptWhole(observations, foldTarget(limit) + held, view);
  const folded: ResultRef[] = [];
  let left = totalTokens(observations);
  for (const observation of observations) {
    if (left <= target) break;
    const { messageId, callId, tokens, foldedTokens } = observation;
    if (foldedTokens === tokens || whole.has(observation)) continue;
    folded.push({ messageId, callId });
    left -= tokens;
  }
  return folded;
}

/**
 * The newest step, whatever it takes; then, as far as `room` goes: skills, readings that this turn has yet to edit, those of
 * files that this turn or the one before has changed, the newest steps.
 */
function keptWhole(observations: readonly FoldableResult[], room: number, view: Conversation): Set<FoldableResult> {
  const newestFirst = observations.toReversed();
  const steps = [...new Set(newestFirst.map(stepNumber))].slice(0, NEWEST_STEPS);
  const edited = readsOfEditedFiles(view);
  const whole = new Set(newestFirst.filter(observation => stepNumber(observation) === steps[0]));
  let left = room - totalTokens([...whole]);
  const stay = (wanted: (observation: FoldableResult) => boolean) => {
    for (const observation of newestFirst) {
      if (whole.has(observation) || !wanted(observation) || observation.tokens > left) continue;
      whole.add(observation);
      left -= observation.tokens;
    }
  };
  stay(({ staysWhole }) => staysWhole);
  stay(isToBeEdited(view));
  stay(observation => edited.has(refKey(observation)));
  stay(observation => steps.includes(stepNumber(observation)));
  return whole;
}

const stepNumber = ({ turn, step }: FoldableResult): string => `${turn} ${step}`;

/** Readings of this turn, of files that it has not changed: folded, they would have to be read again before an edit. */
function isToBeEdited({ turn, reads, changed }: Conversation) {
  const waiting = [...reads].filter(([uri]) => changed.get(uri)?.turn !== turn);
  const keys = new Set(waiting.flatMap(([, standing]) => standing.map(refKey)));
  return (observation: FoldableResult) => observation.turn === turn && keys.has(refKey(observation));
}

/** Readings of files that this turn or the one before has changed: what edits are made on. */
function readsOfEditedFiles({ turn, reads, changed }: Conversation): Set<string> {
  const edited = [...reads].filter(([uri]) => (changed.get(uri)?.turn ?? Number.NEGATIVE_INFINITY) >= turn - 1);
  return new Set(edited.flatMap(([, standing]) => standing.map(refKey)));
}
