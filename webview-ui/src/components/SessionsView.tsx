import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { SessionSummary } from "../../../src/shared/panelSnapshot";
import { Icon } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import { count, formatWhen } from "../text/format";

/** The sessions of this workspace, newest first. Arrows move, Enter opens, Esc goes back. */
export function SessionsView({ close }: { close: () => void }) {
  const panel = usePanel();
  const current = usePanelState(state => state.session.sessionId);
  const [sessions, setSessions] = useState<SessionSummary[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, however often the way out is another function
  useEffect(() => {
    let wanted = true;
    void panel.ask("sessions", {}).then(answer => {
      if (wanted && answer === undefined) close();
      else setSessions(answer?.sessions ?? null);
    });
    return () => {
      wanted = false;
    };
  }, [panel]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sessions !== null) list.current?.querySelector<HTMLElement>(".session")?.focus();
  }, [sessions]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(".session") ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (event.key === "ArrowDown") rows[Math.min(rows.length - 1, at + 1)]?.focus();
    else if (event.key === "ArrowUp") rows[Math.max(0, at - 1)]?.focus();
    else if (event.key === "Home") rows[0]?.focus();
    else if (event.key === "End") rows.at(-1)?.focus();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const open = async (id: string) => {
    if (id !== current) await panel.openSession(id);
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the rows
    <div ref={list} className="sessions" onKeyDown={onKeyDown}>
      <h2 className="sessions-title">Sessions</h2>
      {sessions === null ? <p className="quiet sessions-empty">Loading…</p> : null}
      {sessions?.length === 0 ? <p className="quiet sessions-empty">No sessions in this workspace yet.</p> : null}
      <ul aria-label="Sessions">
        {sessions?.map(session => (
          <li key={session.id}>
            <SessionRow session={session} current={session.id === current} open={() => void open(session.id)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function SessionRow({ session, current, open }: { session: SessionSummary; current: boolean; open: () => void }) {
  const waits = usePanelState(state => state.waiting.includes(session.id));
  const working = session.running ? "loading codicon-modifier-spin" : current ? "check" : "comment-discussion";
  return (
    <button type="button" className="session" aria-current={current} onClick={open}>
      <Icon name={waits ? "question" : working} />
      <span className="session-title">{session.title || "Untitled"}</span>
      <span className="session-facts">
        {waits ? <strong>waits for you</strong> : session.running ? "running" : formatWhen(session.updated, Date.now())}{" "}
        · {count(session.turns, "turn")}
        {session.tasks ? ` · ${count(session.tasks, "task")} running` : ""}
      </span>
    </button>
  );
}
