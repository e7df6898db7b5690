/** Counts tokens (o200k) of requests as they reach the model, and what a provider with a perfect prefix cache has of them. */
import { createHash } from "node:crypto";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** What is counted of a message: the same of one that reached the model and of one that would have. */
export interface CountedMessage {
  role: string;
  content: string | readonly { type: string }[];
}

export interface Bill {
  requests: number;
  sent: number;
  /** what no request before began with */
  fresh: number;
  /** fresh + 0.1 × cached */
  effective: number;
  /** of the largest request */
  largest: number;
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

export class Meter {
  readonly bill: Bill = { requests: 0, sent: 0, fresh: 0, effective: 0, largest: 0 };
  /** beginnings of the requests so far: each hash is of all pieces up to one */
  private readonly beginnings = new Set<string>();

  /** @param pieces tools and messages, in the order of the request. Gives its tokens. */
  count(pieces: readonly (readonly string[])[]): number {
    let [sent, cached, hash] = [0, 0, ""];
    for (const texts of pieces) {
      const tokens = texts.reduce((sum, text) => sum + tokensOf(text), PER_MESSAGE);
      hash = createHash("sha1").update(hash).update(texts.join("\0")).digest("base64");
      sent += tokens;
      if (this.beginnings.has(hash)) cached += tokens;
      else this.beginnings.add(hash);
    }
    this.add(sent, sent - cached);
    return sent;
  }

  add(sent: number, fresh: number): void {
    const { bill } = this;
    bill.requests += 1;
    bill.sent += sent;
    bill.fresh += fresh;
    bill.effective += fresh + 0.1 * (sent - fresh);
    bill.largest = Math.max(bill.largest, sent);
  }
}
