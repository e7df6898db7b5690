/** Finding words in the conversation: what the panel asks, and what counts as a match for both sides. */
import * as z from "zod";
import { ask } from "./panelRequest";

const querySchema = z.object({ text: z.string(), matchCase: z.boolean(), wholeWord: z.boolean() });
export type FindQuery = z.infer<typeof querySchema>;

/** Matches in one item of the conversation. */
const hitSchema = z.object({
  key: z.string(),
  /** of the first record that has one: the order of the conversation */
  seq: z.int(),
  count: z.int(),
});
export type FindHit = z.infer<typeof hitSchema>;

const foundSchema = z.object({
  /** oldest first */
  hits: z.array(hitSchema),
  /** archives that could not be searched; absent: all were */
  missing: z.array(z.string()).optional(),
});
export type FoundInLog = z.infer<typeof foundSchema>;

/** Requests of the panel, beside those of panelProtocol.ts. */
export const findRequests = {
  /** Searches the whole log, and ends the search before it. */
  find: ask(querySchema.shape, foundSchema),
} as const;

/** More than that of one text are not counted. */
const MAX_MATCHES = 1_000;

/** Global; the same for the log and for what is drawn. A query without a character matches nothing. */
export function findExpression({ text, matchCase, wholeWord }: FindQuery): RegExp {
  const plain = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const words = wholeWord ? `(?<![\\p{L}\\p{N}_])${plain}(?![\\p{L}\\p{N}_])` : plain;
  return new RegExp(text === "" ? "(?!)" : words, matchCase ? "gu" : "giu");
}

/** Where they begin and end, at most `most` of them. */
export function matchesIn(text: string, expression: RegExp, most = MAX_MATCHES): [from: number, to: number][] {
  const found: [number, number][] = [];
  expression.lastIndex = 0;
  if (!expression.test(text)) return found;
  expression.lastIndex = 0;
  for (const match of text.matchAll(expression)) {
    if (found.length >= most) break;
    found.push([match.index, match.index + match[0].length]);
  }
  return found;
}
