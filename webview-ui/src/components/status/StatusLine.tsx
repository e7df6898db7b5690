import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import { Icon, LinkButton, Toggle } from "../../controls/controls";
import { focusComposer } from "../../controls/focus";
import { useNow, usePanel, usePanelState } from "../../panel/hooks";
import { changesIn, reviewLines } from "../../store/review";
import type { CompactionState, Retry, SessionView } from "../../store/state";
import { doneTodos, type StatusKind, type StatusSection, sectionsOf, statusOf, todoInHand } from "../../store/status";
import { formatClock, sizeText, visibleLine } from "../../text/format";
import { ChangeCount } from "../changes/Diff";
import { tasksWords } from "./BackgroundTasks";
import { sizeWords } from "./Compaction";
import { PlanButtons, ReviewActions, StatusDetails } from "./StatusDetails";

/** The one line above the composer: what is most urgent, what can be done about it, and upward the rest. */
export function StatusLine() {
  const kind = usePanelState(statusOf);
  const sections = usePanelState(state => sectionsOf(state.session));
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const opens = sections !== "";
  useEffect(() => {
    if (!opens) setOpen(false);
  }, [opens]);
  if (kind === null) return null;
  const Parts = lines[kind];
  const isOpen = open && opens;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.defaultPrevented || event.key !== "Escape") return;
    event.stopPropagation();
    setOpen(false);
    toggle.current?.focus();
  };
  return (
    <section className="status" aria-label={t("Status")} onKeyDown={onKeyDown}>
      {isOpen ? <StatusDetails sections={sections.split(" ") as StatusSection[]} /> : null}
      <div className={opens ? "status-line opens" : "status-line"} data-kind={kind}>
        <Parts
          words={(icon, words, { title, count } = {}) => {
            const inside = (
              <>
                <Icon name={icon} />
                <span className="status-words" title={title}>
                  {words}
                </span>
                {count === undefined ? null : (
                  <>
                    {" "}
                    <span className="status-count">{count}</span>
                  </>
                )}
              </>
            );
            if (!opens) return <span className="status-toggle">{inside}</span>;
            return (
              <Toggle ref={toggle} open={open} className="status-toggle" onClick={() => setOpen(!open)}>
                {inside}
                <Icon name={open ? "chevron-down" : "chevron-up"} className="status-chevron" />
              </Toggle>
            );
          }}
        />
      </div>
    </section>
  );
}

interface WordsRest {
  /** all of it, where the words may be cut */
  title?: string | undefined;
  /** shown behind the words, and not cut with them */
  count?: string | undefined;
}

/** Draws what the line says; where there is more, a click on it opens that. */
type StatusWords = (icon: string, words: ReactNode, rest?: WordsRest) => ReactNode;

const lines: Record<StatusKind, (props: { words: StatusWords }) => ReactNode> = {
  asking: ({ words }) => (
    <>
      {words("question", t("Waiting for your answer"))}
      <Stop />
    </>
  ),
  compacting: Compacting,
  stopping: ({ words }) => <>{words("loading codicon-modifier-spin", t("Stopping"))}</>,
  retrying: Retrying,
  working: Working,
  readOnly: ReadOnly,
  noModel: NoModel,
  review: Reviewing,
  queue: Queued,
  plan: Planned,
  todo: Unfinished,
  tasks: Tasks,
  storage: Storage,
};

function Stop() {
  const panel = usePanel();
  const stop = () => {
    void panel.ask("stop", {});
    focusComposer();
  };
  return (
    <LinkButton title={t("Stop (Esc)")} aria-keyshortcuts="Escape" onClick={stop}>
      {t("Stop")}
    </LinkButton>
  );
}

/** Not for screen readers: it changes every second. */
function Clock({ since }: { since: number | null }) {
  const now = useNow(since !== null);
  if (since === null) return null;
  return (
    <span className="status-clock" aria-hidden="true">
      {formatClock(now - since)}
    </span>
  );
}

const handCount = (session: SessionView) => {
  const todo = todoInHand(session);
  return todo === null ? undefined : t("({0} of {1})", todo.at, todo.of);
};

function Working({ words }: { words: StatusWords }) {
  const hand = usePanelState(({ session }) => visibleLine(todoInHand(session)?.content ?? ""));
  const count = usePanelState(({ session }) => handCount(session));
  const startedAt = usePanelState(state => state.session.counters.startedAt);
  const queued = usePanelState(state => state.session.pending.length);
  return (
    <>
      {words(
        "loading codicon-modifier-spin",
        hand === "" ? (
          t("Working")
        ) : (
          <>
            <span className="status-lead">{t("Working")} · </span>
            {hand}
          </>
        ),
        { title: hand === "" ? undefined : hand, count },
      )}
      {queued === 0 ? null : <span className="status-fact">{plural(queued, "1 queued", "{0} queued")}</span>}
      <Clock since={startedAt} />
      <Stop />
    </>
  );
}

