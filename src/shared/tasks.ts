/** A command that runs on behind the turns of its session, as those who watch it know it. */
import * as z from "zod";
import { t } from "./l10n";

export const taskSchema = z.object({
  /** `task_3`: counts from 1 in its session, never used twice */
  taskId: z.string(),
  /** the call of Bash that started it */
  callId: z.string(),
  command: z.string(),
  /** absolute folder that it was started in */
  cwd: z.string(),
  /** `killed`: somebody ended it (`endedBy`); whatever else ended it, it `exited` */
  state: z.enum(["running", "exited", "killed"]),
  /** of one that exited; null: a signal ended it */
  exitCode: z.int().nullable().optional(),
  signal: z.string().optional(),
  /** "session": it was closed, and its tasks end with it */
  endedBy: z.enum(["agent", "user", "session"]).optional(),
  /** ms since the epoch */
  startedAt: z.number(),
  endedAt: z.number().optional(),
  /** it runs in the sandbox: nothing outside of that reaches a port that it listens on */
  sandbox: z.literal(true).optional(),
  /** how many it printed so far */
  lines: z.int(),
});
export type BackgroundTaskInfo = z.infer<typeof taskSchema>;

const killed = (): Record<NonNullable<BackgroundTaskInfo["endedBy"]>, string> => ({
  agent: t("ended by the agent"),
  user: t("ended by you"),
  session: t("ended with its session"),
});

/** "running", "exit 1", "killed by SIGSEGV", "ended by you" */
export function taskEnding({ state, exitCode, signal, endedBy = "session" }: BackgroundTaskInfo): string {
  if (state === "running") return t("running");
  if (state === "killed") return killed()[endedBy];
  return typeof exitCode === "number"
    ? t("exit {0}", exitCode)
    : signal
      ? t("killed by {0}", signal)
      : t("killed by a signal");
}
