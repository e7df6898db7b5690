import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { Icon, LinkButton } from "../controls/controls";
import { useNow, usePanel, usePanelState } from "../panel/hooks";
import { underWay } from "../store/compactions";
import type { Chunk, Item, ItemKind, ItemOf, Retry } from "../store/state";
import { Answer } from "./Answer";
import { CompactionMark } from "./Compaction";
import { EmptyState } from "./EmptyState";
import { ToolCard } from "./ToolCard";
import { TurnEnd } from "./TurnEnd";
import { UserMessage } from "./UserMessage";

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

type ItemTable = { [K in ItemKind]: (props: { item: ItemOf<K> }) => ReactNode };

const table: ItemTable = {
  user: ({ item }) => <UserMessage item={item} />,
  answer: ({ item }) => <Answer item={item} />,
  tool: ({ item }) => <ToolCard tool={item} />,
  note: ({ item }) => (
    <div className={`note ${item.icon}`}>
      <Icon name={item.icon} />
      <span className="note-text">{item.text}</span>
    </div>
  ),
  end: ({ item }) => <TurnEnd item={item} />,
  compaction: ({ item }) => <CompactionMark item={item} />,
};

const ItemView = memo(function ItemView({ item }: { item: Item }) {
  const Row = table[item.kind] as (props: { item: Item }) => ReactNode;
  return <Row item={item} />;
});

/** Neighbouring items; the browser skips chunks that are out of sight (`content-visibility`). */
const ChunkView = memo(function ChunkView({ chunk }: { chunk: Chunk }) {
  return (
    <div className="chunk">
      {chunk.items.map(item => (
        <ItemView key={item.key} item={item} />
      ))}
    </div>
  );
});

/** What goes on right now, where nothing else in the conversation shows it: waiting for the model, or for a retry. */
function Activity() {
  const run = usePanelState(state => state.session.run);
  const retry = usePanelState(state => state.session.retry);
  const answering = usePanelState(({ session: { live } }) => Boolean(live?.text || live?.reasoning));
  const compacting = usePanelState(state => underWay(state.session.progress));
  const toolRuns = usePanelState(state => hasOpenCall(state.session.chunks));
  if (run === "idle") return null;
  if (retry !== null) return <RetryLine retry={retry} />;
  if (run === "stopping") return <p className="activity shimmer">Stopping</p>;
  if (run === "asking" || compacting || toolRuns || answering) return null;
  return <p className="activity shimmer">Waiting for the model</p>;
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
      <LinkButton onClick={() => panel.ask("stop", {})}>Stop trying</LinkButton>
    </div>
  );
}

/** Closer to the end than this counts as being there, px. */
const NEAR = 32;

/**
 * Keeps the newest in sight while the reader is at the end, and leaves the place alone when not. Works after layout
 * (ResizeObserver), so nothing is measured while rendering.
 */
function useStickToBottom(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const pinned = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const jump = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    pinned.current = true;
    setAtEnd(true);
    element.scrollTop = element.scrollHeight;
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    const isNear = () => element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    const onScroll = () => {
      pinned.current = isNear();
      setAtEnd(pinned.current);
    };
    const observer = new ResizeObserver(() => {
      if (pinned.current) element.scrollTop = element.scrollHeight;
      else setAtEnd(isNear());
    });
    // what a reader opens grows downwards from where it is: the line under the pointer stays
    const onClick = (event: Event) => {
      if (event.target instanceof Element && event.target.closest("[aria-expanded]") !== null) pinned.current = false;
    };
    observer.observe(inner);
    observer.observe(element);
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener("scroll", onScroll, { passive: true, signal });
    inner.addEventListener("click", onClick, { capture: true, signal });
    return () => {
      observer.disconnect();
      listening.abort();
    };
  }, [scroller, content]);

  return { atEnd, jump };
}
