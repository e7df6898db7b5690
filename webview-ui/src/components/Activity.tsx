import { useNow, usePanel, usePanelState } from "../hooks";
import { underWay } from "../store/compactions";
import type { Chunk, Retry } from "../store/state";

/** What goes on right now, where nothing else in the conversation shows it: waiting for the model, or for a retry. */
export function Activity() {
  const run = usePanelState(state => state.session.run);
  const retry = usePanelState(state => state.session.retry);
  const waiting = usePanelState(state => isWaiting(state.session.live));
  const compacting = usePanelState(state => underWay(state.session.progress));
  const toolRuns = usePanelState(state => hasOpenCall(state.session.chunks));
  if (run === "idle") return null;
  if (retry !== null) return <RetryLine retry={retry} />;
  if (run === "stopping") return <p className="activity shimmer">Stopping</p>;
  if (run === "asking" || compacting || toolRuns || !waiting) return null;
  return <p className="activity shimmer">Waiting for the model</p>;
}

function isWaiting(live: { text: string; reasoning: string } | null): boolean {
  return live === null || (live.text === "" && live.reasoning === "");
}

/** One of the calls at the end has no result yet: its card says what goes on. */
function hasOpenCall(chunks: readonly Chunk[]): boolean {
  for (const chunk of chunks.toReversed()) {
    for (const item of chunk.items.toReversed()) {
      if (item.kind !== "tool") return false;
      if (item.outcome === null) return true;
    }
  }
  return false;
}

function RetryLine({ retry }: { retry: Retry }) {
  const panel = usePanel();
  const now = useNow(true);
  const seconds = Math.max(0, Math.ceil((retry.at - now) / 1000));
  return (
    <div className="activity retry">
      <span>
        {retry.message} Trying again {seconds === 0 ? "now" : `in ${seconds} s`} ({retry.attempt} of {retry.attempts}).
      </span>
      <button type="button" className="link" onClick={() => panel.stop()}>
        Stop trying
      </button>
    </div>
  );
}
