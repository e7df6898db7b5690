/** What the model no longer sees in full, and what stands in for it. */
import * as z from "zod";
import { compactionFields, resultRefSchema } from "./compaction";
import { base } from "./recordBase";

export const compactionRecords = [
  /** Forms change: these observations are sent folded from here on, and turns that ended as their age says. */
  z.object({
    ...base,
    kind: z.literal("fold"),
    results: z.array(resultRefSchema),
    /** From here on the results of all turns up to this one are sent as kept. */
    settled: z.int().optional(),
    /** of those: results that stay as shown, as long as their turn is settled */
    whole: z.array(resultRefSchema).optional(),
    /**
     * From here on these turns are sent brief: what was said, `text` for all that was done (with its tags, as it is sent), and what the
     * model said without a call. `messageId`: the turn's last answer, before which it stands.
     */
    brief: z.array(z.object({ turn: z.int(), messageId: z.string(), text: z.string() })).optional(),
  }),
  /** A turn that no compaction summarises. */
  z.object({ ...base, kind: z.literal("pin"), turn: z.int(), pinned: z.boolean() }),
  /** Summaries took the place of messages; the records that went stand in its archive (docs/context.md). */
  z.object({ ...base, kind: z.literal("compaction"), ...compactionFields }),
  /** The originals are back in the place of that compaction's summary. */
  z.object({ ...base, kind: z.literal("undo"), compactionId: z.string() }),
  z.object({ ...base, kind: z.literal("redo"), compactionId: z.string() }),
] as const;
