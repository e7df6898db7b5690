/** What requests cost by the rules of providers: which of their beginnings a cache has, and what the rest is worth. */
import type { ModelPrices } from "../../../src/shared/messages";

/** A block of a request: tools, a part of a message. */
export interface Block {
  /** names its text, and all before it */
  key: string;
  tokens: number;
  /** a mark of Anthropic's stands at its end */
  isMarked: boolean;
}

interface PriceRule {
  /** what a session is told; undefined: nothing */
  prices?: ModelPrices;
  /** Tokens of fresh input that a request costs as much as; `requests` come in their order. */
  meter(): (request: readonly Block[]) => number;
}

const sum = (blocks: readonly Block[]): number => blocks.reduce((all, { tokens }) => all + tokens, 0);

/** So many blocks at the beginning are known. */
function knownBlocks(request: readonly Block[], known: ReadonlySet<string>): number {
  const at = request.findIndex(({ key }) => !known.has(key));
  return at < 0 ? request.length : at;
}

/** @param cached what a token costs that any request before had at its place @param least tokens, and in steps of `step` */
function byItself(cached: number, { least, step }: { least: number; step: number }): PriceRule["meter"] {
  return () => {
    const known = new Set<string>();
    return request => {
      const all = sum(request);
      const shared = sum(request.slice(0, knownBlocks(request, known)));
      const hit = shared < least ? 0 : shared - (shared % step);
      for (const { key } of request) known.add(key);
      return all - (1 - cached) * hit;
    };
  };
}

/** Blocks that Anthropic looks back from a mark; tokens of the shortest beginning that it keeps. */
const LOOK_BACK = 20;
const LEAST = 1_024;

/** Kept is what a mark stood behind; found what stands at most 20 blocks before one. Both by the marks that the session set. */
function byMarks(read: number, write: number): ReturnType<PriceRule["meter"]> {
  const kept = new Set<string>();
  return request => {
    const sizes: number[] = [];
    for (const { tokens } of request) sizes.push((sizes.at(-1) ?? 0) + tokens);
    const marks = request.flatMap(({ isMarked }, at) => (isMarked && (sizes[at] ?? 0) >= LEAST ? [at] : []));
    const found = marks.flatMap(mark => {
      const back = request.slice(Math.max(0, mark - LOOK_BACK), mark + 1).findLastIndex(({ key }) => kept.has(key));
      return back < 0 ? [] : [sizes[Math.max(0, mark - LOOK_BACK) + back] ?? 0];
    });
    const hit = Math.max(0, ...found);
    const written = Math.max(hit, sizes[marks.at(-1) ?? -1] ?? 0) - hit;
    for (const mark of marks) kept.add(request[mark]?.key ?? "");
    return (sizes.at(-1) ?? 0) - (1 - read) * hit + (write - 1) * written;
  };
}

/** One place for one conversation: what the last request had is there, and costs nothing. */
function oneSlot(): ReturnType<PriceRule["meter"]> {
  let last = new Set<string>();
  return request => {
    const fresh = sum(request.slice(knownBlocks(request, last)));
    last = new Set(request.map(({ key }) => key));
    return fresh;
  };
}

const priced = (cachedInput: number, cacheWrite = 1): ModelPrices => ({
  ...{ input: 1, output: 5, cachedInput, cacheWrite },
  dearer: [],
});

const OPENAI = { least: 1_024, step: 128 };

export const PRICE_RULES = {
  default: { meter: byItself(0.1, { least: 0, step: 1 }) },
  Anthropic: { meter: () => byMarks(0.1, 1.25), prices: priced(0.1, 1.25) },
  OpenAI: { meter: byItself(0.1, OPENAI) },
  "OpenAI, half": { meter: byItself(0.5, OPENAI), prices: priced(0.5) },
  "no price": { meter: byItself(1, OPENAI), prices: priced(1) },
  "own server": { meter: oneSlot },
} satisfies Record<string, PriceRule>;

export type RuleName = keyof typeof PRICE_RULES;
export const RULES = Object.keys(PRICE_RULES) as RuleName[];
export const pricesOf = (rule: RuleName): ModelPrices | undefined => (PRICE_RULES[rule] as PriceRule).prices;
