import { type RefObject, useEffect, useRef, useState } from "react";
import { usePanel, usePanelState } from "../hooks";
import { Activity } from "./Activity";
import { EmptyState } from "./EmptyState";
import { Icon } from "./Icon";
import { ChunkView } from "./ItemView";
import { useStickToBottom } from "./useStickToBottom";

/** The conversation: older records come when the reader nears the top, new ones stay in sight when at the end. */
export function Conversation() {
  const chunks = usePanelState(state => state.session.chunks);
  const sessionId = usePanelState(state => state.session.sessionId);
  const loading = usePanelState(state => state.phase === "loading");
  const asked = usePanelState(state => state.session.questions.length > 0);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, jump } = useStickToBottom(scroller, content);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session begins at its end
  useEffect(jump, [sessionId, jump]);
  return (
    <div className="conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <div ref={scroller} className="scroller" tabIndex={0} role="log" aria-label="Conversation" aria-live="polite">
        <div ref={content} className="content">
          <OlderLoader scroller={scroller} />
          {chunks.length === 0 && !loading ? <EmptyState /> : null}
          {chunks.map(chunk => (
            <ChunkView key={chunk.key} chunk={chunk} />
          ))}
          <Activity />
        </div>
      </div>
      {atEnd ? null : (
        <button type="button" className="jump button" aria-label="Jump to latest" onClick={jump}>
          <Icon name={asked ? "question" : "arrow-down"} /> {asked ? "A question waits" : "Latest"}
        </button>
      )}
    </div>
  );
}

/**
 * Asks for older records before the reader gets there. What is being read stays in place by the browser's scroll
 * anchoring, which works everywhere but at the very top.
 */
function OlderLoader({ scroller }: { scroller: RefObject<HTMLElement | null> }) {
  const panel = usePanel();
  const hasOlder = usePanelState(state => state.session.hasOlder);
  const sentinel = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const root = scroller.current;
    const element = sentinel.current;
    if (root === null || element === null || !hasOlder || busy) return;
    const ask = (entries: IntersectionObserverEntry[]) => {
      if (!entries.some(entry => entry.isIntersecting)) return;
      setBusy(true);
      if (root.scrollTop === 0) root.scrollTop = 1;
      void panel.older().finally(() => setBusy(false));
    };
    const observer = new IntersectionObserver(ask, { root, rootMargin: "600px 0px 0px 0px" });
    observer.observe(element);
    return () => observer.disconnect();
  }, [panel, scroller, hasOlder, busy]);

  if (!hasOlder) return null;
  return (
    <div ref={sentinel} className="older quiet">
      Loading earlier messages…
    </div>
  );
}
