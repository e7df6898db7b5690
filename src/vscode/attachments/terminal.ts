/**
 * The last command of each terminal and what it printed, for `@terminal`. VS Code gives output only to who listens when a
 * command starts, so this runs from activation on: it loads nothing else, and keeps a bounded part of one command a terminal.
 */
import * as vscode from "vscode";
import { TextRing } from "../../core/commands/textRing";
import type { NothingToAttach, TerminalCommand } from "../../core/ports";

/** characters of one command's output */
const HEAD = 16 * 1024;
const TAIL = 64 * 1024;
/** ms to wait for the end of what a command printed that has ended */
const LAST_WORDS_MS = 1_000;

interface Ran {
  execution: vscode.TerminalShellExecution;
  head: string;
  tail: TextRing;
  /** its output is over */
  done: Promise<void>;
  ended: boolean;
  exitCode: number | undefined;
}

export class TerminalCommands implements vscode.Disposable {
  private readonly newest = new Map<vscode.Terminal, Ran>();
  private readonly subscriptions = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.started(terminal, execution)),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
      const ran = this.newest.get(terminal);
      if (ran?.execution === execution) Object.assign(ran, { ended: true, exitCode });
    }),
    vscode.window.onDidCloseTerminal(terminal => void this.newest.delete(terminal)),
  );

  /** Of the terminal that is active, or was last. */
  async read(): Promise<TerminalCommand | NothingToAttach> {
    const terminal = vscode.window.activeTerminal;
    if (!terminal) return { nothing: "No terminal is open in the editor." };
    const ran = this.newest.get(terminal);
    if (!ran && !terminal.shellIntegration) {
      return { nothing: "The active terminal has no shell integration, so VS Code does not say what ran in it." };
    }
    if (!ran) return { nothing: "No command has run in the active terminal since Strata listens to it." };
    if (ran.ended) await Promise.race([ran.done, later(LAST_WORDS_MS)]);
    const { execution, head, tail, ended, exitCode } = ran;
    const cwd = execution.cwd?.scheme === "file" ? execution.cwd.fsPath : undefined;
    return {
      command: execution.commandLine.value,
      running: !ended,
      ...(cwd === undefined ? {} : { cwd }),
      ...(exitCode === undefined ? {} : { exitCode }),
      ...outputOf(head, tail),
    };
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.newest.clear();
  }

  private started(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const ran: Ran = {
      ...{ execution, head: "", tail: new TextRing(TAIL), ended: false, exitCode: undefined },
      done: Promise.resolve(),
    };
    ran.done = follow(ran, execution.read());
    this.newest.set(terminal, ran);
  }
}

async function follow(ran: Ran, output: AsyncIterable<string>): Promise<void> {
  for await (const text of output) {
    const room = HEAD - ran.head.length;
    if (room > 0) ran.head += text.slice(0, room);
    ran.tail.push("stdout", text.slice(Math.max(0, room)));
  }
}

/** Where nothing was dropped, it is one text. */
function outputOf(head: string, tail: TextRing): Pick<TerminalCommand, "head" | "dropped" | "tail"> {
  if (tail.dropped === 0) return { head: head + tail.text, dropped: 0, tail: "" };
  return { head, dropped: tail.dropped, tail: tail.text };
}

const later = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));
