import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { withoutPictures } from "../../../../src/shared/attachProtocol";
import { stateWord } from "../../../../src/shared/entry";
import { plural, t } from "../../../../src/shared/l10n";
import { Icon, LinkButton, SPINNER, Toggle } from "../../controls/controls";
import { focusComposer, onEscape, useFocusHandedOn } from "../../controls/focus";
import { InlineMarkdown } from "../../markdown/Markdown";
import { useNow, usePanel, usePanelState } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { undoneLast } from "../../store/changes";
import { atWork } from "../../store/children";
import type { PanelState, SessionView } from "../../store/state";
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
  const close = () => {
    setOpen(false);
    toggle.current?.focus();
  };
  return (
    <section className="status" aria-label={t("Status")} onKeyDown={isOpen ? onEscape(close) : undefined}>
      {isOpen ? <StatusDetails sections={shown} /> : null}
      <Line key={`${kind} ${opens}`} {...{ kind, opens, open, toggle }} turn={() => setOpen(!open)} />
    </section>
  );
}

type LineProps = {
  kind: StatusKind;
  opens: boolean;
  open: boolean;
  toggle: RefObject<HTMLButtonElement | null>;
  turn(): void;
};

/** A press of its own may end it: the focus moves on then. What it opens to is as well opened from the next. */
function Line({ kind, opens, open, toggle, turn }: LineProps) {
  const panel = usePanel();
  const box = useFocusHandedOn<HTMLDivElement>(toggle);
  const state = usePanelState(each => each);
  usePanelState(isAnswering, true);
  const now = useNow(["compacting", "retrying", "working"].includes(kind));
  const said = lines[kind](state, panel, now);
  if (said === null) return null;
  const { icon, words, title, count, more } = said;
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
  return (
    <div ref={box} className={`status-line${opens ? " opens" : ""}`} data-kind={kind}>
      {opens ? (
        <Toggle ref={toggle} open={open} className="status-toggle" onClick={turn}>
          {inside}
          <Icon name={open ? "chevron-down" : "chevron-up"} className="status-chevron" />
        </Toggle>
      ) : (
        <span className="status-toggle">{inside}</span>
      )}
      {more}
    </div>
  );
}

interface LineSaid {
  icon: string;
  words: ReactNode;
  /** all of it, where the words may be cut */
  title?: string | undefined;
  /** shown behind the words, and not cut with them */
  count?: string | undefined;
  /** behind all of that: facts, and what can be done */
  more?: ReactNode;
}

