/** The end of a turn as its record and people have it: why it failed, what its last answer says and the log does not show. */
import * as z from "zod";

/** Each is a button in the panel; `set-…` of a number or a way opens its setting. */
const turnActionSchema = z.enum([
  ...["retry", "continue", "send-alone", "bring-back", "set-key", "choose-model", "check-connection", "show-log"],
  ...["set-window", "set-time", "set-longest", "set-largest", "set-protocol"],
] as const);
export type TurnAction = z.infer<typeof turnActionSchema>;

export const turnErrorSchema = z.object({
  /** closed list in models/failure: auth, unknown-model, rate-limit, …; or agent: disk, approval, … */
  code: z.string(),
  /** one sentence for a person */
  message: z.string(),
  /** the server's own words, and what no action does */
  details: z.string().optional(),
  /** what a person can do about it, the likeliest first */
  actions: z.array(turnActionSchema),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

/** What its last answer says and the log does not show. */
export const turnClaimSchema = z.object({
  /** the newest run failed, ended before the last change, or is missing; no such file was written; a bound check did not run */
  kind: z.enum(["failed", "stale", "notRun", "noSuchFile", "check"]),
  /** of the answer: what it says, or the path; of a check the command */
  words: z.string(),
  /** the newest run, and the number of its result */
  callId: z.string().optional(),
  seq: z.int().optional(),
  /** of a check: the person's sentence, and the file that it is in */
  sentence: z.string().optional(),
  file: z.string().optional(),
});
export type TurnClaim = z.infer<typeof turnClaimSchema>;

/** Why Strata sent a turn on: it had announced work, had said what the log does not show, or had left a bound check out. */
export const wentOnSchema = z.object({ why: z.enum(["announced", "said", "check"]), words: z.string() });
export type WentOn = z.infer<typeof wentOnSchema>;
