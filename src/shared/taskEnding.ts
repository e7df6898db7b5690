/** How a background task is, in a word or two. */
import { t } from "./l10n";
import type { BackgroundTaskInfo } from "./tasks";

type TaskState = Pick<BackgroundTaskInfo, "state" | "exitCode" | "signal" | "endedBy">;

const killed = (): Record<NonNullable<TaskState["endedBy"]>, string> => ({
  agent: t("ended by the agent"),
  user: t("ended by you"),
  session: t("ended with its session"),
});

/** "running", "exit 1", "killed by SIGSEGV", "ended by you" */
export function taskEnding({ state, exitCode, signal, endedBy = "session" }: TaskState): string {
  if (state === "running") return t("running");
  if (state === "killed") return killed()[endedBy];
  return typeof exitCode === "number"
    ? t("exit {0}", exitCode)
    : signal
      ? t("killed by {0}", signal)
      : t("killed by a signal");
}
