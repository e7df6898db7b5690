import { type ReactNode, useRef } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import type { ReviewFile } from "../../../../src/shared/panelSnapshot";
import type { Todo } from "../../../../src/shared/toolResult";
import { Icon, IconButton, LinkButton, useBusy } from "../../controls/controls";
import { useFocusHandedOn } from "../../controls/focus";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { usePanel, usePanelState } from "../../panel/hooks";
import { changesIn, seenFiles } from "../../store/review";
import { type StatusSection, statusOf } from "../../store/status";
import { visibleLine, visibleText } from "../../text/format";
import { ChangedFiles } from "../changes/ChangedFiles";
import { ChangeCount } from "../changes/Diff";
import { TaskList } from "./BackgroundTasks";
import { PendingList } from "./PendingList";

/** What the line above the composer opens to, upward: what is to be done, what waits, what changed, what runs on. */
export function StatusDetails({ sections }: { sections: readonly StatusSection[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: no form, and no set of fields
    <div className="status-details" role="group" aria-label={t("Details")} tabIndex={0}>
      {sections.map(section => {
        const Shown = table[section];
        return <Shown key={section} />;
      })}
    </div>
  );
}

const table: Record<StatusSection, () => ReactNode> = {
  todo: TodoSection,
  queue: () => (
    <Section title={t("Queue")}>
      <PendingList />
    </Section>
  ),
  changes: ChangesSection,
  tasks: () => (
    <Section title={t("Background tasks")}>
      <TaskList />
    </Section>
  ),
};

interface SectionProps {
  title: string;
  /** its first line says as much */
  isTitled?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}

function Section({ title, isTitled = false, actions, children }: SectionProps) {
  const box = useFocusHandedOn<HTMLElement>();
  return (
    <section ref={box} className="status-section" aria-label={title}>
      {isTitled ? null : (
        <div className="status-heading">
          <h2>{title}</h2>
          {actions ? <span className="status-actions">{actions}</span> : null}
        </div>
      )}
      {children}
    </section>
  );
}

/** Todo and plan are one list: a plan that is carried out is its steps. */
function TodoSection() {
  const todos = usePanelState(state => state.session.todos);
  const plan = usePanelState(state => state.session.plan);
  const running = usePanelState(state => state.session.run !== "idle");
  const planTitle = plan === null ? "" : visibleLine(plan.title);
  const title = plan === null ? t("Todo list") : planTitle === "" ? t("Plan") : t("Plan: {0}", planTitle);
  return (
    <Section title={title} actions={plan === null ? null : <PlanButtons />}>
      <ul>
        {todos.map(todo => (
          <TodoRow key={todo.content} todo={todo} running={running} />
        ))}
      </ul>
    </Section>
  );
}

/** Of the plan that is carried out, while nothing runs. */
export function PlanButtons() {
  const panel = usePanel();
  const turn = usePanelState(state => state.session.plan?.turn);
  const canEnd = usePanelState(({ session }) => session.run === "idle" && !session.readOnly);
  if (turn === undefined) return null;
  return (
    <>
      <LinkButton title={t("Open the plan")} onClick={() => panel.ask("openRunningPlan", { turn })}>
        {t("Open")}
      </LinkButton>
      {canEnd ? (
        <LinkButton
          title={t("The agent stops following it, and its todo list is cleared. Files stay as they are.")}
          onClick={() => panel.ask("endPlan", { turn })}
        >
          {t("End plan")}
        </LinkButton>
      ) : null}
    </>
  );
}

function TodoRow({ todo: { content, status }, running }: { todo: Todo; running: boolean }) {
  const looks: Record<Todo["status"], { icon: string; words: string }> = {
    pending: { icon: "circle-large", words: t("to do") },
    // Its work ended with the turn.
    in_progress: running
      ? { icon: "circle-large-filled", words: t("in progress") }
      : { icon: "debug-pause", words: t("begun") },
    completed: { icon: "pass-filled", words: t("done") },
  };
  const { icon, words } = looks[status];
  return (
    <li className={`todo-item ${status}`}>
      <Icon name={icon} />
      <span className="visually-hidden">{words}: </span>
      <span>{content}</span>
    </li>
  );
}

/** What nobody looked at yet of the agent's changes; where that is not followed, the files of the turn that runs. */
function ChangesSection() {
  const files = usePanelState(state => state.session.review);
  const turn = usePanelState(state => state.session.turn);
  const readOnly = usePanelState(state => state.session.readOnly);
  // The line that this opened from has its actions.
  const isInLine = usePanelState(state => statusOf(state) === "review");
  // Of several the line above them says how many.
  const isOne = usePanelState(({ session }) => new Set(session.changes[turn]?.map(({ uri }) => uri)).size === 1);
  const list = useRef<HTMLUListElement>(null);
  const keys = useRoving(list);
  if (files.length === 0)
    return (
      <Section title={t("Changed files")} isTitled={!isOne}>
        <ChangedFiles turn={turn} />
      </Section>
    );
  const title = plural(changesIn(files), "1 change to review", "{0} changes to review");
  return (
    <Section
      title={title}
      actions={
        <span className={isInLine ? "when-tight" : "status-second"}>
          <ReviewActions files={files} readOnly={readOnly} />
        </span>
      }
    >
      <ul ref={list} aria-label={t("Changed files")} {...keys}>
        {files.map(file => (
          <ReviewRow key={file.uri} file={file} readOnly={readOnly} />
        ))}
      </ul>
    </Section>
  );
}

/** What can be done with all that waits for a review. */
export function ReviewActions({ files, readOnly }: { files: readonly ReviewFile[]; readOnly: boolean }) {
  const panel = usePanel();
  return (
    <>
      <LinkButton title={t("Go to the next change in the editor")} onClick={() => panel.act("review-next")}>
        {t("Review")}
      </LinkButton>
      {readOnly ? null : (
        <span className="status-second">
          <LinkButton
            title={t("Keep all changes that were not reviewed")}
            onClick={() => panel.ask("keepChanges", { files: seenFiles(files) })}
          >
            {t("Keep")}
          </LinkButton>
          <LinkButton
            title={t("Undo all changes that were not reviewed. Your own edits since then stay.")}
            onClick={() => panel.act("review-undo-all")}
          >
            {t("Undo")}
          </LinkButton>
        </span>
      )}
    </>
  );
}

const icons = { created: "diff-added", edited: "diff-modified", deleted: "diff-removed" };

function ReviewRow({ file, readOnly }: { file: ReviewFile; readOnly: boolean }) {
  const panel = usePanel();
  const { path, uri, kind, added, removed, turns } = file;
  const cut = path.lastIndexOf("/") + 1;
  const [name, folder] = [visibleText(path.slice(cut)), visibleText(path.slice(0, Math.max(0, cut - 1)))];
  const kinds = { created: t("created"), edited: t("edited"), deleted: t("deleted") };
  const { busy, run } = useBusy(() => panel.ask("keepChanges", { files: seenFiles([file]) }));
  const [turn = 0] = turns;
  return (
    <li className="file-row" {...ROVING_ROW}>
      <button
        type="button"
        className="file-open"
        title={t("{0}\nOpen the diff", path)}
        onClick={() => panel.ask("openTurnDiff", { turn, uri })}
      >
        <Icon name={icons[kind]} />
        <span className="visually-hidden">{kinds[kind]}: </span>
        <span className="file-name">{name}</span>
        <span className="file-folder">{folder}</span>
        {added === undefined || removed === undefined ? null : <ChangeCount changes={[{ added, removed }]} />}
      </button>
      {readOnly ? null : (
        <IconButton icon="check" label={t("Keep the changes of {0}", name)} aria-disabled={busy} onClick={run} />
      )}
    </li>
  );
}
