import { usePanel, usePanelState } from "../hooks";
import { focusComposer } from "./composerFocus";
import { Icon } from "./Icon";

/** Stop, while something runs, and Send. */
export function ComposerButtons({ canSend, send }: { canSend: boolean; send: () => void }) {
  const panel = usePanel();
  const run = usePanelState(state => state.session.run);
  const running = run !== "idle";
  const stop = () => {
    panel.stop();
    focusComposer();
  };
  return (
    <span className="composer-buttons">
      {running ? (
        <button
          type="button"
          className="round"
          aria-label="Stop"
          title="Stop (Esc)"
          disabled={run === "stopping"}
          onClick={stop}
        >
          <Icon name="debug-stop" />
        </button>
      ) : null}
      <button
        type="button"
        className="round primary"
        aria-label="Send"
        title={running ? "Send for the next step (Enter), or for later (Alt+Enter)" : "Send (Enter)"}
        disabled={!canSend}
        onClick={send}
      >
        <Icon name="arrow-up" />
      </button>
    </span>
  );
}
