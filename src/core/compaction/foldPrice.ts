/**
 * When folding pays (docs/context.md). What is carried costs the price of cached tokens with each request; folding it makes all
 * that stands behind it fresh once. So, as one rents skis until renting has cost as much as buying, observations are
 * folded when carrying them has cost as much as that break. What the model may still need waits. Pure.
 */
import type { ResultRef } from "../../shared/compaction";
import type { StrataMessage, Usage } from "../../shared/messages";
import { turnForm } from "../context/compose";
import { type Conversation, refKey } from "../history/conversation";
import { foldLimit, resultsToFold } from "./fold";
import type { PartSizes } from "./partSizes";

/**
 * Tokens that folding has to win in all: fewer cost next to nothing, and the model rather has them. Where the window has no room for
 * so many observations, room decides when to fold and not the price.
 */
const FEW = 16_000;
/** Steps for which every observation stays whole; for which a reading does that its turn may still edit; the longest. */
const HOLD = 3;
const HOLD_UNEDITED = 5;
const HOLD_LONGEST = 30;
/** steps more for each reading in so many that had to be read again */
const HOLD_AGAIN = 40;
/** readings that a session folds before its own rate counts for half */
const PRIOR = 4;
/** of the rate: what counts for readings of files that nobody works on */
const ELSEWHERE = 1 / 3;
/** what a cached token costs of a fresh one, where nobody knows the prices */
const CACHED = 0.1;
/** requests, about, until a fold or a compaction breaks the prefix anyway */
const UNTIL_BREAK = 10;

/** What tokens cost, of one that no cache has or takes: from the provider's cache, and when they are put there. */
interface TokenRates {
  cached: number;
  written: number;
}

/** @param usage of the newest answer: what it was reckoned with */
function tokenRates(usage: Usage | undefined): TokenRates {
  const { input = 0, cachedInput, cacheWrite } = usage?.prices ?? {};
  if (input === 0 || cachedInput === undefined) return { cached: CACHED, written: 1 };
  return { cached: Math.min(1, cachedInput / input), written: Math.max(1, (cacheWrite ?? input) / input) };
}

/**
 * What to fold before the next request, oldest first; ended turns pass to their kept forms with it.
 * @returns undefined: neither is worth it
 * @param foldAt `strata.context.foldAt`: null: as the price says; 0: nothing, and ended turns settle whatever that costs
 */
export function nextFold(
  conversation: Conversation,
  { foldAt, window, sizes }: { foldAt: number | null; window: number; sizes: PartSizes },
): ResultRef[] | undefined {
  const rates = tokenRates(conversation.usage);
  const forRoom = resultsToFold({ conversation, foldAt, window, sizes });
  const byPrice = forRoom.length === 0 && foldAt === null && foldLimit(foldAt, window) >= FEW;
  const results = byPrice ? foldsThatPay(conversation, rates, sizes) : forRoom;
  return results.length > 0 || hasToSettle(conversation, foldAt, rates, sizes) ? results : undefined;
}

/**
 * Whether what ended turns would save as kept pays for making all that follows fresh once; else they wait for a break that
 * comes anyway. Asked before the first request of a turn: what it adds only makes that dearer.
 */
function hasToSettle(
  { messages, turn, step, settled }: Conversation,
  foldAt: number | null,
  rates: TokenRates,
  sizes: PartSizes,
): boolean {
  if (step > 0 || settled >= turn - 1) return false;
  let [saved, behind] = [0, 0];
  for (const message of messages) {
    if (turnForm(message, settled) === "kept") continue;
    const then = sizes.of(message, "kept");
    for (const [at, now] of sizes.of(message, "shown").entries()) {
      const kept = then[at] ?? now;
      saved += now.rest + now.output - kept.rest - kept.output;
      if (saved > 0) behind += kept.rest + kept.output;
    }
  }
  return foldAt === 0 ? saved > 0 : saved * rates.cached * UNTIL_BREAK > behind * (rates.written - rates.cached);
}

/**
 * What to fold before the next request, oldest first; empty: nothing pays. All that is due behind one place goes together: the
 * place is the one where what carrying has cost, since each was due, is furthest above the price of the break.
 */
function foldsThatPay(view: Conversation, rates: TokenRates, sizes: PartSizes): ResultRef[] {
  const ages = stepAges(view);
  const holds = readingHolds(view);
  const due: ResultRef[] = [];
  let [carried, behind, most, pays, total] = [0, 0, 0, 0, 0];
  for (const message of view.messages.toReversed()) {
    for (const size of sizes.of(message, turnForm(message, view.settled)).toReversed()) {
      behind += size.rest;
      const ref = { messageId: message.id, callId: size.callId ?? "" };
      const won = size.output - size.folded;
      total += won;
      const dueFor = ages.of(message, ref) - (holds.get(refKey(ref)) ?? HOLD);
      if (size.staysWhole || won === 0 || dueFor < 0) {
        behind += size.output;
        continue;
      }
      due.push(ref);
      carried += rates.cached * won * dueFor;
      behind += size.folded;
      const gain = carried - (rates.written - rates.cached) * behind;
      if (gain > most) [most, pays] = [gain, due.length];
    }
  }
  return total < FEW ? [] : due.slice(0, pays).toReversed();
}

/** How many steps ago a result was made, or pointed to instead of being repeated. */
function stepAges({ messages, restated }: Conversation) {
  const steps = messages.filter(({ role }) => role === "assistant");
  const ages = new Map(steps.map(({ id }, at) => [id, steps.length - 1 - at]));
  const pointed = new Map(restated.map(({ of, messageId }) => [refKey(of), messageId]));
  return {
    of: (message: StrataMessage, ref: ResultRef): number => ages.get(pointed.get(refKey(ref)) ?? message.id) ?? 0,
  };
}

/**
 * By result (`refKey`): the steps for which readings that still stand stay whole. Longer in a session in which what was folded
 * had to be read again: a step more for a person to wait for, beside its tokens.
 */
function readingHolds({ turn, reads, changed, rereading }: Conversation): Map<string, number> {
  const learnt = (HOLD_AGAIN * rereading.again) / (rereading.folded + PRIOR);
  const holds = new Map<string, number>();
  for (const [uri, standing] of reads) {
    const lastChange = changed.get(uri)?.turn ?? Number.NEGATIVE_INFINITY;
    for (const read of standing) {
      const isUnedited = read.turn === turn && lastChange < turn;
      const isWorkedOn = isUnedited || lastChange >= turn - 1;
      const hold = Math.max(isUnedited ? HOLD_UNEDITED : HOLD, isWorkedOn ? learnt : learnt * ELSEWHERE);
      holds.set(refKey(read), Math.min(HOLD_LONGEST, hold));
    }
  }
  return holds;
}
