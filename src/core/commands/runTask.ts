/** RunTask: a task of the editor, by name. It is a command: it asks as one, and runs outside any sandbox. */
import * as z from "zod";
import description from "../../../prompts/tools/runTask.md";
import { defined } from "../../shared/defined";
import type { ToolDiagnostics } from "../changes/diagnostics/problems";
import { problemLine, worstFirst } from "../changes/diagnostics/problems";
import type { Clock, EditorTask, EditorTasks, FileProblems, TaskEnd } from "../ground/ports";
import { ToolError } from "../ground/ports";
import { timeLimit } from "../ground/ports/basics";
import { clipEnd, counted, duration, oneLine } from "../ground/text/format";
import type { ResultForms } from "../tool/resultForms";
import { defineTool, type PreparedCall, type RunContext, type ToolOutcome } from "../tool/tool";

/** ms: as of a command */
const LIMIT_MS = 600_000;
/** ms after the end in which the editor's problem matchers list what they found */
const MATCHERS_MS = 500;
const LISTED_TASKS = 40;
const LISTED_PROBLEMS = 20;

const ONLY_CONFINED =
  "The settings want every command in the sandbox (strata.bash.sandbox), and tasks of the editor run outside of it. Run the task's command with Bash.";

const input = z.object({ name: z.string() });

interface RunTaskPorts {
  editorTasks: EditorTasks;
  clock: Clock;
  diagnostics?: ToolDiagnostics | undefined;
}

export const runTaskTool = (ports: RunTaskPorts) =>
  defineTool({
    name: "RunTask",
    description,
    input,
    effect: "command",
    forms,
    async prepare({ name }, { inSandbox }) {
      if (inSandbox) throw new ToolError("DENIED", ONLY_CONFINED);
      return prepareTask(ports, named(await ports.editorTasks.list(), name));
    },
  });

const forms: ResultForms = { folded: facts => (facts.exitCode === undefined ? "" : `exit ${facts.exitCode}`) };

/** Throws NOT_FOUND with the names there are, AMBIGUOUS. */
function named(tasks: readonly EditorTask[], name: string): EditorTask {
  const full = ({ name, folder }: EditorTask) => (folder === undefined ? name : `${folder}:${name}`);
  const found = tasks.filter(task => task.name === name || full(task) === name);
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first) {
    const words = `There are several tasks ${name}: ${found.map(full).join(", ")}. Name one so.`;
    throw new ToolError("AMBIGUOUS", words);
  }
  const names = tasks.slice(0, LISTED_TASKS).map(full);
  const more = tasks.length > names.length ? ", …" : "";
  const there = names.length > 0 ? `Tasks: ${names.join(", ")}${more}.` : "The editor has none: use Bash.";
  throw new ToolError("NOT_FOUND", `There is no task ${name}. ${there}`, { first: names });
}

function prepareTask(ports: RunTaskPorts, task: EditorTask): PreparedCall {
  const { name, command = "code of the extension that has it", cwd, background, definition } = task;
  const lasts = background ? " It goes on in the background until you end it." : "";
  return {
    targets: [],
    title: `Run the task ${name}`,
    // What it depends on cannot be asked of the editor.
    detail: {
      type: "other",
      summary: `Runs in a terminal of VS Code, outside any sandbox. Tasks that it depends on run before it.${lasts}`,
      input: { task: name, command, ...(cwd !== "" && { folder: cwd }) },
    },
    binding: JSON.stringify(["RunTask", name, command, cwd, definition]),
    // Who changes the task, or what it is made of, is asked anew.
    dependsOn: `${name}\n${definition}`,
    perform: run => runTask(ports, task, run),
  };
}

async function runTask(ports: RunTaskPorts, task: EditorTask, run: RunContext): Promise<ToolOutcome> {
  const { clock, editorTasks } = ports;
  const before = await listed(ports);
  const started = clock.now();
  const words = `The task ${task.name} did not end within ${LIMIT_MS / 60_000} minutes and was ended. Use Bash with run_in_background for what runs longer.`;
  const limit = timeLimit(LIMIT_MS, clock, new ToolError("TIMEOUT", words));
  const end = await editorTasks.run(task, AbortSignal.any([run.signal, limit.signal])).finally(limit.end);
  await clock.sleep(MATCHERS_MS, run.signal);
  const fresh = newSince(before, await listed(ports), run);
  return outcome(task, end, duration(clock.now() - started), fresh, run);
}

const listed = async ({ diagnostics }: RunTaskPorts) => (await diagnostics?.source.all()) ?? [];

/** Problems that were not listed before the task, without those of protected files. Tasks change files: lines may have moved. */
function newSince(before: readonly FileProblems[], after: readonly FileProblems[], run: RunContext): FileProblems[] {
  const key = ({ severity, message, code }: FileProblems["problems"][number]) =>
    JSON.stringify([severity, message, code]);
  return after.flatMap(({ ref, problems }) => {
    if (run.protectedBecause(ref) !== undefined) return [];
    const old = (before.find(file => file.ref.uri === ref.uri)?.problems ?? []).map(key);
    const fresh = problems.filter(problem => {
      const at = old.indexOf(key(problem));
      if (at >= 0) old.splice(at, 1);
      return at < 0 && problem.severity !== "hint";
    });
    return fresh.length > 0 ? [{ ref, problems: fresh.toSorted(worstFirst) }] : [];
  });
}

function outcome(
  { name, command }: EditorTask,
  { exitCode, running }: TaskEnd,
  took: string,
  fresh: readonly FileProblems[],
  run: RunContext,
): ToolOutcome {
  const lines = fresh.flatMap(({ ref, problems }) =>
    problems.map(problem => problemLine(ref.path, problem, run.redact)),
  );
  const shown = lines.slice(0, LISTED_PROBLEMS);
  const how = running
    ? `runs on in the background, in the terminal that VS Code has for it: only the user can end it`
    : `ended ${exitCode === undefined ? "and VS Code does not say how" : `with exit code ${exitCode}`} after ${took}`;
  const head = `The task ${name} ${how}.`;
  const again = command === undefined ? "" : `: \`${oneLine(clipEnd(command, 300), 300)}\``;
  const output = `VS Code gives the output of tasks to nobody. To see it, run the command with Bash${again}.`;
  const more =
    lines.length > shown.length ? [`… ${counted(lines.length - shown.length, "more problem")}: see Diagnostics.`] : [];
  const problems = lines.length > 0 ? ["New problems since:", ...shown, ...more] : [];
  const failed = exitCode !== undefined && exitCode !== 0;
  return {
    result: {
      status: failed ? "error" : "success",
      data: { name, ...defined({ exitCode, running }) },
      text: [head, ...problems, output].join("\n"),
      digest: `RunTask ${oneLine(name, 100)} · ${running ? "runs on" : exitCode === undefined ? "ended" : `exit ${exitCode}`}${lines.length > 0 ? ` · ${counted(lines.length, "new problem")}` : ""}`,
      ...defined({ error: failed ? { code: "EXIT" as const, message: head } : undefined }),
    },
  };
}
