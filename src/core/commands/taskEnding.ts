/** How a background task is, for the model. */
import type { BackgroundTaskInfo } from "../../shared/tasks";

const killed: Record<NonNullable<BackgroundTaskInfo["endedBy"]>, string> = {
  agent: "ended by you",
  user: "ended by the user",
  session: "ended with its session",
};

/** "exit 1", "killed by SIGSEGV", "ended by the user": one that has ended. */
export function endingForModel({ state, exitCode, signal, endedBy = "session" }: BackgroundTaskInfo): string {
  if (state === "killed") return killed[endedBy];
  return typeof exitCode === "number" ? `exit ${exitCode}` : `killed by ${signal ?? "a signal"}`;
}
