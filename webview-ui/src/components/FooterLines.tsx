import { type ReactNode, type RefObject, useRef, useState } from "react";
import { taskEnding } from "../../../src/shared/taskEnding";
import type { BackgroundTaskInfo } from "../../../src/shared/tasks";
import type { Todo } from "../../../src/shared/toolResult";
import { Icon, IconButton, LinkButton, Toggle } from "../controls/controls";
import { useFocusHandedOn } from "../controls/focus";
import { useNow, usePanel, usePanelState } from "../panel/hooks";
import { reviewWords, seenFiles } from "../store/review";
import { count, formatClock, visibleLine, visibleText } from "../text/format";

const todoStates: Record<Todo["status"], { icon: string; words: string }> = {
  pending: { icon: "circle-large", words: "to do" },
  in_progress: { icon: "circle-large-filled", words: "under way" },
  completed: { icon: "pass-filled", words: "done" },
};

interface LineProps {
  icon: string;
  count: string;
  now: ReactNode;
  /** what it opens to, upward */
  children: ReactNode;
  toggle?: RefObject<HTMLButtonElement | null>;
}

function FooterLine({ icon, count, now, children, toggle }: LineProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {open ? children : null}
      <Toggle ref={toggle} open={open} className="todo-toggle" onClick={() => setOpen(!open)}>
        <Icon name={icon} />
        <span className="todo-count">{count}</span>
        {now}
        <Icon name={open ? "chevron-down" : "chevron-up"} />
      </Toggle>
    </>
  );
}

/** The todo list in one line, "2 of 3  Run the whole suite"; it opens upward. */
export function TodoLine() {
  const todos = usePanelState(state => state.session.todos);
  if (todos.length === 0) return null;
  const done = todos.filter(todo => todo.status === "completed").length;
  const current = todos.find(todo => todo.status === "in_progress") ?? todos.find(todo => todo.status === "pending");
  const now = current === undefined ? "All done" : current.content;
  return (
    <div className="todo">
      <FooterLine icon="checklist" count={`${done} of ${todos.length}`} now={<span className="todo-now">{now}</span>}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
        <ul className="todo-list" aria-label="Todo list" tabIndex={0}>
          {todos.map(todo => (
            <li key={todo.content} className={`todo-item ${todo.status}`}>
              <Icon name={todoStates[todo.status].icon} />
              <span className="visually-hidden">{todoStates[todo.status].words}: </span>
              <span>{todo.content}</span>
            </li>
          ))}
        </ul>
      </FooterLine>
    </div>
  );
}

/** Commands in the background in one line, "2 background tasks running"; it opens upward. */
export function TaskLine() {
  const tasks = usePanelState(state => state.session.tasks);
  return tasks.length === 0 ? null : <Tasks tasks={tasks} />;
}

function Tasks({ tasks }: { tasks: readonly BackgroundTaskInfo[] }) {
  const box = useFocusHandedOn<HTMLElement>();
  const toggle = useRef<HTMLButtonElement>(null);
  const [only] = tasks.length === 1 ? tasks : [];
  return (
    <section ref={box} className="tasks" aria-label="Background tasks">
      <FooterLine
        icon="server-process"
        count={summary(tasks)}
        now={<span className="todo-now command">{only ? oneLine(only.command) : ""}</span>}
        toggle={toggle}
      >
        <div className="task-list">
          <ul>
            {tasks.map(task => (
              <TaskRow key={task.taskId} task={task} toggle={toggle} />
            ))}
          </ul>
          <p className="task-hint">They run until you stop them or close the window.</p>
        </div>
      </FooterLine>
      <LastEnd tasks={tasks} />
    </section>
  );
}

/** "2 background tasks running, 1 ended"; of a single one that ended: how */
function summary(tasks: readonly BackgroundTaskInfo[]): string {
  const running = tasks.filter(task => task.state === "running").length;
  const ended = tasks.length - running;
  if (running === 0 && tasks.length === 1) return `Background task: ${tasks.map(endWords).join("")}`;
  if (running === 0) return `${count(ended, "background task")} ended`;
  return `${count(running, "background task")} running${ended > 0 ? `, ${ended} ended` : ""}`;
}

/** For screen readers: what ended last. */
function LastEnd({ tasks }: { tasks: readonly BackgroundTaskInfo[] }) {
  const ended = tasks.filter(task => task.state !== "running");
  const last = ended.sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).at(-1);
  return (
    <span className="visually-hidden" role="status">
      {last ? `Background task ended: ${oneLine(last.command)}, ${endWords(last)}` : ""}
    </span>
  );
}

