/** What holds for the plan of any conversation (docs/context.md). */
import assert from "node:assert/strict";
import type { ModelMessage } from "ai";
import fc from "fast-check";
import { observationsIn, totalTokens } from "../../../../src/core/context/compaction/fold";
import {
  type CompactionPreview,
  type PreviewInput,
  previewCompaction,
} from "../../../../src/core/context/compaction/preview";
import { groupByTurn, splitSteps } from "../../../../src/core/context/compaction/turnMessages";
import { toModelMessages } from "../../../../src/core/context/compose";
import { foldResults } from "../../../../src/core/log/applyMessage";
import { type Conversation, endedTurn, refKey } from "../../../../src/core/log/conversation";
import type { StrataMessage } from "../../../../src/shared/messages";
import { cases } from "../../../fakes/soak";
import { build, specs } from "./anyConversation";
import { tokensOf } from "./histories";

const RUNS = { numRuns: cases(1_000) };

const settings = fc.record({
  window: fc.constantFrom(4_000, 8_000, 20_000, 60_000),
  keepRounds: fc.option(fc.integer({ min: 1, max: 12 })),
  memory: fc.constantFrom("lean" as const, "plain" as const),
  fixedTokens: fc.nat(3_000),
  summaryTokens: fc.nat(3_000),
  mode: fc.constantFrom("threshold" as const, "manual" as const, "retry" as const),
  level: fc.constantFrom(1 as const, 2 as const, 3 as const, 3 as const, "all" as const),
});

const formNow = ({ turn, turnOpen }: Conversation, of: number | undefined) =>
  turnOpen && of === turn ? "shown" : "kept";
const historyTokens = (conversation: Conversation, messages: Conversation["messages"]) =>
  messages.reduce((sum, message) => sum + tokensOf(message, formNow(conversation, message.metadata?.turn)), 0);

const startsAfresh = ({ mode, level }: PreviewInput) => mode === "retry" && level === "all";

function callIds({ content }: ModelMessage, type: "tool-call" | "tool-result"): string[] {
  if (typeof content === "string") return [];
  return content.flatMap(part => (part.type === type && "toolCallId" in part ? [part.toolCallId] : []));
}

type Law = (plan: CompactionPreview, input: PreviewInput) => void;

