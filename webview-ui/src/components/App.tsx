import { type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import { t } from "../../../src/shared/l10n";
import type { PanelSubview } from "../../../src/shared/panelProtocol";
import { Icon, IconButton, LinkButton } from "../controls/controls";
import { focusComposer, isTyping } from "../controls/focus";
import { useListener, usePanel, usePanelState, useSpoken } from "../panel/hooks";
import type { Panel } from "../panel/panel";
import { frontCall } from "../panel/questions";
import { visibleLine } from "../text/format";
import { Composer } from "./composer/Composer";
import { ContextView } from "./context/ContextView";
import { Conversation } from "./conversation/Conversation";
import { SpokenAnswer, SpokenStatus } from "./conversation/Spoken";
import { useFindKeys } from "./find/useFind";
import { OpenQuestion } from "./question/Approval";
import { SessionsView } from "./sessions/SessionsView";
import { LastEnd } from "./status/BackgroundTasks";
import { Banners } from "./status/Banners";
import { StatusLine } from "./status/StatusLine";

/** The whole panel, top to bottom in the order of the eye: conversation or what is shown in its place, one line of what goes on, composer. */
export function App() {
  const panel = usePanel();
  const [view, setView] = useState<PanelSubview | null>(null);
  const title = usePanelState(state => state.session.title);
  const sessionId = usePanelState(state => state.session.sessionId);
  const loading = usePanelState(state => state.phase === "loading");
  const asks = usePanelState(({ session }) => frontCall(session)?.phase === "asking");
  useEffect(() => void panel.open(), [panel]);
  useEffect(() => panel.onViewAsked(asked => setView(shown => (shown === asked ? null : asked))), [panel]);
  // Another session is shown: what it was chosen from is done with.
  useEffect(() => panel.leaving.on(id => panel.leftInList.has(id) || setView(null)), [panel]);
  useFocusTold(panel);
  useFindKeys(() => setView(null));
  const closeView = () => {
    setView(null);
    focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    if (event.defaultPrevented || ("nativeEvent" in event ? event.nativeEvent : event).isComposing) return;
    // a key still held from denying a question does not stop the turn as well
    if (event.key === "Escape" && !event.repeat) {
      // prevented, so that a question does not take it too
      if (view !== null) {
        closeView();
        event.preventDefault();
      } else if (endWhatRuns(panel)) event.preventDefault();
    }
    // A letter typed where nothing takes it belongs into the composer (moving the focus there lets it through).
    if (isTyping(event)) focusComposer();
  };
  // What had the focus is gone, or a click left it nowhere: keys are the panel's all the same.
  useListener("keydown", event => event.target === document.body && onKeyDown(event));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from what has the focus
    <div className={asks ? "app asks" : "app"} onKeyDown={onKeyDown}>
      <h1 className="visually-hidden">{title || t("New session")}</h1>
      {loading ? <div className="progress" role="progressbar" aria-label={t("Opening the session")} /> : null}
      <Banners />
      <CallerLine />
      <div className="stage">
        <Conversation behind={view !== null} />
        {view === "sessions" ? <SessionsView close={closeView} /> : null}
        {view === "context" ? <ContextView key={sessionId} close={closeView} /> : null}
      </div>
      <footer className="footer">
        <Notice />
        <StatusLine />
        <OpenQuestion />
        <Composer />
      </footer>
      <SpokenStatus />
      <SpokenAnswer />
      <LastEnd />
    </div>
  );
}

/** Above the conversation of an agent that works for another one: the way back, and what it is. */
function CallerLine() {
  const panel = usePanel();
  const { caller, title } = usePanelState(state => state.session);
  if (caller === null) return null;
  const back = () => void panel.openSession(caller.id).then(focusComposer);
  return (
    <p className="caller-line">
      <LinkButton onClick={back}>
        <Icon name="chevron-left" /> {t("Back to “{0}”", visibleLine(caller.title) || t("Untitled session"))}
      </LinkButton>
      <span className="quiet cut">{visibleLine(`${caller.agent} · ${title}`)}</span>
    </p>
  );
}

/** What was refused or got lost, or the answer to a command. */
function Notice() {
  const panel = usePanel();
  const notice = usePanelState(state => state.notice);
  useSpoken(notice?.kind === "answer" ? notice.text : "");
  if (notice === null) return null;
  return (
    <div className={`notice ${notice.kind}`} role={notice.kind === "problem" ? "alert" : undefined}>
      <Icon name={notice.kind === "problem" ? "warning" : "info"} />
      <span className="notice-text">{notice.text}</span>
      <IconButton icon="close" label={t("Dismiss")} onClick={() => panel.say(null)} />
    </div>
  );
}

/** VS Code is told when the page has the focus: keys of the panel hold then, and nowhere else. */
function useFocusTold(panel: Panel) {
  const tell = () => void panel.askQuietly("pageFocus", { focused: document.hasFocus() });
  const tellFirst = useEffectEvent(tell);
  useEffect(() => tellFirst(), []);
  useListener("focus", tell);
  useListener("blur", tell);
}

/** false: nothing runs, or a question that can have been noticed takes the key. One that is still new does not. */
function endWhatRuns(panel: Panel): boolean {
  const { run, progress } = panel.store.get().session;
  if (progress !== null) panel.ask("cancelCompaction", {});
  else if (run === "running" || (run === "asking" && panel.questions.isNew)) panel.ask("stop", {});
  else return false;
  return true;
}
