/** Tasks of an editor: what `tasks.json` and extensions define, run by name. A terminal has none, and no such port. */

export interface EditorTask {
  /** as it is listed: "build", "npm: test" */
  name: string;
  /** the root that it belongs to, where it belongs to one */
  folder?: string;
  /** The exact command line, as far as it is known: variables of the editor stand in it as they are. Absent: an extension's own code. */
  command?: string;
  /** where it runs, as it is written; "": as the editor has it */
  cwd: string;
  /** it goes on until somebody ends it */
  background: boolean;
  /** all that defines it, for a comparison */
  definition: string;
}

export interface TaskEnd {
  /** absent: the editor does not say */
  exitCode?: number;
  /** A task in the background goes on. */
  running?: true;
}

export interface EditorTasks {
  /** In an untrusted workspace none. Ends within some seconds: extensions that are slow to tell are left out. */
  list(): Promise<readonly EditorTask[]>;
  /**
   * Runs it and waits for its end; of a task in the background for a moment, in which it may fail. Ended when `signal` is
   * aborted, and rejects then with its reason.
   */
  run(task: EditorTask, signal: AbortSignal): Promise<TaskEnd>;
}