function Compacting({ words }: { words: StatusWords }) {
  const panel = usePanel();
  // The line is drawn for one that is under way.
  const progress = usePanelState(state => state.session.progress) as CompactionState;
  const cancel = () => {
    void panel.ask("cancelCompaction", {});
    focusComposer();
  };
  const size = sizeWords(progress);
  return (
    <>
      {words("loading codicon-modifier-spin", t("{0} · {1}", t("Compacting history"), size), { title: size })}
      <Clock since={progress.since} />
      <LinkButton title={t("Cancel the compaction (Esc)")} aria-keyshortcuts="Escape" onClick={cancel}>
        {t("Cancel")}
      </LinkButton>
    </>
  );
}

function Retrying({ words }: { words: StatusWords }) {
  const retry = usePanelState(state => state.session.retry) as Retry;
  const now = useNow(true);
  const seconds = Math.max(0, Math.ceil((retry.at - now) / 1000));
  const message = retry.message;
  return (
    <>
      {words("sync", message, { title: t("{0} ({1} of {2})", message, retry.attempt, retry.attempts) })}
      <span className="status-fact">{seconds === 0 ? t("Retrying now") : t("Retry in {0} s", seconds)}</span>
      <Stop />
    </>
  );
}

function NoModel({ words }: { words: StatusWords }) {
  const panel = usePanel();
  const model = usePanelState(state => state.surroundings?.model);
  const message = model?.state === "none" ? model.message : "";
  return (
    <>
      {words("plug", message, { title: message })}
      <LinkButton onClick={() => panel.act("choose-model")}>{t("Choose a model")}</LinkButton>
      <span className="status-second">
        <LinkButton onClick={() => panel.act("set-key")}>{t("Set key")}</LinkButton>
      </span>
    </>
  );
}

function ReadOnly({ words }: { words: StatusWords }) {
  const panel = usePanel();
  const obstacle = usePanelState(state => state.session.obstacle);
  if (obstacle !== "") return <>{words("warning", obstacle, { title: obstacle })}</>;
  return (
    <>
      {words("lock", t("Open in another window"), {
        title: t("You can write here once that window closes it."),
      })}
      <LinkButton onClick={() => void panel.newSession()}>{t("New session")}</LinkButton>
    </>
  );
}

function Reviewing({ words }: { words: StatusWords }) {
  const files = usePanelState(state => state.session.review);
  const lines = reviewLines(files);
  return (
    <>
      {words(
        "diff-multiple",
        <>
          {plural(files.length, "1 file changed", "{0} files changed")} {lines && <ChangeCount changes={[lines]} />}
        </>,
        { title: plural(changesIn(files), "1 change to review", "{0} changes to review") },
      )}
      <ReviewActions files={files} readOnly={false} />
    </>
  );
}

function Queued({ words }: { words: StatusWords }) {
  const panel = usePanel();
  const pending = usePanelState(state => state.session.pending);
  const noModel = usePanelState(({ surroundings }) => surroundings?.model.state === "none");
  const [first] = pending;
  if (first === undefined) return null;
  if (noModel && !first.held)
    return words("comment-unresolved", t("Your message waits for a model"), { title: first.text });
  const said = plural(pending.length, "1 message was not sent", "{0} messages were not sent");
  return (
    <>
      {words("comment-unresolved", said, { title: first.text })}
      <LinkButton onClick={() => panel.ask("sendPending", { pendingId: first.pendingId })}>{t("Send now")}</LinkButton>
    </>
  );
}

const planWords = ({ plan }: SessionView) =>
  t("Plan: {0}", plan === null || plan.title === "" ? t("without a title") : visibleLine(plan.title));

const planCount = (session: SessionView) =>
  session.todos.length === 0 ? undefined : t("({0} of {1} done)", doneTodos(session), session.todos.length);

function Planned({ words }: { words: StatusWords }) {
  const said = usePanelState(state => planWords(state.session));
  const count = usePanelState(({ session }) => planCount(session));
  return (
    <>
      {words("checklist", said, { title: said, count })}
      <PlanButtons />
    </>
  );
}

const unfinishedWords = (session: SessionView) => t("{0} of {1} todos done", doneTodos(session), session.todos.length);

function Unfinished({ words }: { words: StatusWords }) {
  const said = usePanelState(state => unfinishedWords(state.session));
  return <>{words("checklist", said)}</>;
}

function Tasks({ words }: { words: StatusWords }) {
  const tasks = usePanelState(state => state.session.tasks);
  const [only] = tasks.length === 1 ? tasks : [];
  return <>{words("server-process", tasksWords(tasks), { title: only && visibleLine(only.command.trim()) })}</>;
}

function Storage({ words }: { words: StatusWords }) {
  const panel = usePanel();
  const storage = usePanelState(state => state.surroundings?.storage);
  if (storage === undefined) return null;
  const [bytes, limit] = [sizeText(storage.bytes), sizeText(storage.maxBytes)];
  return (
    <>
      {words("archive", t("Sessions take {0} on disk", bytes), {
        title: t("Your limit is {0}. Nothing is removed without asking you.", limit),
      })}
      <LinkButton onClick={() => panel.act("remove-sessions")}>{t("Remove the oldest…")}</LinkButton>
      <span className="status-second">
        <LinkButton onClick={() => panel.act("storage-limit")}>{t("Change the limit")}</LinkButton>
      </span>
    </>
  );
}