const taskIcons = { running: "circle-large-filled", done: "pass", failed: "error", stopped: "circle-slash" };

function taskLook({ state, exitCode }: BackgroundTaskInfo): keyof typeof taskIcons {
  if (state === "running") return "running";
  if (state === "killed") return "stopped";
  return exitCode === 0 ? "done" : "failed";
}

function TaskRow({ task, toggle }: { task: BackgroundTaskInfo; toggle: RefObject<HTMLButtonElement | null> }) {
  const panel = usePanel();
  const { taskId } = task;
  const command = oneLine(task.command);
  const look = taskLook(task);
  const dismiss = () => {
    toggle.current?.focus();
    void panel.ask("dismissTask", { taskId });
  };
  return (
    <li className={`task-row ${look}`}>
      <Icon name={taskIcons[look]} />
      <span className="task-command" title={`${visibleText(task.command)}\n${taskId}, in ${visibleText(task.cwd)}`}>
        {command}
      </span>
      <TaskState task={task} />
      <span className="task-actions">
        <IconButton
          icon="terminal"
          label="Open as Terminal"
          aria-label={`Open as Terminal: ${command}`}
          onClick={() => panel.ask("openTask", { taskId })}
        />
        {look === "running" ? (
          <IconButton
            icon="debug-stop"
            label="Stop"
            aria-label={`Stop: ${command}`}
            onClick={() => panel.ask("stopTask", { taskId })}
          />
        ) : (
          <IconButton icon="close" label="Dismiss" aria-label={`Dismiss: ${command}`} onClick={dismiss} />
        )}
      </span>
    </li>
  );
}

/** "running 3:12", "exit 1" */
function TaskState({ task }: { task: BackgroundTaskInfo }) {
  const isRunning = task.state === "running";
  const now = useNow(isRunning);
  return (
    <span className="task-state">{isRunning ? `running ${formatClock(now - task.startedAt)}` : endWords(task)}</span>
  );
}

const endWords = (task: BackgroundTaskInfo) => (task.state === "killed" ? "stopped" : taskEnding(task));

const oneLine = (command: string) => visibleLine(command.trim());

/** The plan that is carried out, "Plan: Round half up": it stands in every request until its todos are done, or somebody ends it. */
export function PlanLine() {
  const panel = usePanel();
  const plan = usePanelState(state => state.session.plan);
  const canEnd = usePanelState(({ session }) => session.run === "idle" && !session.readOnly);
  if (plan === null) return null;
  const { turn, title } = plan;
  return (
    <section className="review-line" aria-label="Current plan">
      <Icon name="run-all" />
      <span className="review-words">{title === "" ? "A plan is in progress" : `Plan: ${visibleLine(title)}`}</span>
      <LinkButton title="Open the plan" onClick={() => panel.ask("openRunningPlan", { turn })}>
        Open
      </LinkButton>
      {canEnd ? (
        <LinkButton
          title="The agent stops following it, and its todo list is cleared. Files stay as they are."
          onClick={() => panel.ask("endPlan", { turn })}
        >
          End
        </LinkButton>
      ) : null}
    </section>
  );
}

/** What nobody looked at yet of the agent's changes, of all turns: "2 files, 7 changes to review", and what can be done with them. */
export function ReviewLine() {
  const panel = usePanel();
  const files = usePanelState(state => state.session.review);
  const readOnly = usePanelState(state => state.session.readOnly);
  if (files.length === 0) return null;
  const what = reviewWords(files);
  const changes = files.reduce((sum, file) => sum + file.changes, 0);
  return (
    <section className="review-line" aria-label="Changes to review">
      <Icon name="diff" />
      <span className="review-words">
        {count(files.length, "file")}, {count(changes, "change")} to review
      </span>
      <span className="review-actions">
        <LinkButton title="Go to the next change in the editor" onClick={() => panel.act("review-next")}>
          Next
        </LinkButton>
        {readOnly ? null : (
          <>
            <LinkButton
              title={`Keep ${what} from all turns`}
              onClick={() => panel.ask("keepChanges", { files: seenFiles(files) })}
            >
              Keep all
            </LinkButton>
            <LinkButton
              title={`Undo ${what} from all turns. Your own edits since then stay`}
              onClick={() => panel.act("review-undo-all")}
            >
              Undo all
            </LinkButton>
          </>
        )}
      </span>
    </section>
  );
}
