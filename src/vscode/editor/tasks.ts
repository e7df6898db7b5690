/** VS Code's tasks: which there are, and running one to its end. */

import * as vscode from "vscode";
import { CodeError, type EditorTask, type EditorTasks, type TaskEnd } from "../../core/ground/ports";
import { untilAborted } from "../../shared/async";
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { pause, withTimeout } from "../platform/async";

/** ms: an extension may look through the whole workspace for its tasks */
const LIST_MS = 10_000;
/** ms in which a task in the background that cannot run has failed */
const BACKGROUND_MS = 3_000;

const TERMINATE_AGAIN_MS = 200;
const TERMINATE_TRIES = 50;

/** Of each task that was listed, the editor's own. */
type TaskEntry = EditorTask & { task: vscode.Task };

export class VSCodeTasks implements EditorTasks {
  constructor(private readonly backgroundMs = BACKGROUND_MS) {}

  async list(): Promise<TaskEntry[]> {
    if (!vscode.workspace.isTrusted) return [];
    const found = await withTimeout(() => vscode.tasks.fetchTasks(), LIST_MS).catch(error => {
      throw new CodeError(`VS Code could not list its tasks: ${errorMessage(error)}`);
    });
    if (found === "late") throw new CodeError(`VS Code did not list its tasks within ${LIST_MS / 1000} s. Use Bash.`);
    const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
    return found.map(task => toTask(task, several));
  }

  async run(listed: EditorTask, signal: AbortSignal): Promise<TaskEnd> {
    signal.throwIfAborted();
    // What was listed a moment ago may have been changed since: the definition is what was allowed.
    const isIt = ({ name, definition }: TaskEntry) => name === listed.name && definition === listed.definition;
    const now = (await this.list()).find(isIt);
    if (!now) throw new CodeError(`The task ${listed.name} was changed meanwhile, so it did not run.`);
    signal.throwIfAborted();
    const watch = new EndWatch(now.task);
    try {
      const execution = await vscode.tasks.executeTask(now.task);
      watch.of(execution);
      const background = pause(this.backgroundMs).then((): TaskEnd => ({ running: true }));
      const end = Promise.race([watch.end, ...(now.background ? [background] : [])]);
      return await untilAborted(end, signal).finally(() => {
        if (signal.aborted) void terminate(execution, now.task);
      });
    } finally {
      watch.dispose();
    }
  }
}

/** Until it is gone: VS Code ends nothing that is only about to start. */
async function terminate(execution: vscode.TaskExecution, task: vscode.Task): Promise<void> {
  const runs = () => vscode.tasks.taskExecutions.some(each => each === execution || isSame(each.task, task));
  for (let tries = 0; tries < TERMINATE_TRIES && runs(); tries++) {
    execution.terminate();
    await pause(TERMINATE_AGAIN_MS);
  }
}

/** Listens before the task is started: a short one ends before `executeTask` resolves. */
class EndWatch implements vscode.Disposable {
  private readonly outcome = Promise.withResolvers<TaskEnd>();
  readonly end = this.outcome.promise;
  private readonly subscription: vscode.Disposable;
  private readonly ended: { execution: vscode.TaskExecution; end: TaskEnd }[] = [];
  private execution: vscode.TaskExecution | undefined;

  constructor(private readonly task: vscode.Task) {
    this.subscription = vscode.Disposable.from(
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        this.note(execution, exitCode === undefined ? {} : { exitCode });
      }),
      // Of a task without a process, or one that could not be started, nothing else comes. Else this comes second.
      vscode.tasks.onDidEndTask(({ execution }) => void pause(0).then(() => this.note(execution, {}))),
    );
  }

  of(execution: vscode.TaskExecution): void {
    this.execution = execution;
    for (const { execution: ended, end } of this.ended) this.note(ended, end);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private note(execution: vscode.TaskExecution, end: TaskEnd): void {
    if (!this.execution) this.ended.push({ execution, end });
    else if (execution === this.execution || isSame(execution.task, this.task)) this.outcome.resolve(end);
  }
}

const isSame = (one: vscode.Task, other: vscode.Task) =>
  one.name === other.name &&
  one.source === other.source &&
  JSON.stringify(one.definition) === JSON.stringify(other.definition);

function toTask(task: vscode.Task, several: boolean): TaskEntry {
  const { name, source, definition, isBackground, scope, execution } = task;
  const folder = typeof scope === "object" ? scope.name : undefined;
  const command = commandOf(execution);
  const cwd = execution instanceof vscode.CustomExecution ? "" : (execution?.options?.cwd ?? "");
  // The environment of a task is part of what it does.
  const options = execution instanceof vscode.CustomExecution ? undefined : execution?.options;
  return {
    task,
    background: isBackground,
    cwd: cwd === "" && typeof scope === "object" ? scope.uri.fsPath : cwd,
    name: source === "Workspace" || source === "" ? name : `${source}: ${name}`,
    ...defined({ folder: several && folder !== undefined ? folder : undefined, command }),
    definition: JSON.stringify([source, folder, definition, command, options]),
  };
}

function commandOf(execution: vscode.Task["execution"]): string | undefined {
  const quoted = (part: string | vscode.ShellQuotedString) => (typeof part === "string" ? part : part.value);
  if (execution instanceof vscode.ShellExecution) {
    const { commandLine, command, args } = execution;
    return commandLine ?? [command, ...(args ?? [])].flatMap(part => (part ? [quoted(part)] : [])).join(" ");
  }
  if (execution instanceof vscode.ProcessExecution) return [execution.process, ...execution.args].join(" ");
  return undefined;
}
