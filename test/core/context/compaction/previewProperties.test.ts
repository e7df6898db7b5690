/** What holds for the plan of any conversation (docs/context.md). */
import assert from "node:assert/strict";
import type { ModelMessage } from "ai";
import fc from "fast-check";
import { observationsIn } from "../../../../src/core/context/ages";
import type { CompactionPreview, PreviewInput } from "../../../../src/core/context/compaction/preview";
import { groupByTurn, previewCompaction } from "../../../../src/core/context/compaction/preview";
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
  beside: fc.nat(6_000),
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
  "token sums add up: of the request, of what is really left": (plan, { conversation, beside, window }) => {
    const size = (messages: StrataMessage[]) => historyTokens(conversation, messages);
    const gone = conversation.messages.filter(({ id }) => plan.removed.includes(id));
    assert.equal(plan.tokens.before, beside + size(conversation.messages));
    const room = Math.min(2_600, 0.08 * window, Math.max(300, Math.round(size(gone) / 2)));
    const then = { ...conversation };
    foldResults(then, plan.folded);
    const left = then.messages.filter(message => !plan.removed.includes(message.id));
    assert.equal(plan.tokens.after, beside + size(left) + (gone.length > 0 ? room : 0));
    const turns = (messages: StrataMessage[]) => groupByTurn(messages).length;
    const { summarised, kept, pinned } = plan.rounds;
    assert.deepEqual([summarised, kept + pinned], [turns(gone), turns(left)]);
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
    const starts = newest.messages.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
    const round = {
      opening: newest.messages.slice(0, starts[0]),
      steps: starts.map((start, step) => newest.messages.slice(start, starts[step + 1])),
    };
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
    const then = { ...conversation };
    foldResults(then, plan.folded);
    const stays = then.messages.filter(({ id }) => !gone.has(id));
    const left = historyTokens(conversation, stays);
    const must = new Set([...conversation.pins, all.at(-1)?.turn]);
    const kept = new Set([...must, ...all.slice(-keepRounds).map(({ turn }) => turn)]);
    const areKept = groupByTurn(stays).every(({ turn }) => kept.has(turn));
    const most = input.keepRounds !== null && mode !== "retry" && areKept ? 0.7 * window : window / 2;
    if (groupByTurn(stays).some(({ turn }) => !must.has(turn))) assert.ok(left <= most, `${left} of ${window}`);
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
