/** What a run leaves as `result.json` (`strata run --out DIR`; docs/runs.md), which `strata report` reads. */
import * as z from "zod";
import { usageSchema } from "./messages";

/** A command that ran after the last edit. */
export const ranCommandSchema = z.object({
  /** without secrets */
  command: z.string(),
  /** null: it was ended by a signal or by its time */
  exit: z.int().nullable(),
  /** sha256 of its output, as the log keeps it */
  output: z.string(),
  /** of its result in the log */
  seq: z.int(),
});
export type LastCommand = z.infer<typeof ranCommandSchema>;

export const runResultSchema = z.object({
  version: z.literal(1),
  /** sha256 of what was asked and of what decides how: the same folder takes no other task */
  task: z.string(),
  session: z.string(),
  /** `running`: it is at work, or was killed; `waits`: for an answer */
  reason: z.enum(["running", "done", "waits", "limit", "later", "stopped", "denied", "error"]),
  /** exit code of the process; absent while it runs */
  exit: z.int().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  /** which limit ended it */
  limit: z.enum(["cost", "minutes", "tokens", "steps", "other"]).optional(),
  /** what waits for an answer: `--allow-call`, `--deny-call` or `--answer` take its id */
  waits: z.object({ id: z.string(), callId: z.string(), title: z.string() }).optional(),
  /** which gave the last answer */
  model: z.string().optional(),
  usage: usageSchema.optional(),
  /** of work, in all processes */
  minutes: z.number().optional(),
  steps: z.int().optional(),
  /** the commit that change.patch applies onto; absent: no repository, or none with a commit */
  base: z.string().optional(),
  /** sha256 of change.patch; absent: there is none; `noPatch` says why, or what is not in it */
  patch: z.string().optional(),
  noPatch: z.string().optional(),
  /** of the patch, '/' separators */
  files: z
    .array(z.object({ path: z.string(), added: z.int(), removed: z.int(), binary: z.literal(true).optional() }))
    .optional(),
  /** that differed from `base` before the run: they are in the patch too */
  before: z.array(z.string()).optional(),
  /** after the last edit, oldest first */
  commands: z.array(ranCommandSchema).optional(),
  /** commands that ran in the background and were ended with the run */
  cutOff: z.array(z.string()).optional(),
  /** the agent's last words */
  answer: z.string().optional(),
  /** ISO 8601 */
  started: z.string(),
  ended: z.string().optional(),
});
export type RunResult = z.infer<typeof runResultSchema>;
