/** Conversations of any shape: what property tests of folding and planning are made of. */
import fc from "fast-check";
import type { Conversation } from "../../../../src/core/log/conversation";
import { conversationOf, type RoundSpec } from "./histories";

const tokens = fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 50 }), fc.nat({ max: 600 }));
const result = fc.record({
  shown: tokens,
  kept: tokens,
  folded: fc.nat({ max: 60 }),
  tool: fc.constantFrom("Read", "Bash", "Skill"),
  isFolded: fc.boolean(),
  open: fc.constantFrom(false, false, false, true),
});
const step = fc.record({ says: tokens, results: fc.array(result, { maxLength: 4 }), steer: fc.constantFrom(0, 0, 5) });
const rounds: fc.Arbitrary<RoundSpec[]> = fc
  .array(
    fc.record({
      gap: fc.constantFrom(1, 1, 1, 4),
      user: tokens,
      notice: fc.constantFrom(0, 0, 7),
      steps: fc.array(step, { maxLength: 12 }),
    }),
    { maxLength: 14 },
  )
  .map(specs => {
    let turn = 0;
    return specs.map(({ gap, ...round }) => {
      turn += gap;
      return { ...round, turn };
    });
  });

/** What a conversation is made of, in numbers: a counterexample can be read. */
export const specs = fc.record({
  rounds,
  turnOpen: fc.boolean(),
  picks: fc.array(fc.nat(), { maxLength: 4 }),
});

export type Spec = typeof specs extends fc.Arbitrary<infer Of> ? Of : never;

/** Some rounds are pinned, some readings are pointed at by later steps, some are of files that changed. */
export function build({ rounds, picks, ...more }: Spec): Conversation {
  const conversation = conversationOf(rounds, more);
  const { messages, turn } = conversation;
  for (const pick of picks) {
    const { id, metadata } = messages[pick % Math.max(1, messages.length)] ?? {};
    if (id === undefined || !metadata) continue;
    conversation.pins.add(metadata.turn);
    const of = { messageId: id, callId: "c1" };
    conversation.restated.push({ messageId: id, step: metadata.step + (pick % 3), of });
    if (metadata.turn !== turn) continue;
    const standing = {
      messageId: id,
      callId: "c1",
      step: metadata.step,
      sha256: "s",
      first: 1,
      last: 2,
      handle: "obs:3fa9c1d2e4b5",
    };
    conversation.reads.set(id, [standing]);
    conversation.changed.set(id, { uri: id, path: id, created: false, added: 1, removed: 0, turn });
  }
  return conversation;
}
