/** Why a turn failed, for a person. */
import * as z from "zod";

export const turnErrorSchema = z.object({
  /** closed list in models/failure: auth, unknown-model, rate-limit, …; or agent: disk, approval, … */
  code: z.string(),
  /** one sentence for a person */
  message: z.string(),
  /** what a person can do about it; each is a button in the panel */
  actions: z.array(z.enum(["retry", "continue", "set-key", "choose-model", "check-connection", "show-log"])),
});
export type TurnError = z.infer<typeof turnErrorSchema>;
