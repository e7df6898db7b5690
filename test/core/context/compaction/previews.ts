/** Plans by the sizes of their conversations: what their tests are made of. */
import assert from "node:assert/strict";
import {
  type CompactionPreview,
  type PreviewInput,
  previewCompaction,
} from "../../../../src/core/context/compaction/preview";
import { type Conversation, refKey } from "../../../../src/core/log/conversation";
import { conversationOf, type RoundSpec, type Step, tokensOf } from "./histories";

/** As one sees it: `turn fate before→after` an item. */
export const asLines = ({ items }: CompactionPreview) =>
  items.map(({ turn, fate, tokens }) => `${turn} ${fate} ${tokens.before}→${tokens.after}`);

/** `count` rounds of one user's message, from turn `from` on. */
export const plain = (count: number, tokens: number, from = 1): RoundSpec[] =>
  Array.from({ length: count }, (_, at) => ({ turn: from + at, user: tokens }));
export const reading = (shown: number, says = 0): Step => ({ says, results: [{ shown }] });
export const running = (turn: number, steps: Step[], user = 100): RoundSpec => ({ turn, user, steps });
export const pinned = (...turns: number[]): Partial<Conversation> => ({ pins: new Set(turns) });
export const idle: Partial<Conversation> = { turnOpen: false };

/** A window of 100,000: history may take 50,000, with the turns that are kept 70,000; 25,000 tokens of observations before they are folded. */
export function plan(
  rounds: RoundSpec[],
  { more = {}, ...input }: { more?: Partial<Conversation> } & Partial<PreviewInput> = {},
): CompactionPreview {
  return previewCompaction({
    conversation: conversationOf(rounds, more),
    ...{ window: 100_000, memory: "lean", fixedTokens: 5_000, summaryTokens: 0, mode: "threshold" },
    keepRounds: input.mode === "manual" ? null : 1,
    tokensOf,
    ...input,
  });
}

export type Expected = Partial<Omit<CompactionPreview, "items" | "folded">> & { lines?: string[]; folded?: string[] };

export function check(name: string, of: CompactionPreview, expected: Expected) {
  it(name, () => {
    const { items, folded, ...rest } = of;
    const seen = { ...rest, lines: asLines(of), folded: folded.map(refKey) };
    const looked = Object.fromEntries(Object.keys(expected).map(key => [key, seen[key as keyof typeof seen]]));
    assert.deepEqual(looked, expected);
    if (!("unneeded" in expected)) assert.equal(of.unneeded, undefined);
  });
}
