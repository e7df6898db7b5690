/** The ledger: what people said in turns that left requests, as compactions record it (docs/context.md, docs/formats.md). */
import * as z from "zod";

/** Where words come from. */
const saidSchema = z.object({
  /** a message, an answer to a question, a decision about a call */
  recordId: z.string(),
  turn: z.int(),
  /** the question that they answer: the agent's wording */
  asked: z.string().optional(),
  /** They are options that the agent offered: the person chose them, the wording is the agent's. */
  chosen: z.literal(true).optional(),
  /** the tool whose call they deny */
  denied: z.string().optional(),
});
export type StatementSource = z.infer<typeof saidSchema>;

/** Tells words of one record apart: a form has several questions, an answer options and words beside them. */
export const wordsKey = ({ recordId, asked, chosen }: Pick<StatementSource, "recordId" | "asked" | "chosen">): string =>
  JSON.stringify([recordId, asked, chosen]);

const ledgerPieceSchema = z.object({
  /** verbatim but for whitespace */
  text: z.string(),
  /** something before it is left out */
  gap: z.literal(true).optional(),
  /** somebody else may have written it: code, a log, a quoted line; of older versions only */
  foreign: z.enum(["block", "line"]).optional(),
});
export type LedgerPiece = z.infer<typeof ledgerPieceSchema>;

const ledgerEntrySchema = saidSchema.extend({
  /** in their order */
  pieces: z.array(ledgerPieceSchema),
  /** something behind the last piece is left out; of older versions only */
  cut: z.literal(true).optional(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** The ledger as one compaction left it; older versions had several pages. */
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
