import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { focusComposer } from "../controls/focus";
import { usePanel, usePanelState } from "../panel/hooks";
import type { Panel } from "../panel/panel";
import { underWay } from "../store/compactions";
import { Banners } from "./Banners";
import { ChangedFilesNow } from "./ChangedFiles";
import { CompactionProgress, phaseWords } from "./Compaction";
import { Composer } from "./Composer";
import { ContextView } from "./ContextView";
import { Conversation } from "./Conversation";
import { PlanLine, ReviewLine, TaskLine, TodoLine } from "./FooterLines";
import { Header } from "./Header";
import { Notice } from "./Notice";
import { OpenQuestion } from "./OpenQuestion";
import { PendingList } from "./PendingList";
import { ServersView } from "./ServersView";
import { SessionsView } from "./SessionsView";
import { useFindKeys } from "./useFind";

/** The whole panel, top to bottom in the order of the eye: header, conversation or what is shown in its place, composer. */
export function App() {
  const panel = usePanel();
  const [view, setView] = useState<"sessions" | "servers" | "context" | null>(null);
  const loading = usePanelState(state => state.phase === "loading");
  useEffect(() => void panel.open(), [panel]);
  useEffect(() => {
    const tell = () => void panel.ask("panelFocused", {});
    window.addEventListener("focus", tell);
    return () => window.removeEventListener("focus", tell);
  }, [panel]);
  useEffect(() => panel.onServersAsked(() => setView("servers")), [panel]);
  useEffect(() => panel.onContextAsked(() => setView("context")), [panel]);
  useFindKeys(useCallback(() => setView(null), []));
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
    if (isTyping(event)) focusComposer();
  };
  useKeysOfNobody(onKeyDown);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from what has the focus
    <div className="app" onKeyDown={onKeyDown}>
      <Header
        sessionsOpen={view === "sessions"}
        onSessions={() => setView(view === "sessions" ? null : "sessions")}
        onNewSession={() => panel.newSession().then(closeView)}
      />
      {loading ? <div className="progress" role="progressbar" aria-label="Opening the conversation" /> : null}
      <Banners />
      {view === "sessions" ? <SessionsView close={closeView} /> : null}
      {view === "servers" ? <ServersView close={closeView} /> : null}
      {view === "context" ? <ContextView close={closeView} /> : null}
      {view === null ? <Conversation /> : null}
      <footer className="footer">
        <Notice />
        <CompactionProgress />
        <TaskLine />
        <ChangedFilesNow />
        <ReviewLine />
        <PlanLine />
        <TodoLine />
        <PendingList />
        <OpenQuestion />
        <Composer />
      </footer>
      <SpokenStatus />
    </div>
  );
}

/** What had the focus is gone, or a click left it nowhere: keys are the panel's all the same. */
function useKeysOfNobody(onKeyDown: (event: globalThis.KeyboardEvent) => void) {
  const latest = useRef(onKeyDown);
  latest.current = onKeyDown;
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => void (event.target === document.body && latest.current(event));
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** false: nothing runs, or a question that can have been noticed takes the key. One that is still new does not. */
function endWhatRuns(panel: Panel): boolean {
  const { run, progress } = panel.store.get().session;
  if (underWay(progress)) panel.ask("cancelCompaction", {});
  else if (run === "running" || (run === "asking" && panel.questions.isNew)) panel.ask("stop", {});
  else return false;
  return true;
}

/** A letter typed where nothing takes it belongs into the composer (moving the focus there lets it through). */
function isTyping(event: KeyboardEvent | globalThis.KeyboardEvent): boolean {
  if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target as Element).matches("input, textarea, select, [role^=menuitem]");
}

/** For screen readers: what the session is doing, said once when it changes. */
function SpokenStatus() {
  const run = usePanelState(state => state.session.run);
  const step = usePanelState(state => state.session.counters.step);
  const loading = usePanelState(state => state.phase === "loading");
  const progress = usePanelState(state => state.session.progress);
  const words = {
    idle: "Ready",
    running: step > 0 ? `Working, step ${step}` : "Working",
    asking: "Waiting for your answer",
    stopping: "Stopping",
  };
  return (
    <div className="visually-hidden" role="status">
      {loading ? "Opening the conversation" : underWay(progress) ? `Compacting: ${phaseWords(progress)}` : words[run]}
    </div>
  );
}
