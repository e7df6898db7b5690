/** Which observations are folded to one line each for want of room (docs/context.md), and what parts of messages take in each form. */
import type { ResultRef } from "../../../shared/compaction";
import type { StrataMessage } from "../../../shared/messages";
import { estimateTokens } from "../../ground/text/estimate";
import { type Conversation, refKey, type ToolOutput } from "../../log/conversation";
import { type Form, inputOf, outputForm, turnForm } from "../compose";

/** of the limit: what a fold leaves of observations */
const LEFT = 1 / 4;

/** A tool's result as it would be sent now. Tokens are estimates. */
export interface FoldableResult extends ResultRef {
  /** turn and step it was made in, or the later step that points to it instead of repeating its text */
  turn: number;
  step: number;
  tokens: number;
  /** in its folded form; the same as `tokens` where it is folded already or nothing is won */
  foldedTokens: number;
}

/** The tokens of observations that a fold leaves, if so much can be folded. */
export const foldTarget = (limit: number): number => limit * LEFT;

/**
 * What to fold before the next request, oldest first; empty: nothing. Only the turn that runs folds by itself.
 * @param limit tokens that its results may take
 */
export function resultsToFold(conversation: Conversation, limit: number, sizes: PartSizes): ResultRef[] {
  const { turn, messages } = conversation;
  const running = messages.filter(({ metadata }) => metadata?.turn === turn);
  const own = observationsIn({ ...conversation, messages: running }, turn - 1, sizes);
  return totalTokens(own) > limit ? foldDownTo(foldTarget(limit), own, conversation) : [];
}

/** All results that are sent, oldest first. @param settled the newest turn whose results are sent as kept */
export function observationsIn(
  { messages, restated, brief, turn }: Conversation,
  settled: number,
  sizes: PartSizes = new PartSizes(),
): FoldableResult[] {
  const pointed = new Map(restated.map(({ of, step }) => [refKey(of), step]));
  const observations: FoldableResult[] = [];
  for (const message of messages) {
    const form = turnForm(message, { settled, brief });
    if (form === "brief") continue;
    const { turn: own = 0, step = 0 } = message.metadata ?? {};
    for (const { callId, output, folded } of sizes.of(message, form)) {
      if (callId === undefined) continue;
      const ref = { messageId: message.id, callId };
      const later = own === turn ? pointed.get(refKey(ref)) : undefined;
      observations.push({ ...ref, turn: own, step: later ?? step, tokens: output, foldedTokens: folded });
    }
  }
  return observations.sort((a, b) => a.turn - b.turn || a.step - b.step);
}

/** Of those that folding would make shorter. */
export const totalTokens = (observations: readonly FoldableResult[]): number =>
  observations.reduce((sum, { tokens, foldedTokens }) => sum + (foldedTokens < tokens ? tokens : 0), 0);

/**
 * Folds until `target` tokens of observations are left: from the oldest, reads of files that are being worked on last. The newest step
 * stays, whatever it takes.
 * @param observations oldest first
 */
export function foldDownTo(
  target: number,
  observations: readonly FoldableResult[],
  { turn, reads, changed }: Conversation,
): ResultRef[] {
  const newest = observations.at(-1);
  const edited = [...reads].filter(([uri]) => changed.get(uri)?.turn === turn);
  const worked = new Set(edited.flatMap(([, standing]) => standing.map(refKey)));
  const may = observations.filter(
    each => each.foldedTokens < each.tokens && !(each.turn === newest?.turn && each.step === newest.step),
  );
  const inOrder = [...may.filter(each => !worked.has(refKey(each))), ...may.filter(each => worked.has(refKey(each)))];
  const folded = new Set<FoldableResult>();
  let left = totalTokens(observations);
  for (const observation of inOrder) {
    if (left <= target) break;
    folded.add(observation);
    left -= observation.tokens;
  }
  return may.filter(each => folded.has(each)).map(({ messageId, callId }) => ({ messageId, callId }));
}

/** A part of a message as it is sent: all but its output, its output, that folded. Estimates. */
interface PartSize {
  /** of a result; absent: it is none */
  callId?: string;
  rest: number;
  output: number;
  folded: number;
}

/** Sizes of messages: counted once for each state of a message, since it is replaced when it changes. */
export class PartSizes {
  private readonly known = new Map<Form, WeakMap<StrataMessage, PartSize[]>>();

  of(message: StrataMessage, form: Form): PartSize[] {
    const known = this.known.get(form) ?? new WeakMap<StrataMessage, PartSize[]>();
    const sizes = known.get(message) ?? message.parts.map(part => sizeOf(part, form));
    this.known.set(form, known.set(message, sizes));
    return sizes;
  }
}

function sizeOf(part: StrataMessage["parts"][number], form: Form): PartSize {
  if (part.type !== "dynamic-tool" || part.state !== "output-available") {
    return { rest: estimateTokens(JSON.stringify(part)), output: 0, folded: 0 };
  }
  const result = part.output as ToolOutput;
  const output = estimateTokens(result[outputForm(result, form)]);
  return {
    callId: part.toolCallId,
    rest: estimateTokens(JSON.stringify(inputOf(part, form))),
    output,
    folded: Math.min(output, estimateTokens(result.folded)),
  };
}
