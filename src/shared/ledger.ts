/** The ledger: what people said in turns that left requests, as compactions record it (docs/context.md, docs/formats.md). */
import * as z from "zod";

/** Where words come from. */
const saidSchema = z.object({
  /** a message, an answer to a question, a decision about a call */
  recordId: z.string(),
  turn: z.int(),
  /** the question that they answer */
  asked: z.string().optional(),
  /** the tool whose call they deny */
  denied: z.string().optional(),
});
export type Said = z.infer<typeof saidSchema>;

const ledgerEntrySchema = saidSchema.extend({
  /** Verbatim but for whitespace, in their order; `gap`: something before it is left out. */
  pieces: z.array(z.object({ text: z.string(), gap: z.literal(true).optional() })),
  /** something behind the last piece is left out */
  cut: z.literal(true).optional(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** A stretch of the ledger: what one compaction took away, or, where the room was used up, the best of all before. */
const ledgerPageSchema = z.object({
  id: z.string(),
  /** first and last turn of what was said */
  turns: z.object({ from: z.int(), to: z.int() }),
  /** oldest first */
  entries: z.array(ledgerEntrySchema),
  /** how often something was said of which no word is here */
  unsaid: z.int(),
  /** All that was said, whole, each in a blob that a handle leads to; oldest first. */
  whole: z.array(
    z.object({
      turns: z.object({ from: z.int(), to: z.int() }),
      raw: z.object({ sha256: z.string(), bytes: z.int(), inline: z.literal(false) }),
    }),
  ),
});
export type LedgerPage = z.infer<typeof ledgerPageSchema>;

/** all that stands in requests from here on, oldest first */
export const ledgerSchema = z.array(ledgerPageSchema);
