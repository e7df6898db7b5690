/** What the tail of a request says of background tasks: those that run, and those whose end the agent has not read. Pure. */
import { taskEnding } from "../../shared/taskEnding";
import type { BackgroundTaskInfo } from "../../shared/tasks";
import { counted, oneLine } from "../text/format";
import { codeSpan, neutral } from "../text/plainText";

export interface TaskNews extends BackgroundTaskInfo {
  /** what the agent has not read */
  news: { any: boolean; lines: number };
  /** It has been told how the task ended. */
  seen: boolean;
}

const COMMAND_CHARACTERS = 80;
const MINUTE = 60_000;

/** undefined: there is nothing to say. Times in minutes: the text is to be the same from step to step where nothing happens. */
export function taskReminder(tasks: readonly TaskNews[], { now }: { now: number }): string | undefined {
  const lines = tasks.filter(task => task.state === "running" || !task.seen).map(task => lineOf(task, now));
  return lines.length > 0 ? ["Background tasks (BashOutput reads them):", ...lines].join("\n") : undefined;
}

function lineOf(task: TaskNews, now: number): string {
  const command = codeSpan(oneLine(neutral(task.command), COMMAND_CHARACTERS));
  const state = task.state === "running" ? `running for ${minutes(now - task.startedAt)}` : taskEnding(task);
  return `- ${task.taskId} ${command}: ${state}${newsOf(task)}`;
}

function newsOf({ state, news }: TaskNews): string {
  if (state !== "running") return ", not read yet";
  if (!news.any) return "";
  return news.lines > 0 ? `, ${counted(news.lines, "new line")}` : ", new output";
}

function minutes(ms: number): string {
  const whole = Math.floor(ms / MINUTE);
  if (whole < 1) return "less than a minute";
  return whole < 120 ? `${whole} min` : `${Math.floor(whole / 60)} h`;
}
