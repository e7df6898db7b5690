import {
  Component,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { askerOf } from "../../../../src/shared/delegation";
import { t } from "../../../../src/shared/l10n";
import { Icon } from "../../controls/controls";
import { COMPOSER_ID, useFocusHandedOn } from "../../controls/focus";
import { usePanel, usePanelState } from "../../panel/hooks";
import { idOf } from "../../store/items";
import { rowsOf, saidByTodoLine } from "../../store/looks";
import type { Chunk, ConversationItem, ToolItem } from "../../store/state";
import { waitsForModel } from "../../store/status";
import { FindBar } from "../find/FindBar";
import { useFindState, useFoundMarks } from "../find/useFind";
import { EmptyState } from "../start/EmptyState";
import { Action } from "../status/Banners";
import { CompactionMark } from "../status/Compaction";
import { PendingList } from "../status/PendingList";
import { Answer } from "./Answer";
import { AskedByChild, ChildCard } from "./ChildCard";
import { Looks } from "./Looks";
import { PlanCard } from "./PlanCard";
import { RewindMark } from "./Rewind";
import { ToolCard } from "./ToolCard";
import { TurnEnd } from "./TurnEnd";
import { UserMessage } from "./UserMessage";

/** Items of a conversation that the panel draws without becoming slow. */
const MOST_ITEMS = 2_000;

/** Hours of work: where the person is at the end, the session is opened anew with its newest records. */
function useOpenedAnew(content: RefObject<HTMLElement | null>, atEnd: boolean): void {
  const panel = usePanel();
  const tooMany = usePanelState(({ session: { run, items, lastSeq } }) =>
    run === "idle" && items.length > MOST_ITEMS ? lastSeq : 0,
  );
  useEffect(() => {
    if (tooMany > 0 && atEnd && !panel.find.get().open && content.current && !isHeld(content.current)) panel.reopen();
  }, [panel, content, tooMany, atEnd]);
}

/** Something is selected in it, or it has the focus, or a text is written there; or a message that waits is being edited. */
function isHeld(content: Element): boolean {
  const selection = getSelection();
  if (selection !== null && !selection.isCollapsed && selection.containsNode(content, true)) return true;
  const written = content.querySelector("input") ?? document.querySelector(`textarea:not(#${COMPOSER_ID})`);
  return content.contains(document.activeElement) || written !== null;
}

/** Chunks that are drawn first as a session opens: more than a tall panel shows. */
const FIRST = 3;

/** The place of the first chunk that is drawn; older ones follow, one a frame: what React defers, each scroll begins anew. */
function useDrawnFrom(sessionId: string, chunks: readonly Chunk[]): number {
  const [oldest, setOldest] = useState("");
  const nameOf = (chunk?: Chunk) => `${sessionId} ${chunk?.key}`;
  const known = chunks.findIndex(chunk => nameOf(chunk) === oldest);
  const from = known < 0 ? Math.max(0, chunks.length - FIRST) : known;
  const next = nameOf(chunks[Math.max(0, from - 1)]);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setOldest(next));
    return () => cancelAnimationFrame(frame);
  }, [next]);
  return from;
}

/** px: nearer to the end than this nothing leads there. Following ends at once, and goes on from the end itself. */
const NEAR = 32;

/**
 * The box lies on its end (`column-reverse`): there the browser keeps the end in sight, and a pixel further up what is read.
 * @returns `jump` goes to the end and stays there; `leave`: what comes is not followed any more
 */
function useFollowing(scroller: RefObject<HTMLElement | null>) {
  const [atEnd, setAtEnd] = useState(true);
  const jump = useCallback(() => void scroller.current?.scrollTo(0, 0), [scroller]);
  const leave = useCallback(() => {
    if (scroller.current?.scrollTop === 0) scroller.current.scrollTop = -1;
  }, [scroller]);
  const onScroll = () => scroller.current && setAtEnd(scroller.current.scrollTop > -NEAR);
  // The reader looks at the line that is opened, so that what it grows by is not followed.
  const onClickCapture = ({ target }: MouseEvent) =>
    target instanceof Element && target.closest('[aria-expanded="false"]:not([aria-haspopup])') && leave();
  return { atEnd, jump, leave, hears: { onScroll, onClickCapture } };
}

/**
 * The conversation: older records come when the reader nears the top, new ones stay in sight when at the end.
 * @param behind another view covers it: it keeps its place, opened parts and typed text
 */
