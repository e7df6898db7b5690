import { plural, t } from "../../../../src/shared/l10n";
import { type BackgroundTaskInfo, taskEnding } from "../../../../src/shared/tasks";
import { Icon, IconButton } from "../../controls/controls";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { useNow, usePanel, usePanelState, useSpoken } from "../../panel/hooks";
import { formatClock, visibleLine, visibleText } from "../../text/format";

/** "2 background tasks running", where none runs "1 background task ended"; of a single one that ended: how */
export function tasksWords(tasks: readonly BackgroundTaskInfo[]): string {
  const running = tasks.filter(task => task.state === "running").length;
  const [only] = tasks;
  if (running > 0) return plural(running, "1 background task running", "{0} background tasks running");
  if (tasks.length === 1 && only !== undefined) return t("Background task: {0}", endWords(only));
  return plural(tasks.length, "1 background task ended", "{0} background tasks ended");
}

/** Commands that run on behind the turns, and those that ended until they are dismissed. */
export function TaskList() {
  const tasks = usePanelState(state => state.session.tasks);
  const keys = useRoving<HTMLUListElement>();
  return (
    <>
      <ul {...keys}>
        {tasks.map(task => (
          <TaskRow key={task.taskId} task={task} />
        ))}
      </ul>
      <p className="status-hint">{t("They run until you stop them or close the window.")}</p>
    </>
  );
}

/** For screen readers: what ended last. */
export function LastEnd() {
  const tasks = usePanelState(state => state.session.tasks);
  const ended = tasks.filter(task => task.state !== "running");
  const last = ended.sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).at(-1);
  useSpoken(last ? t("Background task ended: {0}, {1}", oneLine(last.command), endWords(last)) : "");
  return null;
}

const taskIcons = { running: "circle-large-filled", done: "pass", failed: "error", stopped: "circle-slash" };

const taskLook = ({ state, exitCode }: BackgroundTaskInfo) =>
  state === "running" ? "running" : state === "killed" ? "stopped" : exitCode === 0 ? "done" : "failed";

function TaskRow({ task }: { task: BackgroundTaskInfo }) {
  const panel = usePanel();
  const { taskId } = task;
  const command = oneLine(task.command);
  const look = taskLook(task);
  const title = t("{0}\n{1}, in {2}", visibleText(task.command), taskId, visibleText(task.cwd));
  const button = (icon: string, label: string, name: string, onClick: () => unknown) => (
    <IconButton {...{ icon, label, onClick }} aria-label={name} />
  );
  const outside = t("Run outside the sandbox: {0}", command);
  const goOutside = () => panel.submit(outsideWords(task.command), "steer");
  const asks = (way: "openTask" | "stopTask" | "dismissTask") => () => panel.ask(way, { taskId });
  return (
    <li className={`task-row ${look}`} {...ROVING_ROW}>
      <Icon name={taskIcons[look]} />
      <span className="task-command cut" title={title}>
        {command}
      </span>
      <TaskState task={task} />
      <span className="task-actions">
        {look === "running" && task.sandbox
          ? button("link-external", t("Run outside the sandbox, to reach its ports"), outside, goOutside)
          : null}
        {button("terminal", t("Open as Terminal"), t("Open as Terminal: {0}", command), asks("openTask"))}
        {look === "running"
          ? button("debug-stop", t("Stop"), t("Stop: {0}", command), asks("stopTask"))
          : button("close", t("Dismiss"), t("Dismiss: {0}", command), asks("dismissTask"))}
      </span>
    </li>
  );
}

/** "running 3:12", "exit 1" */
function TaskState({ task }: { task: BackgroundTaskInfo }) {
  const isRunning = task.state === "running";
  const now = useNow(isRunning);
  const isConfined = isRunning && task.sandbox;
  const title = isConfined ? t("Nothing outside the sandbox reaches a port of it, your browser included.") : undefined;
  const time = formatClock(now - task.startedAt);
  const running = isConfined ? t("in the sandbox {0}", time) : t("running {0}", time);
  return (
    <span className="task-state" title={title}>
      {isRunning ? running : endWords(task)}
    </span>
  );
}

const endWords = (task: BackgroundTaskInfo) => (task.state === "killed" ? t("stopped") : taskEnding(task));

/** What the person asks for with the button: the agent starts it, as it starts all others, and the question comes. */
const outsideWords = (command: string) =>
  t("Stop this background task and start it again outside the sandbox. I want to reach its ports.\n{0}", command);

const oneLine = (command: string) => visibleLine(command.trim());
