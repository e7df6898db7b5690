/** Finding: words in the conversation, with what counts as a match for both sides, and what a mention that is typed may become. */
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

/** One of what a mention that is being typed may become: in a document, and in the panel's menu. */
const mentionItemSchema = z.object({
  kind: z.enum(["file", "folder", "attachment", "resource"]),
  /** as it is written into the text: `@src/a.ts`, `@src/`, `@"my notes.md"`, `@problems` */
  mention: z.string(),
  /** for people: the path, or the attachment's name */
  label: z.string(),
  /** UTF-16 offsets in `label` of what was typed */
  positions: z.array(z.int()),
  /** what it is, beside the path */
  hint: z.string().optional(),
  /** the folder whose contents are listed: choosing it ends the mention, where choosing another one opens it */
  here: z.literal(true).optional(),
  /** a server, or a template of resources: choosing it goes on with what stands behind it */
  open: z.literal(true).optional(),
});
export type MentionItem = z.infer<typeof mentionItemSchema>;

const completionSchema = z.object({
  /** best first */
  items: z.array(mentionItemSchema),
  /** not all files are known yet: asked again, there may be more */
  indexing: z.boolean(),
});
export type MentionCompletion = z.infer<typeof completionSchema>;

/** What a mention names, as it would be decided if the message were sent now. */
const mentionStateSchema = z.enum(["file", "folder", "attachment", "resource", "missing", "outside"]);
export type MentionState = z.infer<typeof mentionStateSchema>;

/** Requests of the panel about mentions (docs/context.md). */
export const mentionRequests = {
  /** What the mention that is being typed may become. `query`: what stands between its `@` and the cursor, unquoted */
  completeMention: ask({ query: z.string() }, completionSchema),
  /** `mentions` as they stand in the text; the states in the same order */
  mentionStates: ask({ mentions: z.array(z.string()) }, z.object({ states: z.array(mentionStateSchema) })),
  /** Paths, with `:line[:column]` too, and URIs as mentions, in the same order; null: nothing of the workspace is there */
  mentionPlaces: ask({ places: z.array(z.string()) }, z.object({ mentions: z.array(z.string().nullable()) })),
} as const;
