/**
 * The last command of each terminal and what it printed, for `@terminal`. VS Code gives output only to who listens when a
 * command starts, so this runs from activation on: it loads nothing else, and keeps a bounded part of one command a terminal.
 */
import * as vscode from "vscode";
import type { NothingToAttach, TerminalCommand } from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import { withTimeout } from "../platform/async";
import { KeptOutput } from "./keptOutput";

/** ms to wait for the end of what a command printed that has ended */
const LAST_WORDS_MS = 1_000;

export class TerminalCommands implements vscode.Disposable {
  private readonly newest = new Map<
    vscode.Terminal,
    { execution: vscode.TerminalShellExecution; output: KeptOutput; ended: boolean; exitCode: number | undefined }
  >();
  private readonly subscriptions = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.started(terminal, execution)),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
      const ran = this.newest.get(terminal);
      if (ran?.execution === execution) Object.assign(ran, { ended: true, exitCode });
    }),
    vscode.window.onDidCloseTerminal(terminal => void this.newest.delete(terminal)),
  );

  /** The last command of the active terminal, where it failed. */
  failed(): { command: string } | undefined {
    const { activeTerminal } = vscode.window;
    const ran = activeTerminal && this.newest.get(activeTerminal);
    return ran?.ended && ran.exitCode ? { command: ran.execution.commandLine.value } : undefined;
  }

  /** Of the terminal that is active, or was last. */
  async read(): Promise<TerminalCommand | NothingToAttach> {
    const terminal = vscode.window.activeTerminal;
    if (!terminal) return { nothing: "No terminal is open in the editor." };
    const ran = this.newest.get(terminal);
    if (!ran && !terminal.shellIntegration) {
      return { nothing: "The active terminal has no shell integration, so VS Code does not report what ran in it." };
    }
    if (!ran) return { nothing: "No command has run in the active terminal since Strata started." };
    if (ran.ended) await withTimeout(() => ran.output.done, LAST_WORDS_MS);
    const { execution, output, ended, exitCode } = ran;
    const cwd = execution.cwd?.scheme === "file" ? execution.cwd.fsPath : undefined;
    return {
      command: execution.commandLine.value,
      running: !ended,
      ...defined({ cwd, exitCode }),
      ...output.text,
    };
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.newest.clear();
  }

  private started(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const output = new KeptOutput(execution.read());
    this.newest.set(terminal, { execution, output, ended: false, exitCode: undefined });
  }
}
