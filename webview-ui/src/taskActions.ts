/** What a person does about background tasks and terminals. A refusal becomes a notice. */
import type { PanelMethod, PanelParams, PanelResult } from "../../src/shared/panelProtocol";

export interface TaskActions {
  /** Ends a background task; events tell when it is over. */
  stopTask(taskId: string): void;
  /** What it prints, in a terminal that follows it. */
  openTask(taskId: string): void;
  /** Takes one that ended off the list. */
  dismissTask(taskId: string): void;
  /** A terminal with the command of a Bash call typed into it, not run. */
  openTerminal(callId: string): void;
}

/** @param ask undefined: refused, the notice is there */
export function taskActions(
  ask: <M extends PanelMethod>(method: M, params: PanelParams<M>) => Promise<PanelResult<M> | undefined>,
): TaskActions {
  return {
    stopTask: taskId => void ask("stopTask", { taskId }),
    openTask: taskId => void ask("openTask", { taskId }),
    dismissTask: taskId => void ask("dismissTask", { taskId }),
    openTerminal: callId => void ask("openTerminal", { callId }),
  };
}