export function Conversation({ behind }: { behind: boolean }) {
  const { acted } = usePanel();
  const chunks = usePanelState(state => state.session.chunks);
  const sessionId = usePanelState(state => state.session.sessionId);
  const focused = usePanelState(state => state.surroundings?.focusView === true);
  const loading = usePanelState(state => state.phase === "loading");
  // Until there is a model they stand where they will be.
  const unsent = usePanelState(state => waitsForModel(state) && state.session.pending.length > 0);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, jump, leave, hears } = useFollowing(scroller);
  const from = useDrawnFrom(sessionId, chunks);
  const comesOlder = usePanelState(state => state.session.hasOlder) || from > 0;
  useOpenedAnew(content, atEnd);
  const finding = useFindState(({ open }) => open);
  useFoundMarks(scroller, content, { jump, leave });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session begins at its end
  useEffect(() => jump(), [sessionId, jump]);
  useEffect(() => acted.on(jump), [acted, jump]);
  const look = finding ? " finding" : focused ? " focused" : "";
  return (
    <div className={`conversation${look}`} inert={behind}>
      <div
        ref={scroller}
        className="scroller"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label={t("Conversation")}
        // Who listens hears an answer when it is whole (Spoken.tsx).
        aria-live="off"
        aria-busy={from > 0}
        {...hears}
      >
        <div ref={content} className="content">
          {comesOlder ? <OlderLoader scroller={scroller} isDrawn={from === 0} /> : null}
          {chunks.slice(from).map(chunk => (
            <ChunkView key={chunk.key} chunk={chunk} />
          ))}
          <div className="unsent">{unsent ? <PendingList /> : null}</div>
          {chunks.length === 0 && !loading ? <EmptyState /> : null}
        </div>
      </div>
      <FindBar />
      {atEnd ? null : <Jump jump={jump} />}
    </div>
  );
}

/** The way back to the end. A click leaves the focus where it is. */
function Jump({ jump }: { jump: () => void }) {
  const box = useFocusHandedOn<HTMLButtonElement>();
  return (
    <button
      ref={box}
      type="button"
      className="jump button"
      aria-label={t("Jump to latest")}
      onMouseDown={event => event.preventDefault()}
      onClick={jump}
    >
      <Icon name="arrow-down" /> {t("Latest")}
    </button>
  );
}

/**
 * Asks for older records before the reader gets there.
 * @param isDrawn all that came before is: gone any sooner, its line would take the box to its very top as they come
 */
function OlderLoader({ scroller, isDrawn }: { scroller: RefObject<HTMLElement | null>; isDrawn: boolean }) {
  const panel = usePanel();
  const sentinel = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const root = scroller.current;
    const element = sentinel.current;
    if (root === null || element === null || !isDrawn || busy) return;
    const ask = (entries: IntersectionObserverEntry[]) => {
      if (!entries.some(entry => entry.isIntersecting)) return;
      setBusy(true);
      void panel.older().finally(() => setBusy(false));
    };
    const observer = new IntersectionObserver(ask, { root, rootMargin: "600px 0px 0px 0px" });
    observer.observe(element);
    return () => observer.disconnect();
  }, [panel, scroller, isDrawn, busy]);

  return (
    <div ref={sentinel} className="older quiet">
      {t("Loading earlier messages…")}
    </div>
  );
}

function Row({ item }: { item: ConversationItem }) {
  if (item.kind === "user") return <UserMessage item={item} />;
  if (item.kind === "answer") return <Answer item={item} />;
  if (item.kind === "tool") return <ToolRow tool={item} />;
  if (item.kind === "end") return <TurnEnd item={item} />;
  if (item.kind === "compaction") return <CompactionMark item={item} />;
  if (item.kind === "rewind") return <RewindMark item={item} />;
  if (item.kind === "plan") return <PlanCard item={item} />;
  return (
    <div className={`note ${item.icon}`} data-item={item.key}>
      <Icon name={item.icon} />
      <span className="note-text">
        {item.text} {item.remedy ? <Action action={item.remedy}>{t("Review")}</Action> : null}
      </span>
    </div>
  );
}

function ToolRow({ tool }: { tool: ToolItem }) {
  if (tool.childId !== undefined) return <ChildCard tool={tool} childId={tool.childId} />;
  if (askerOf(tool.key) !== undefined) return <AskedByChild tool={tool} />;
  return saidByTodoLine(tool) ? null : <ToolCard tool={tool} />;
}

const ItemView = memo(function ItemView({ item }: { item: ConversationItem }) {
  return (
    <ItemBoundary item={item}>
      <Row item={item} />
    </ItemBoundary>
  );
});

/** Neighbouring items; the browser skips chunks that are out of sight (`content-visibility`). */
const ChunkView = memo(function ChunkView({ chunk }: { chunk: Chunk }) {
  return (
    <div className="chunk">
      {rowsOf(chunk.items).map(row =>
        row.kind === "item" ? (
          <ItemView key={row.key} item={row.item} />
        ) : (
          <Looks key={row.key} items={row.items} draw={item => <ItemView key={idOf(item)} item={item} />} />
        ),
      )}
    </div>
  );
});

type BoundaryProps = { item: ConversationItem; children: ReactNode };

/** An item that cannot be drawn is its text, and the conversation around it stays. It is tried again when it changes. */
class ItemBoundary extends Component<BoundaryProps, { failed: ConversationItem | null }> {
  override state = { failed: null };

  static getDerivedStateFromProps({ item }: BoundaryProps, { failed }: { failed?: ConversationItem | null }) {
    // undefined: it has just failed
    return { failed: failed === undefined ? item : failed === item ? item : null };
  }

  static getDerivedStateFromError() {
    return { failed: undefined };
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children;
    const { item } = this.props;
    const text = "text" in item ? item.text : "";
    return (
      <div className="item-failed">
        <p className="quiet">{text === "" ? t("This could not be shown.") : t("Shown as plain text:")}</p>
        {text === "" ? null : <pre className="plain-item">{text}</pre>}
      </div>
    );
  }
}
