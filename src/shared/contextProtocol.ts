/**
 * What the view of the context asks the host. All tokens but `counted` are estimates as manifests have them, so that what is
 * shown can be compared with the log to the token.
 */
import * as z from "zod";
import { contextStrata, manifestSchema, trustSchema } from "./manifest";
import { usageSchema } from "./messages";
import { act, ask } from "./panelRequest";

/** What a piece of a request is. `server`: its tools together; `turn`: all messages of one */
const pieceKindSchema = z.enum([
  ...(["prompt", "facts", "tool", "tools", "server", "skills"] as const),
  ...(["rules", "skill", "plan", "attachment", "instructions"] as const),
  ...(["turn", "summary", "ledger", "you", "answer", "result", "reminder", "tail"] as const),
]);
export type PieceKind = z.infer<typeof pieceKindSchema>;

const pieceSchema = z.object({
  kind: pieceKindSchema,
  /** a person's words, a path, a name; "" where the kind says it all */
  name: z.string(),
  tokens: z.int(),
  trust: trustSchema,
});

const contextRowSchema = pieceSchema.extend({
  /** names it among the rows of the next request */
  key: z.string(),
  stratum: z.enum(contextStrata),
  /** the turn that it is or came with; of a summary, the last one that it is about */
  turn: z.int().optional(),
  /** of a summary: the first one */
  from: z.int().optional(),
  /** of a summary: when it was made, ms since the epoch */
  at: z.number().optional(),
  /** of a turn: how many of its outputs are one line each by now */
  folded: z.int().optional(),
  /** of a server: how many tools of it are in the request */
  tools: z.int().optional(),
});
export type ContextRow = z.infer<typeof contextRowSchema>;

const lastCompactionSchema = z.object({
  compactionId: z.string(),
  /** in the provider's count */
  before: z.int(),
  after: z.int(),
  can: z.enum(["undo", "redo"]),
});
export type LastCompaction = z.infer<typeof lastCompactionSchema>;

const contextViewSchema = z.object({
  /** by the provider's measure, as the meter's; an estimate of that where no provider counted yet */
  counted: z.int(),
  /** of all segments of the next request */
  tokens: z.int(),
  window: z.int(),
  /** tokens from which on history is compacted */
  compactAt: z.int(),
  /** heaviest first */
  strata: z.array(z.object({ stratum: z.enum(contextStrata), tokens: z.int() })),
  /** of turns the newest only; `turns` says how many there are */
  rows: z.array(contextRowSchema),
  turns: z.int(),
  /** the compaction that can be taken back or made again; absent: none */
  last: lastCompactionSchema.optional(),
  /** it was undone: none begins by itself */
  held: z.boolean(),
  /** by the whole session */
  spent: usageSchema,
  /** US dollars by all sessions today; absent: none keeps it */
  today: z.number().optional(),
});
export type ContextView = z.infer<typeof contextViewSchema>;

/** `was`: what it took in the request before, where it stood there in another form or text */
const changedPieceSchema = pieceSchema.extend({ was: z.int().optional() });
export type ChangedPiece = z.infer<typeof changedPieceSchema>;

/** The first of them; `count` and `tokens` are of all. */
const piecesSchema = z.object({ count: z.int(), tokens: z.int(), first: z.array(changedPieceSchema) });
export type ContextPieces = z.infer<typeof piecesSchema>;

const ofManifest = { turn: true, step: true, attempt: true, purpose: true, ts: true, model: true } as const;
const sentRequestSchema = manifestSchema.pick({ ...ofManifest, cause: true, unexplained: true }).extend({
  /** its line in the log of requests, from 1 */
  number: z.int(),
  tokens: z.int(),
  /** of these, what the one before began with too */
  shared: z.int(),
  /** by the provider: of an answer that came; absent: none did, or it reported nothing */
  usage: usageSchema.pick({ input: true, output: true, cachedInput: true, cost: true }).optional(),
  /** until then the provider keeps its beginning, ms since the epoch; absent: that is not known */
  warmUntil: z.number().optional(),
  added: piecesSchema,
  removed: piecesSchema,
  changed: piecesSchema,
});
export type RequestLine = z.infer<typeof sentRequestSchema>;

export const contextRequests = {
  /** what the next request would hold as things are; nothing is sent */
  contextView: ask({}, contextViewSchema),
  /** turns before that one, newest first */
  contextTurns: ask({ before: z.int() }, z.object({ rows: z.array(contextRowSchema) })),
  /** requests that were sent, newest first; `before`: those before that number */
  sentRequests: ask(
    { before: z.int().optional() },
    z.object({
      requests: z.array(sentRequestSchema),
      hasOlder: z.boolean(),
      /** lines among them that cannot be read */
      unreadable: z.int(),
    }),
  ),
  /** a request exactly as it was sent, in a read-only editor */
  openRequest: act({ number: z.int() }),
  /** what a row of the next request holds, as it would be sent, in a read-only editor; a rules file as a file */
  openContextRow: act({ key: z.string() }),
} as const;
