import { type KeyboardEvent, useEffect, useRef } from "react";
import { modeDescriptions, modeName, type PermissionMode } from "../../../src/shared/settingValues";
import { Icon, IconButton } from "../controls/controls";
import { Popup, usePopup } from "../controls/Popup";
import { useNow, usePanel, usePanelState } from "../panel/hooks";
import { formatClock } from "../text/format";

/** One line: title, mode, time of the turn under way, and the way to other sessions. */
export function Header(props: { sessionsOpen: boolean; onSessions: () => void; onNewSession: () => void }) {
  const title = usePanelState(state => state.session.title);
  const asked = usePanelState(state => state.waiting.some(id => id !== state.session.sessionId));
  return (
    <header className="header">
      <h1 className="title" title={title}>
        {title || "New session"}
      </h1>
      <Elapsed />
      <ModePicker />
      <FocusToggle />
      <IconButton icon="add" label="New session" onClick={props.onNewSession} />
      <IconButton
        icon="history"
        label={asked ? "Sessions: another one is waiting for you" : "Sessions"}
        className={asked ? "dotted" : ""}
        aria-pressed={props.sessionsOpen}
        onClick={props.onSessions}
      />
    </header>
  );
}

/** Words and outcome alone, or the work too. */
function FocusToggle() {
  const panel = usePanel();
  const on = usePanelState(state => state.surroundings?.focusView === true);
  return (
    <IconButton
      icon={on ? "eye-closed" : "eye"}
      label={on ? "Show tool calls" : "Hide tool calls"}
      aria-pressed={on}
      aria-keyshortcuts="Control+K H"
      onClick={() => panel.toggleFocusView()}
    />
  );
}

function Elapsed() {
  const startedAt = usePanelState(state => state.session.counters.startedAt);
  const now = useNow(startedAt !== null);
  if (startedAt === null) return null;
  return (
    <span className="elapsed" title="Time of this turn">
      {formatClock(now - startedAt)}
    </span>
  );
}

/** What the agent may do without asking. The menu says what each mode means. */
function ModePicker() {
  const panel = usePanel();
  const mode = usePanelState(state => state.session.mode);
  const readOnly = usePanelState(state => state.session.readOnly);
  const { open, button, close, toggle } = usePopup();
  const choose = (chosen: PermissionMode) => {
    if (chosen !== mode) void panel.ask("setMode", { mode: chosen });
    close();
  };
  return (
    <div className="menu-anchor">
      <button
        ref={button}
        type="button"
        className="picker"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={`Mode: ${modeName(mode)}`}
        title={modeDescriptions[mode]}
        disabled={readOnly}
        onClick={toggle}
      >
        {modeName(mode)} <Icon name="chevron-down" />
      </button>
      {open ? <ModeMenu mode={mode} choose={choose} close={close} /> : null}
    </div>
  );
}

function ModeMenu(props: { mode: PermissionMode; choose: (mode: PermissionMode) => void; close: () => void }) {
  const { mode, choose, close } = props;
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    menu.current?.querySelector<HTMLElement>("[aria-checked=true]")?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const items = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitemradio]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) items.at((at + step) % items.length)?.focus();
    if (event.key === "Escape" || event.key === "Tab") close();
    if (step === 0 && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Popup box={menu} className="menu" role="menu" label="Mode" popup={{ close, leave: close }} onKeyDown={onKeyDown}>
      {(Object.keys(modeDescriptions) as PermissionMode[]).map(candidate => (
        <button
          key={candidate}
          type="button"
          role="menuitemradio"
          aria-checked={candidate === mode}
          className="menu-item"
          onClick={() => choose(candidate)}
        >
          <Icon name={candidate === mode ? "check" : "blank"} />
          <ModeWords text={modeDescriptions[candidate]} />
        </button>
      ))}
    </Popup>
  );
}

/** "Plan: read and search only." → its name above what it means. */
function ModeWords({ text }: { text: string }) {
  const [name = "", ...rest] = text.split(": ");
  const meaning = rest.join(": ");
  return (
    <span className="menu-words">
      <span className="menu-name">{name}</span>
      <span className="quiet">{meaning.charAt(0).toUpperCase() + meaning.slice(1)}</span>
    </span>
  );
}
