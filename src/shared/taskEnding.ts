/** How a background task is, in a word or two. */
import type { BackgroundTaskInfo } from "./tasks";

type Ending = Pick<BackgroundTaskInfo, "state" | "exitCode" | "signal" | "endedBy">;

const killed: Record<NonNullable<Ending["endedBy"]>, string> = {
  agent: "ended by KillBash",
  user: "ended by the user",
  session: "ended with its session",
};

/** "running", "exit 1", "killed by SIGSEGV", "ended by the user" */
export function taskEnding({ state, exitCode, signal, endedBy = "session" }: Ending): string {
  if (state === "running") return "running";
  if (state === "killed") return killed[endedBy];
  return typeof exitCode === "number" ? `exit ${exitCode}` : `killed by ${signal ?? "a signal"}`;
}
