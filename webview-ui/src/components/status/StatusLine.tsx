import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { withoutPictures } from "../../../../src/shared/attachProtocol";
import { stateWord } from "../../../../src/shared/entry";
import { plural, t } from "../../../../src/shared/l10n";
import { Icon, LinkButton, SPINNER, Toggle } from "../../controls/controls";
import { focusComposer, useFocusHandedOn } from "../../controls/focus";
import { InlineMarkdown } from "../../markdown/Markdown";
import { useNow, usePanel, usePanelState } from "../../panel/hooks";
import { undoneLast } from "../../store/changes";
import type { CompactionState } from "../../store/state";
import type { StatusKind, StatusSection } from "../../store/status";
import {
  changesIn,
  doneTodos,
  hasOpenCall,
  reviewLines,
  sectionsOf,
  seenFiles,
  statusOf,
  todoInHand,
} from "../../store/status";
import { capital, formatClock, formatDuration, sizeText, visibleLine } from "../../text/format";
import { ChangeCount } from "../changes/Diff";
import { tasksWords } from "./BackgroundTasks";
import { Action } from "./Banners";
import { sizeWords } from "./Compaction";
import { StatusDetails } from "./StatusDetails";

/** The one line above the composer: what is most urgent, what can be done about it, and upward the rest. */
export function StatusLine() {
  const urgent = usePanelState(statusOf);
  const sections = usePanelState(sectionsOf);
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const opens = sections !== "";
  useEffect(() => {
    if (!opens) setOpen(false);
  }, [opens]);
  const isOpen = open && opens;
  const shown = sections.split(" ") as StatusSection[];
  // What was opened stays, though a card comes: something may be written in it. The line closes it.
  const kind = urgent ?? (isOpen ? (shown[0] ?? null) : null);
  if (kind === null) return null;
  const Parts = lines[kind];
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.defaultPrevented || event.key !== "Escape") return;
    event.stopPropagation();
    setOpen(false);
    toggle.current?.focus();
  };
  return (
    <section className="status" aria-label={t("Status")} onKeyDown={onKeyDown}>
      {isOpen ? <StatusDetails sections={shown} /> : null}
      <Line key={`${kind} ${opens}`} toggle={toggle} className={`status-line${opens ? " opens" : ""}`} data-kind={kind}>
        <Parts
          words={(icon, words, { title, count } = {}) => {
            const inside = (
              <>
                <Icon name={icon} />
                <span className="status-words" title={title}>
                  {words}
                </span>
                {count && " "}
                {count && <span className="status-count">{count}</span>}
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
      </Line>
    </section>
  );
}

/** A press of its own may end it: the focus moves on then. What it opens to is as well opened from the next. */
function Line({ toggle, ...line }: { toggle: RefObject<HTMLElement | null>; className: string; children: ReactNode }) {
  const box = useFocusHandedOn<HTMLDivElement>(toggle);
  return <div ref={box} {...line} />;
}

/** `title`: all of it, where the words may be cut; `count`: shown behind the words, and not cut with them */
type WordsRest = { title?: string | undefined; count?: string | undefined };

/** Draws what the line says; where there is more, a click on it opens that. */
type StatusWords = (icon: string, words: ReactNode, rest?: WordsRest) => ReactNode;

const lines: Record<StatusKind, (props: { words: StatusWords }) => ReactNode> = {
  compacting: Compacting,
  stopping: ({ words }) => <>{words(SPINNER, t("Stopping"))}</>,
  retrying: Retrying,
  working: Working,
  readOnly: ReadOnly,
  noModel: NoModel,
  review: Reviewing,
  queue: Queued,
  todo: Todo,
  tasks: Tasks,
  storage: Storage,
};

/** Ends what the line is about; the focus is the composer's then. */
function Ender({ ends, title, words }: { ends: "stop" | "cancelCompaction"; title: string; words: string }) {
  const panel = usePanel();
  const end = () => {
    void panel.ask(ends, {});
    focusComposer();
  };
  return (
    <LinkButton title={title} aria-keyshortcuts="Escape" onClick={end}>
      {words}
    </LinkButton>
  );
}

const Stop = () => <Ender ends="stop" title={t("Stop (Esc)")} words={t("Stop")} />;

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

/** The todo in hand, and which of all it is. */
function useHand() {
  const hand = usePanelState(({ session }) => visibleLine(todoInHand(session)?.content ?? ""));
  const count = usePanelState(({ session }) => {
    const todo = todoInHand(session);
    return todo === null ? undefined : t("({0} of {1})", todo.at, todo.of);
  });
  return { hand, count, title: hand === "" ? undefined : hand };
}

function Working({ words }: { words: StatusWords }) {
  const { hand, ...rest } = useHand();
  const startedAt = usePanelState(state => state.session.counters.startedAt);
  const queued = usePanelState(state => state.session.pending.length);
  const waits = useWaiting(hand !== "");
  const lead = waits ?? capital(stateWord("running"));
  const said = (
    <>
      <span className={waits === undefined ? "status-lead" : undefined}>{lead} · </span>
      <InlineMarkdown text={hand} />
    </>
  );
  return (
    <>
      {words(SPINNER, hand === "" ? lead : said, rest)}
      {queued === 0 ? null : <span className="status-fact">{plural(queued, "1 queued", "{0} queued")}</span>}
      <Clock since={startedAt} />
      <Stop />
    </>
  );
}

/** So long nothing came of an answer, until it is said how long: ms. */
const LONG_WAIT_MS = 10_000;

/** That the model is waited for. @param isTold something else tells what goes on: then only where nothing came for long */
function useWaiting(isTold: boolean): string | undefined {
  const { store } = usePanel();
  const answering = usePanelState(({ session: { live } }) => Boolean(live?.text || live?.reasoning), true);
  const toolRuns = usePanelState(({ session: { items } }) => hasOpenCall(items));
  const now = useNow(true);
  // not subscribed to: it changes with each delta
  const { live } = store.get().session;
  const silent = live === null ? 0 : now - live.heard;
  if (silent >= LONG_WAIT_MS) return t("{0} · {1}", t("Waiting for the model"), formatDuration(silent));
  return isTold || toolRuns || answering ? undefined : t("Waiting for the model");
}

function Compacting({ words }: { words: StatusWords }) {
  // The line is drawn for one that is under way.
  const progress = usePanelState(state => state.session.progress) as CompactionState;
  const title = sizeWords(progress);
  return (
    <>
      {words(SPINNER, t("{0} · {1}", t("Compacting history"), title), { title })}
      <Clock since={progress.since} />
      <Ender ends="cancelCompaction" title={t("Cancel the compaction (Esc)")} words={t("Cancel")} />
    </>
  );
}

function Retrying({ words }: { words: StatusWords }) {
  const retry = usePanelState(state => state.session.retry);
  const now = useNow(true);
  // A second may pass between its end and the next frame.
  if (retry === null) return null;
  const { at, message, attempt, attempts } = retry;
  const seconds = Math.max(0, Math.ceil((at - now) / 1000));
  return (
    <>
      {words("sync", message, { title: t("{0} ({1} of {2})", message, attempt, attempts) })}
      <span className="status-fact">{seconds === 0 ? t("Retrying now") : t("Retry in {0} s", seconds)}</span>
      <Stop />
    </>
  );
}

function NoModel({ words }: { words: StatusWords }) {
  const model = usePanelState(state => state.surroundings?.model);
  const title = model?.state === "none" ? model.message : "";
  return (
    <>
      {words("plug", title, { title })}
      <Action action="choose-model">{t("Choose a model")}</Action>
    </>
  );
}

function ReadOnly({ words }: { words: StatusWords }) {
  const panel = usePanel();
  const obstacle = usePanelState(state => state.session.obstacle);
  if (obstacle !== "") return <>{words("warning", obstacle, { title: obstacle })}</>;
  return (
    <>
      {words("lock", t("Open in another window"), { title: t("You can write here once that window closes it.") })}
      <LinkButton onClick={() => void panel.newSession()}>{t("New session")}</LinkButton>
    </>
  );
}

function Reviewing({ words }: { words: StatusWords }) {
  const panel = usePanel();
  const files = usePanelState(state => state.session.review);
  const undone = usePanelState(({ session }) => undoneLast(session).length);
  const lines = reviewLines(files);
  const redo = () => panel.ask("redoReview", { uri: undoneLast(panel.store.get().session)[0] ?? "" });
  // Undo asks nothing: Redo takes its place.
  if (files.length === 0)
    return (
      <>
        {words("discard", plural(undone, "Undone: 1 file", "Undone: {0} files"))}
        <LinkButton onClick={redo}>{t("Redo")}</LinkButton>
      </>
    );
  const said = (
    <>
      {plural(files.length, "1 file changed", "{0} files changed")} {lines && <ChangeCount changes={[lines]} />}
    </>
  );
  const keep = () => panel.ask("keepChanges", { files: seenFiles(files) });
  const undoes = t("Undo all changes that were not reviewed. Your own edits since then stay.");
  return (
    <>
      {words("diff-multiple", said, { title: plural(changesIn(files), "1 change to review", "{0} changes to review") })}
      <Action action="review-next" title={t("Go to the next change in the editor")}>
        {t("Review")}
      </Action>
      <span className="status-second">
        <LinkButton title={t("Keep all changes that were not reviewed")} onClick={keep}>
          {t("Keep")}
        </LinkButton>
        <Action action="review-undo-all" title={undoes}>
          {t("Undo")}
        </Action>
      </span>
    </>
  );
}

function Queued({ words }: { words: StatusWords }) {
  const panel = usePanel();
  const pending = usePanelState(state => state.session.pending);
  const asks = usePanelState(({ session }) => session.run === "asking");
  const [first] = pending;
  if (first === undefined) return null;
  const title = withoutPictures(first.text).words;
  if (asks) return words("comment-unresolved", plural(pending.length, "1 queued", "{0} queued"), { title });
  const said = plural(pending.length, "1 message was not sent", "{0} messages were not sent");
  return (
    <>
      {words("comment-unresolved", said, { title })}
      <LinkButton onClick={() => panel.ask("sendPending", { pendingId: first.pendingId })}>{t("Send now")}</LinkButton>
    </>
  );
}

/** The todos left once the turn is over; a plan's until the plan ends. */
function Todo({ words }: { words: StatusWords }) {
  const { hand, ...rest } = useHand();
  const todos = usePanelState(state => state.session.todos);
  const done = usePanelState(({ session }) => doneTodos(session));
  const said = todos.length === 0 ? t("The plan is not finished") : t("{0} of {1} todos done", done, todos.length);
  return <>{hand === "" ? words("checklist", said) : words("checklist", <InlineMarkdown text={hand} />, rest)}</>;
}

function Tasks({ words }: { words: StatusWords }) {
  const tasks = usePanelState(state => state.session.tasks);
  const [only] = tasks.length === 1 ? tasks : [];
  return <>{words("server-process", tasksWords(tasks), { title: only && visibleLine(only.command.trim()) })}</>;
}

function Storage({ words }: { words: StatusWords }) {
  const storage = usePanelState(state => state.surroundings?.storage);
  if (storage === undefined) return null;
  const title = t("Your limit is {0}. Nothing is removed without asking you.", sizeText(storage.maxBytes));
  return (
    <>
      {words("archive", t("Sessions take {0} on disk", sizeText(storage.bytes)), { title })}
      <Action action="remove-sessions">{t("Remove the oldest…")}</Action>
      <span className="status-second">
        <Action action="storage-limit">{t("Change the limit")}</Action>
      </span>
    </>
  );
}
