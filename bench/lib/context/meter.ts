/** Counts tokens (o200k) of requests as they reach the model, and what a provider with a perfect prefix cache has of them. */
import { createHash } from "node:crypto";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { type Block, PRICE_RULES, RULES, type RuleName } from "./prices";

/** What is counted of a message: the same of one that reached the model and of one that would have. */
export interface CountedMessage {
  role: string;
  content: string | readonly { type: string }[];
  providerOptions?: unknown;
}

export interface Bill {
  requests: number;
  sent: number;
  /** what no request before began with */
  fresh: number;
  /** fresh + 0.1 × cached */
  effective: number;
  /** of the largest request, and of the last */
  largest: number;
  last: number;
  /** tokens of fresh input that all requests cost as much as */
  costs: Record<RuleName, number>;
}

const PER_MESSAGE = 4;
const known = new Map<string, number>();

export function tokensOf(text: string): number {
  if (text.length < 40) return encode(text).length;
  const key = createHash("sha1").update(text).digest("base64");
  const count = known.get(key) ?? encode(text, { allowedSpecial: new Set() }).length;
  known.set(key, count);
  return count;
}

/** The texts that a message is made of. */
export function textsOf({ content }: CountedMessage): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((part): string[] => {
    if ("text" in part) return [String(part.text)];
    if (part.type === "tool-call" && "input" in part && "toolName" in part) {
      return [`${part.toolName} ${JSON.stringify(part.input)}`];
    }
    return part.type === "tool-result" && "output" in part ? [outputText(part.output)] : [];
  });
}

export function outputText(output: unknown): string {
  return typeof output === "object" && output !== null && "value" in output ? String(output.value) : "";
}

const hashOf = (before: string, text: string): string =>
  createHash("sha1").update(before).update(text).digest("base64");

/** Tools and messages of a request, in its order, as blocks. */
function blocksOf(pieces: readonly CountedPiece[]): Block[] {
  let key = "";
  return pieces.flatMap(({ texts, isMarked }) =>
    texts.map((text, at) => {
      key = hashOf(key, `${at === 0 ? "message" : "part"} ${text}`);
      const tokens = tokensOf(text) + (at === 0 ? PER_MESSAGE : 0);
      return { key, tokens, isMarked: isMarked === true && at === texts.length - 1 };
    }),
  );
}

export interface CountedPiece {
  texts: readonly string[];
  /** a mark of the cache stands at its end */
  isMarked?: boolean;
}

export class Meter {
  readonly bill: Bill = {
    ...{ requests: 0, sent: 0, fresh: 0, effective: 0, largest: 0, last: 0 },
    costs: Object.fromEntries(RULES.map(rule => [rule, 0])) as Record<RuleName, number>,
  };
  private readonly meters = RULES.map(rule => [rule, PRICE_RULES[rule].meter()] as const);

  /** @param pieces tools and messages, in the order of the request. Gives its tokens. */
  count(pieces: readonly CountedPiece[]): number {
    const { bill } = this;
    const blocks = blocksOf(pieces);
    const sent = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
    for (const [rule, cost] of this.meters) bill.costs[rule] += cost(blocks);
    bill.requests += 1;
    bill.sent += sent;
    bill.last = sent;
    bill.largest = Math.max(bill.largest, sent);
    bill.effective = bill.costs.default;
    bill.fresh = (bill.effective - 0.1 * bill.sent) / 0.9;
    return sent;
  }
}
