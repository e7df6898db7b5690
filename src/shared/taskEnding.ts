/** How a background task is, in a word or two. */
import type { BackgroundTaskInfo } from "./tasks";

type TaskState = Pick<BackgroundTaskInfo, "state" | "exitCode" | "signal" | "endedBy">;

const killed: Record<NonNullable<TaskState["endedBy"]>, string> = {
  agent: "ended by KillBash",
  user: "ended by the user",
  session: "ended with its session",
};

/** "running", "exit 1", "killed by SIGSEGV", "ended by the user" */
export function taskEnding({ state, exitCode, signal, endedBy = "session" }: TaskState): string {
  if (state === "running") return "running";
  if (state === "killed") return killed[endedBy];
  return typeof exitCode === "number" ? `exit ${exitCode}` : `killed by ${signal ?? "a signal"}`;
}