/** What the line says; where there is more, a click on it opens that. null: it is over, and the next frame says so */
const lines: Record<StatusKind, (state: PanelState, panel: Panel, now: number) => LineSaid | null> = {
  compacting,
  stopping: () => ({ icon: SPINNER, words: t("Stopping") }),
  retrying,
  working,
  agents,
  readOnly,
  noModel,
  review: reviewing,
  queue: queued,
  todo,
  tasks,
  storage,
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
const Clock = ({ ms }: { ms: number }) => (
  <span className="status-clock" aria-hidden="true">
    {formatClock(ms)}
  </span>
);

/** The todo in hand, and which of all it is. */
function todoWords(session: SessionView) {
  const inHand = todoInHand(session);
  const hand = visibleLine(inHand?.content ?? "");
  const count = inHand === null ? undefined : t("({0} of {1})", inHand.at, inHand.of);
  return { hand, count, title: hand === "" ? undefined : hand };
}

function working({ session }: PanelState, _: Panel, now: number): LineSaid {
  const { hand, ...rest } = todoWords(session);
  const { startedAt } = session.counters;
  const { length: queued } = session.pending;
  const waits = waitingWords(session, hand !== "", now);
  const lead = waits ?? capital(stateWord("running"));
  const said = (
    <>
      <span className={waits === undefined ? "status-lead" : undefined}>{lead} · </span>
      <InlineMarkdown text={hand} />
    </>
  );
  const more = (
    <>
      {queued === 0 ? null : <span className="status-fact">{plural(queued, "1 queued", "{0} queued")}</span>}
      {startedAt === null ? null : <Clock ms={now - startedAt} />}
      <Stop />
    </>
  );
  return { icon: SPINNER, words: hand === "" ? lead : said, ...rest, more };
}

/** So long nothing came of an answer, until it is said how long: ms. */
const LONG_WAIT_MS = 10_000;

const isAnswering = ({ session: { live } }: PanelState) => Boolean(live?.text || live?.reasoning);

/** That the model is waited for. @param isTold something else tells what goes on: then only where nothing came for long */
function waitingWords({ live, items }: SessionView, isTold: boolean, now: number): string | undefined {
  const silent = live === null ? 0 : now - live.heard;
  if (silent >= LONG_WAIT_MS) return t("{0} · {1}", t("Waiting for the model"), formatDuration(silent));
  return isTold || hasOpenCall(items) || live?.text || live?.reasoning ? undefined : t("Waiting for the model");
}

/** They go on behind the turn. */
function agents({ session }: PanelState, panel: Panel): LineSaid {
  const ids = atWork(session);
  const stop = () => {
    for (const childId of ids) void panel.ask("stopChild", { childId });
    focusComposer();
  };
  const words = plural(ids.length, "1 agent at work", "{0} agents at work");
  return { icon: SPINNER, words, more: <LinkButton onClick={stop}>{t("Stop")}</LinkButton> };
}

function compacting({ session: { progress } }: PanelState, _: Panel, now: number): LineSaid | null {
  if (progress === null) return null;
  const title = sizeWords(progress);
  const more = (
    <>
      <Clock ms={now - progress.since} />
      <Ender ends="cancelCompaction" title={t("Cancel the compaction (Esc)")} words={t("Cancel")} />
    </>
  );
  return { icon: SPINNER, words: t("{0} · {1}", t("Compacting history"), title), title, more };
}

function retrying({ session: { retry } }: PanelState, _: Panel, now: number): LineSaid | null {
  if (retry === null) return null;
  const { at, message, attempt, attempts } = retry;
  const seconds = Math.max(0, Math.ceil((at - now) / 1000));
  const more = (
    <>
      <span className="status-fact">{seconds === 0 ? t("Retrying now") : t("Retry in {0} s", seconds)}</span>
      <Stop />
    </>
  );
  return { icon: "sync", words: message, title: t("{0} ({1} of {2})", message, attempt, attempts), more };
}

function noModel({ surroundings }: PanelState): LineSaid {
  const title = surroundings?.model.state === "none" ? surroundings.model.message : "";
  return { icon: "plug", words: title, title, more: <Action action="choose-model">{t("Choose a model")}</Action> };
}

function readOnly({ session: { obstacle } }: PanelState, panel: Panel): LineSaid {
  if (obstacle !== "") return { icon: "warning", words: obstacle, title: obstacle };
  const more = <LinkButton onClick={() => void panel.newSession()}>{t("New session")}</LinkButton>;
  const title = t("You can write here once that window closes it.");
  return { icon: "lock", words: t("Open in another window"), title, more };
}

function reviewing({ session }: PanelState, panel: Panel): LineSaid {
  const { review: files } = session;
  // Undo asks nothing: Redo takes its place.
  if (files.length === 0) {
    const undone = undoneLast(session);
    const redo = () => panel.ask("redoReview", { uri: undone[0] ?? "" });
    const words = plural(undone.length, "Undone: 1 file", "Undone: {0} files");
    return { icon: "discard", words, more: <LinkButton onClick={redo}>{t("Redo")}</LinkButton> };
  }
  const sums = reviewLines(files);
  const words = (
    <>
      {plural(files.length, "1 file changed", "{0} files changed")} {sums && <ChangeCount changes={[sums]} />}
    </>
  );
  const keep = () => panel.ask("keepChanges", { files: seenFiles(files) });
  const undoes = t("Undo all changes that were not reviewed. Your own edits since then stay.");
  const more = (
    <>
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
  const title = plural(changesIn(files), "1 change to review", "{0} changes to review");
  return { icon: "diff-multiple", words, title, more };
}

function queued({ session: { pending, run } }: PanelState, panel: Panel): LineSaid | null {
  const [first] = pending;
  if (first === undefined) return null;
  const said = { icon: "comment-unresolved", title: withoutPictures(first.text).words };
  if (run === "asking") return { ...said, words: plural(pending.length, "1 queued", "{0} queued") };
  const send = () => panel.ask("sendPending", { pendingId: first.pendingId });
  const words = plural(pending.length, "1 message was not sent", "{0} messages were not sent");
  return { ...said, words, more: <LinkButton onClick={send}>{t("Send now")}</LinkButton> };
}

/** The todos left once the turn is over; a plan's until the plan ends. */
function todo({ session }: PanelState): LineSaid {
  const { hand, ...rest } = todoWords(session);
  if (hand !== "") return { icon: "checklist", words: <InlineMarkdown text={hand} />, ...rest };
  const { length } = session.todos;
  const done = t("{0} of {1} todos done", doneTodos(session), length);
  return { icon: "checklist", words: length === 0 ? t("The plan is not finished") : done };
}

function tasks({ session: { tasks: all } }: PanelState): LineSaid {
  const [only] = all.length === 1 ? all : [];
  return { icon: "server-process", words: tasksWords(all), title: only && visibleLine(only.command.trim()) };
}

function storage({ surroundings }: PanelState): LineSaid | null {
  const { bytes, maxBytes } = surroundings?.storage ?? {};
  if (bytes === undefined || maxBytes === undefined) return null;
  const title = t("Your limit is {0}. Nothing is removed without asking you.", sizeText(maxBytes));
  const more = (
    <>
      <Action action="remove-sessions">{t("Remove the oldest…")}</Action>
      <span className="status-second">
        <Action action="storage-limit">{t("Change the limit")}</Action>
      </span>
    </>
  );
  return { icon: "archive", words: t("Sessions take {0} on disk", sizeText(bytes)), title, more };
}