const laws: Record<string, Law> = {
  "fates partition history": (plan, { conversation }) => {
    const ids = plan.items.flatMap(({ messageIds }) => messageIds);
    assert.deepEqual(ids.toSorted(), conversation.messages.map(({ id }) => id).toSorted());
    const gone = plan.items.filter(({ fate }) => fate === "summarised");
    assert.deepEqual(
      plan.removed,
      gone.flatMap(({ messageIds }) => messageIds),
    );
    assert.equal(plan.rounds.summarised, gone.length);
    assert.equal(plan.rounds.kept + plan.rounds.pinned + gone.length, plan.items.length);
  },

  "token sums add up: of items, of the request, of what is really left": (
    plan,
    { conversation, fixedTokens, summaryTokens, window, mode },
  ) => {
    const beside = fixedTokens + summaryTokens;
    const before = plan.items.reduce((sum, { tokens }) => sum + tokens.before, 0);
    const after = plan.items.reduce((sum, { tokens }) => sum + tokens.after, 0);
    assert.equal(plan.tokens.before, beside + before);
    assert.equal(before, historyTokens(conversation, conversation.messages));
    const gone = plan.items.reduce((sum, { fate, tokens }) => sum + (fate === "summarised" ? tokens.before : 0), 0);
    const most = Math.min(2_600, 0.08 * window);
    // Somebody may want a little summarised: by hand the room is measured by what goes.
    const room = mode === "manual" ? Math.min(most, Math.max(300, Math.round(gone / 2))) : most;
    assert.equal(plan.tokens.after, beside + after + (plan.removed.length > 0 ? room : 0));
    const then = { ...conversation };
    foldResults(then, plan.folded);
    const left = then.messages.filter(({ id }) => !plan.removed.includes(id));
    assert.equal(after, historyTokens(conversation, left));
  },

  "to start afresh, everything goes": (plan, input) => {
    if (!startsAfresh(input)) return;
    assert.deepEqual(
      plan.removed,
      input.conversation.messages.map(({ id }) => id),
    );
    assert.deepEqual([plan.folded, plan.rounds.kept, plan.rounds.pinned], [[], 0, 0]);
  },

  "a plan makes the request smaller, or says why it is not needed and changes nothing": (
    { unneeded, tokens, removed, folded, rounds },
    input,
  ) => {
    if (startsAfresh(input) && removed.length > 0) return;
    if (unneeded === undefined) {
      assert.ok(tokens.after < tokens.before);
      assert.ok(removed.length + folded.length > 0);
    } else {
      assert.ok(unneeded.endsWith("."));
      assert.deepEqual([removed, folded, rounds.summarised, tokens.after], [[], [], 0, tokens.before]);
    }
  },

  "whole rounds go, but for the first steps of a turn that runs; its opening and newest step stay": (plan, input) => {
    if (startsAfresh(input)) return;
    const { conversation } = input;
    const gone = new Set(plan.removed);
    const all = groupByTurn(conversation.messages);
    for (const round of all.slice(0, -1)) {
      const count = round.messages.filter(({ id }) => gone.has(id)).length;
      assert.ok(count === 0 || count === round.messages.length);
    }
    const newest = all.at(-1);
    if (!newest) return;
    const round = splitSteps(newest);
    const isSteering = ({ metadata }: StrataMessage) =>
      metadata?.kind === "steer" && !(input.mode === "retry" && input.level === 3);
    const said = [...round.opening, ...round.steps.flat().filter(isSteering)];
    assert.ok(
      said.every(({ id }) => !gone.has(id)),
      "what the user said stays",
    );
    const steps = round.steps.map(step => step.filter(message => !isSteering(message)));
    const fates = steps.map(step => step.filter(({ id }) => gone.has(id)).length / step.length);
    assert.ok(
      fates.every(fate => fate === 0 || fate === 1),
      "steps go whole: no pair is split",
    );
    assert.deepEqual(
      fates,
      fates.toSorted((a, b) => b - a),
      "the first ones go",
    );
    if (fates.length > 0) assert.equal(fates.at(-1), 0);
    if (!conversation.turnOpen) assert.ok(fates.every(fate => fate === 0));
    const someOlderStays = all.slice(0, -1).some(({ turn, messages: [first] }) => {
      return first && !gone.has(first.id) && !conversation.pins.has(turn);
    });
    if (fates.includes(1)) assert.ok(!someOlderStays, "older rounds go before");
  },

  "rounds stay from the newest on, as many as fit; by hand no more than keepRounds": (plan, input) => {
    const { conversation, mode, window, level } = input;
    const keepRounds = input.keepRounds ?? 10;
    if (plan.removed.length === 0 || startsAfresh(input)) return;
    const gone = new Set(plan.removed);
    const all = groupByTurn(conversation.messages);
    const goes = (turn: number) =>
      all.some(round => round.turn === turn && round.messages.every(({ id }) => gone.has(id)));
    const bare = mode === "retry" && level === 3;
    const free = all.slice(0, -1).filter(({ turn }) => bare || !conversation.pins.has(turn));
    const fates = free.map(({ turn }) => goes(turn));
    assert.deepEqual(fates, [...fates.filter(Boolean), ...fates.filter(fate => !fate)], "the oldest go");
    for (const { turn } of all) if (conversation.pins.has(turn) && !bare) assert.ok(!goes(turn), "pinned stay");
    if (mode === "manual") {
      const older = all.slice(0, -keepRounds).filter(({ turn }) => !conversation.pins.has(turn));
      assert.ok(older.every(({ turn }) => goes(turn)));
    }
    const stays = plan.items.filter(({ fate }) => fate !== "summarised");
    const left = stays.reduce((sum, { tokens }) => sum + tokens.after, 0);
    const must = new Set([...conversation.pins, all.at(-1)?.turn]);
    const kept = new Set([...must, ...all.slice(-keepRounds).map(({ turn }) => turn)]);
    const most = mode !== "retry" && stays.every(({ turn }) => kept.has(turn)) ? 0.7 * window : window / 2;
    if (stays.some(({ turn }) => !must.has(turn))) assert.ok(left <= most, `${left} of ${window}`);
  },

  "one round more would not have fitted, even with all folded that may be": (plan, input) => {
    const { conversation, mode, window, fixedTokens, summaryTokens } = input;
    const isSet = input.keepRounds !== null;
    const keepRounds = input.keepRounds ?? 10;
    // The default leaves room for turns ahead.
    if (mode !== "threshold" || plan.removed.length === 0 || plan.rounds.short?.why === "ahead") return;
    const all = groupByTurn(conversation.messages);
    const gone = new Set(plan.removed);
    const next = all.slice(0, -1).findLast(({ messages: [first] }) => first && gone.has(first.id));
    // Beside a turn that is too large alone no older one stays, however much of its first steps goes.
    if (!next || all.at(-1)?.messages.some(({ id }) => gone.has(id))) return;
    const then = { ...conversation };
    foldResults(then, observationsIn(conversation, conversation.turn));
    const with1 = then.messages.filter(({ id, metadata }) => !gone.has(id) || metadata?.turn === next.turn);
    const beside = fixedTokens + summaryTokens + Math.min(2_600, 0.08 * window);
    const must = new Set([...conversation.pins, all.at(-1)?.turn]);
    const alone = historyTokens(
      conversation,
      conversation.messages.filter(({ metadata }) => must.has(metadata?.turn)),
    );
    // Beside what is too large by itself nothing else stays.
    const most = Math.min(0.7 * window, (isSet ? 0.8 : 0.75) * window - beside);
    const least = Math.min(window / 2, 0.7 * window - beside);
    const isKept = all.length - all.indexOf(next) <= keepRounds && alone <= (isSet ? most : least);
    const room = isKept ? most : least;
    const left = historyTokens(conversation, with1);
    const newest = observationsIn(conversation, endedTurn(conversation));
    // The newest step, and what stays whole beside it, may take more than its line.
    const whole =
      totalTokens(newest) === 0 ? 0 : newest.reduce((sum, { tokens, foldedTokens }) => sum + tokens - foldedTokens, 0);
    assert.ok(left + whole > room);
  },

  "forms only move forward: what is folded stays, was whole, and gets shorter": (plan, { conversation }) => {
    const results = new Map(observationsIn(conversation, endedTurn(conversation)).map(one => [refKey(one), one]));
    for (const ref of plan.folded) {
      const one = results.get(refKey(ref));
      assert.ok(one && one.foldedTokens < one.tokens);
      assert.ok(!plan.removed.includes(ref.messageId));
    }
    assert.equal(new Set(plan.folded.map(refKey)).size, plan.folded.length);
  },

  "a call and its result are sent together, one after the other": (plan, { conversation }) => {
    const then = { ...conversation };
    foldResults(then, plan.folded);
    const left = then.messages.filter(({ id }) => !plan.removed.includes(id));
    const sent = left.flatMap(message => {
      return toModelMessages(message, formNow(conversation, message.metadata?.turn), () => undefined);
    });
    const calls = sent.map(message => callIds(message, "tool-call"));
    const results = sent.map(message => callIds(message, "tool-result"));
    assert.deepEqual(results.slice(1), calls.slice(0, -1));
    assert.deepEqual([results[0] ?? [], calls.at(-1) ?? []], [[], []]);
  },

  "is a function, and changes nothing": (plan, input) => {
    const before = structuredClone(input.conversation);
    assert.deepEqual(previewCompaction(input), plan);
    assert.deepEqual(input.conversation, before);
  },
};

describe("a plan, any conversation", () => {
  it(`keeps ${Object.keys(laws).length} laws`, () => {
    let needed = 0;
    fc.assert(
      fc.property(specs, settings, (spec, more) => {
        const input = { conversation: build(spec), ...more, tokensOf };
        const plan = previewCompaction(input);
        if (plan.unneeded === undefined) needed += 1;
        for (const [law, holds] of Object.entries(laws)) {
          try {
            holds(plan, input);
          } catch (error) {
            throw new Error(law, { cause: error });
          }
        }
      }),
      RUNS,
    );
    assert.ok(needed > RUNS.numRuns / 10, `${needed} plans were needed`);
  });
});
