/** What the host does for the panel's requests about background tasks, and about terminals. */
import type { BackgroundTask } from "../../core/commands/backgroundTask";
import { findCommand } from "../../core/history/findRecords";
import { readWholeLog } from "../../core/history/readLog";
import type { Session } from "../../core/session/session";
import { PanelError, type PanelHandlers } from "./dispatch";

/** Terminals of the editor. Failures reject with words for people. */
export interface Terminals {
  /** Shows what the task prints, in a terminal that follows it: one terminal a task. */
  openTask(task: BackgroundTask): void;
  /** A terminal with the command typed into it and not run. @param cwd absolute; undefined: where terminals open */
  openTerminal(command: string, cwd: string | undefined): Promise<void>;
}

export interface TaskHandlerDeps {
  shown(): Promise<Session>;
  editor: Terminals;
  /** absolute folder in which a session's commands run at first; undefined: no folder is open */
  home(): string | undefined;
}

type TaskHandlers = Pick<PanelHandlers, "stopTask" | "openTask" | "dismissTask" | "openTerminal">;

export function taskHandlers({ shown, editor, home }: TaskHandlerDeps): TaskHandlers {
  const done = {};
  const taskOf = async (taskId: string) => {
    const task = (await shown()).background.find(taskId);
    if (!task) throw new PanelError("This task is not there any more: it ended a while ago, or with its window.");
    return task;
  };
  return {
    async stopTask({ taskId }) {
      // That it is over comes as an event; one that dies slowly must not hold up the answer.
      void (await taskOf(taskId)).stop("user");
      return done;
    },
    async openTask({ taskId }) {
      editor.openTask(await taskOf(taskId));
      return done;
    },
    async dismissTask({ taskId }) {
      (await shown()).background.dismiss(taskId);
      return done;
    },
    async openTerminal({ callId }) {
      const { history } = await shown();
      const root = home();
      const find = (records: Parameters<typeof findCommand>[0]) => findCommand(records, callId, root ?? "");
      const run = find(history.records) ?? find((await readWholeLog(history.files)).records);
      if (!run) throw new PanelError("This command is not in the session's log any more.");
      await editor.openTerminal(run.command, run.cwd || undefined);
      return done;
    },
  };
}
