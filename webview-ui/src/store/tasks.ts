/** What the session's background tasks are, from where the host said it last. Pure. */
import type { AgentEventOf } from "../../../src/shared/events";
import type { Session } from "./state";

export function applyTask(session: Session, event: AgentEventOf<"task">): Session {
  const { type: _, dismissed, ...task } = event;
  const at = session.tasks.findIndex(({ taskId }) => taskId === task.taskId);
  if (dismissed) return at < 0 ? session : { ...session, tasks: session.tasks.toSpliced(at, 1) };
  return { ...session, tasks: at < 0 ? [...session.tasks, task] : session.tasks.with(at, task) };
}
