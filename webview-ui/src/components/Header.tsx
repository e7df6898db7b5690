import { formatClock } from "../format";
import { useNow, usePanelState } from "../hooks";
import { IconButton } from "./IconButton";
import { ModePicker } from "./ModePicker";

interface Props {
  sessionsOpen: boolean;
  onSessions: () => void;
  onNewSession: () => void;
}

/** One line: title, mode, time of the turn under way, and the way to other sessions. */
export function Header({ sessionsOpen, onSessions, onNewSession }: Props) {
  const title = usePanelState(state => state.session.title);
  return (
    <header className="header">
      <h1 className="title" title={title}>
        {title || "New session"}
      </h1>
      <Elapsed />
      <ModePicker />
      <IconButton icon="add" label="New session" onClick={onNewSession} />
      <IconButton icon="history" label="Sessions" aria-pressed={sessionsOpen} onClick={onSessions} />
    </header>
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
