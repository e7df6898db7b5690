/** Why a turn failed, for a person. */
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
