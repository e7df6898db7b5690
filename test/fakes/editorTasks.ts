/** Tasks of an editor that a test plays. */
import type { EditorTask, EditorTasks, TaskEnd } from "../../src/core/ground/ports";

export const editorTask = (name: string, more: Partial<EditorTask> = {}): EditorTask => ({
  ...{ name, command: `do ${name}`, cwd: "/ws/app", background: false, definition: name },
  ...more,
});

export class FakeTasks implements EditorTasks {
  tasks: EditorTask[] = [];
  readonly ran: string[] = [];
  /** how one ends */
  play: (task: EditorTask, signal: AbortSignal) => TaskEnd | Promise<TaskEnd> = () => ({ exitCode: 0 });

  async list(): Promise<EditorTask[]> {
    return this.tasks;
  }

  async run(task: EditorTask, signal: AbortSignal): Promise<TaskEnd> {
    this.ran.push(task.name);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    // Nobody waits for the one that lost.
    aborted.catch(() => undefined);
    return Promise.race([this.play(task, signal), aborted]);
  }
}
