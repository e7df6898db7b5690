import type { ReactNode } from "react";
import { t } from "../../../../src/shared/l10n";
import type { Todo } from "../../../../src/shared/toolResult";
import { Icon } from "../../controls/controls";
import { useFocusHandedOn } from "../../controls/focus";
import { InlineMarkdown } from "../../markdown/Markdown";
import { usePanelState } from "../../panel/hooks";
import type { StatusSection } from "../../store/status";
import { TaskList } from "./BackgroundTasks";
import { PendingList } from "./PendingList";

/** What the line above the composer opens to, upward: what is to be done, what waits, what changed, what runs on. */
export function StatusDetails({ sections }: { sections: readonly StatusSection[] }) {
  const box = useFocusHandedOn<HTMLDivElement>();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: no form, and no set of fields
    <div ref={box} className="status-details" role="group" aria-label={t("Details")} tabIndex={0}>
      {sections.map(section => (
        <Section key={section} {...parts[section]} />
      ))}
    </div>
  );
}

const parts: Record<StatusSection, { title(): string; List(): ReactNode }> = {
  todo: { title: () => t("Todo list"), List: TodoList },
  queue: { title: () => t("Queue"), List: PendingList },
  tasks: { title: () => t("Background tasks"), List: TaskList },
};

function Section({ title, List }: (typeof parts)[StatusSection]) {
  const box = useFocusHandedOn<HTMLElement>();
  return (
    <section ref={box} className="status-section" aria-label={title()}>
      <h2>{title()}</h2>
      <List />
    </section>
  );
}

/** The steps under way and how far each is. */
export function TodoList() {
  const todos = usePanelState(state => state.session.todos);
  const running = usePanelState(state => state.session.run !== "idle");
  return (
    <ul className="todo-list">
      {todos.map(todo => (
        <TodoRow key={todo.content} todo={todo} running={running} />
      ))}
    </ul>
  );
}

function TodoRow({ todo: { content, status }, running }: { todo: Todo; running: boolean }) {
  const looks = {
    pending: ["circle-large", t("to do")],
    // Its work ended with the turn.
    in_progress: running ? ["circle-large-filled", t("in progress")] : ["debug-pause", t("begun")],
    completed: ["pass-filled", t("done")],
  } as const;
  const [icon, words] = looks[status];
  return (
    <li className={`todo-item ${status}`}>
      <Icon name={icon} />
      <span className="visually-hidden">{words}: </span>
      <span>
        <InlineMarkdown text={content} />
      </span>
    </li>
  );
}
