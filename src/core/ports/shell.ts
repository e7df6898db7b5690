/** Running commands. */

export interface ShellRun {
  command: string;
  /** absolute folder to start in */
  cwd: string;
  /** absent: the command may take as long as it likes */
  timeoutMs?: number;
  signal: AbortSignal;
  /** Output in arrival order. May return a promise: the command is held until it resolves (back pressure). */
  onOutput(stream: "stdout" | "stderr", chunk: Uint8Array): void | Promise<void>;
}

export interface ShellOutcome {
  /** null: killed by a signal */
  exitCode: number | null;
  signal: string | null;
  ended: "exited" | "timeout" | "aborted";
  durationMs: number;
  /** the folder in which the command's shell ended */
  cwd: string;
  /** processes that the command left behind and that were ended with it */
  leftBehind: boolean;
}

export interface Shell {
  /** for L1: "bash", "PowerShell 7" */
  readonly name: string;
  /**
   * Runs the command in a process group of its own, with no terminal and no input; on time-out or abort the whole group
   * is killed. Resolves when every process of the group is gone. Rejects only where the shell itself cannot start.
   */
  run(run: ShellRun): Promise<ShellOutcome>;
}
