/** A call that was refused, and what it would have done: later calls that would do the same ask. */
import * as z from "zod";

/** What a refused call would have done, as far as later calls can be compared with it. */
const denialFactsSchema = z.object({
  /** what it would have changed: absolute paths, '/' separators; of a foreign tool's input also ends of paths: `data/a.csv` */
  files: z.array(z.string()),
  /** those of them that would be gone or emptied: a file in such a folder counts too */
  removes: z.array(z.string()),
  /** what it would only have read */
  reads: z.array(z.string()),
  /** programs and foreign tools: the deed, then each word that mattered: ["git:push", "main"] */
  acts: z.array(z.array(z.string())),
  /** machines that it would have reached */
  hosts: z.array(z.string()),
});
export type DenialFacts = z.infer<typeof denialFactsSchema>;

/** Its id and time are its record's. */
export const denialSchema = z.object({
  callId: z.string(),
  toolName: z.string(),
  /** what it would have done, without secrets: "Run `npm test`" */
  title: z.string(),
  by: z.enum(["user", "rule", "hook"]),
  /** the rule that forbade it, or the hook's command */
  rule: z.string().optional(),
  /** what the person said with their no */
  words: z.string().optional(),
  facts: denialFactsSchema,
});
/** `ts`: ms since the epoch */
export type Denial = z.infer<typeof denialSchema> & { denialId: string; ts: number };

/** As the conversation knows it. `seq`: number of its record */
export type LoggedDenial = Denial & { seq: number };
