/** Terminals: one that follows a background task, and one in which a person runs a command that the agent ran. */
import * as vscode from "vscode";
import type { BackgroundTask } from "../../../core/commands/background";
import { oneLine } from "../../../core/ground/text/format";
import { formatDuration, sizeText } from "../../../shared/format";
import { t } from "../../../shared/l10n";
import { plainText, visibleLine } from "../../../shared/shown";
import { type BackgroundTaskInfo, taskEnding } from "../../../shared/tasks";
import { eventOnce, pause } from "../../platform/async";
import { inform } from "../../platform/messages";
import { TerminalPaint } from "./terminalPaint";

/** What a terminal needs of a task. */
export type FollowedTask = Pick<BackgroundTask, "info" | "running" | "stop" | "watch">;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
const CTRL_C = "\u0003";
/** ms that a shell gets to be ready to be typed into, and, once it says that it runs, to show its prompt */
const READY_MS = 3000;
const PROMPT_MS = 300;

const dim = (text: string) => `\u001b[0;2m${text}\u001b[0m\r\n`;
const terminalName = ({ command }: BackgroundTaskInfo) => visibleLine(oneLine(command.replace(CONTROLS, " "), 28));
const withReturns = (text: string) => text.replace(/\r?\n/g, "\r\n");

/** Shows what was kept of a task's output, follows it to its end, and stays. Closing it does not end the task; Ctrl+C does. */
export class TaskTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly renamed = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.written.event;
  readonly onDidChangeName = this.renamed.event;
  private stopWatching: () => void = () => undefined;
  private readonly paint = new TerminalPaint();
  private hasHinted = false;
  /** nothing stands before the cursor */
  private atStart = true;

  /** @param onClose the person closed it */
  constructor(
    private readonly task: FollowedTask,
    private readonly onClose: () => void,
  ) {}

  open(): void {
    const { info } = this.task;
    const place = t("{0} of Strata, in {1}", info.taskId, visibleLine(info.cwd));
    this.say(`$ ${visibleLine(info.command)}   (${place})`);
    const hears = { output: (more: string) => this.print(more), ended: (end: BackgroundTaskInfo) => this.ended(end) };
    const { text, dropped, stop } = this.task.watch(hears);
    this.stopWatching = stop;
    if (dropped > 0) this.say(`[${t("{0} before this were dropped", sizeText(dropped))}]`);
    this.print(text);
  }

  handleInput(data: string): void {
    if (!this.task.running) return;
    if (data === CTRL_C) {
      this.say("^C");
      void this.task.stop("user");
    } else if (!this.hasHinted) {
      this.hasHinted = true;
      this.say(`[${t("no input; Ctrl+C stops it")}]`);
    }
  }

  close(): void {
    this.stopWatching();
    this.written.dispose();
    this.renamed.dispose();
    this.onClose();
  }

  private ended(info: BackgroundTaskInfo): void {
    this.write(this.paint.end());
    const { startedAt, endedAt = startedAt } = info;
    this.say(`[${t("{0} after {1}", taskEnding(info), formatDuration(endedAt - startedAt))}]`);
    const ending = info.state === "killed" ? t("stopped") : taskEnding(info);
    this.renamed.fire(`${terminalName(info)} (${ending})`);
  }

  private print(text: string): void {
    this.write(this.paint.push(text));
  }

  private write(text: string): void {
    if (text === "") return;
    this.atStart = text.endsWith("\n");
    this.written.fire(withReturns(text));
  }

  /** Words of Strata's own, on a line of their own. */
  private say(words: string): void {
    this.written.fire((this.atStart ? "" : "\r\n") + dim(words));
    this.atStart = true;
  }
}

export class VSCodeTerminals {
  private readonly open = new WeakMap<FollowedTask, vscode.Terminal>();

  openTask(task: FollowedTask): void {
    (this.open.get(task) ?? this.create(task)).show();
  }

  /** With the command typed into it and not run. @param cwd absolute; undefined: where terminals open */
  async openTerminal(command: string, cwd: string | undefined): Promise<void> {
    const terminal = vscode.window.createTerminal(cwd === undefined ? {} : { cwd });
    terminal.show();
    const text = command.trim();
    // A line end runs what stands before it, a tab completes it: such a command is not typed.
    if (text.search(CONTROLS) >= 0 || plainText(text) !== text) return void offerCopy(command, text.includes("\n"));
    await ready(terminal);
    terminal.sendText(text, false);
  }

  private create(task: FollowedTask): vscode.Terminal {
    const pty = new TaskTerminal(task, () => this.open.delete(task));
    const iconPath = new vscode.ThemeIcon("server-process");
    const terminal = vscode.window.createTerminal({ name: terminalName(task.info), iconPath, pty });
    this.open.set(task, terminal);
    return terminal;
  }
}

async function offerCopy(command: string, hasLines: boolean): Promise<void> {
  const words = hasLines
    ? t("This command has several lines, which a terminal would run immediately, so it was not typed.")
    : t("This command has control characters, which a terminal would act on immediately, so it was not typed.");
  const copy = t("Copy Command");
  if ((await inform(words, copy)) === copy) await vscode.env.clipboard.writeText(command);
}

/** What is typed before the prompt stands would be shown twice. Shells that tell nothing get a while. */
async function ready(terminal: vscode.Terminal): Promise<void> {
  if (!terminal.shellIntegration) {
    const signal = AbortSignal.timeout(READY_MS);
    const begun = eventOnce(vscode.window.onDidChangeTerminalShellIntegration, is => is.terminal === terminal, signal);
    const closed = eventOnce(vscode.window.onDidCloseTerminal, is => is === terminal, signal);
    await Promise.race<unknown>([begun, closed]).catch(() => undefined);
  }
  await pause(PROMPT_MS);
}
