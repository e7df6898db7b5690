/** Which chunks are drawn: those at the end first, then the window that was opened, then what the reader comes near to. */
import { type RefObject, useEffect, useState } from "react";
import type { Chunk } from "../../store/state";

/** Chunks that are drawn at once: more than a tall panel shows. */
const FIRST = 3;
/** A page that is never at rest draws the rest anyway, one chunk at a time, ms. */
const PATIENCE_MS = 100;
/** Of a window that was opened so many are drawn without being near: about what a host sends at once. */
const MOST = 20;
/** A chunk so near to what is in sight is drawn, px. */
const NEAR = "1000px 0px";

interface DrawnRange {
  sessionId: string;
  /** the oldest chunk that is drawn by itself, and the oldest that is to be */
  oldest: string | undefined;
  goal: string | undefined;
  /** how many are drawn by themselves, should the oldest go away */
  count: number;
}

/** @returns `isDrawn`: of a chunk at its place; `whole`: all are that are drawn by themselves */
export function useDrawn(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  sessionId: string,
  chunks: readonly Chunk[],
) {
  const [known, setRange] = useState<DrawnRange>(() => opened(sessionId, chunks));
  const isSame = known.sessionId === sessionId && known.oldest !== undefined;
  const last = isSame ? known : opened(sessionId, chunks);
  const from = placeOf(last, chunks);
  // What was let go of is not drawn by itself where it comes again.
  const goal = chunks.some(({ key }) => key === last.goal) ? last.goal : chunks[from]?.key;
  const now = isSame ? { ...last, goal, oldest: chunks[from]?.key, count: chunks.length - from } : last;
  const isKnown = now.sessionId === known.sessionId && now.goal === known.goal;
  if (!isKnown || now.oldest !== known.oldest || now.count !== known.count) setRange(now);
  const whole = from <= chunks.findIndex(({ key }) => key === now.goal);
  const near = useNear(scroller, content, sessionId, chunks);
  useEffect(() => {
    if (whole || from === 0) return;
    const element = scroller.current;
    const draw = () =>
      setRange(drawn => ({ ...drawn, oldest: chunks[from - 1]?.key, count: chunks.length - from + 1 }));
    let handle = requestIdleCallback(
      () => {
        if (element === null || element.scrollTop > 0) return draw();
        // What is being read stays in place by the browser's scroll anchoring, but at the very top.
        element.scrollTop = 1;
        handle = requestIdleCallback(draw, { timeout: PATIENCE_MS });
      },
      { timeout: PATIENCE_MS },
    );
    return () => cancelIdleCallback(handle);
  }, [scroller, chunks, from, whole]);
  return { isDrawn: ({ key }: Chunk, at: number) => at >= from || near.has(key), whole: whole || from === 0 };
}

function opened(sessionId: string, chunks: readonly Chunk[]): DrawnRange {
  const from = Math.max(0, chunks.length - FIRST);
  const goal = chunks[Math.max(0, chunks.length - MOST)]?.key;
  return { sessionId, oldest: chunks[from]?.key, goal, count: chunks.length - from };
}

function placeOf({ oldest, count }: DrawnRange, chunks: readonly Chunk[]): number {
  const at = chunks.findIndex(({ key }) => key === oldest);
  return at >= 0 ? at : Math.max(0, chunks.length - count);
}

/** Chunks that the reader came near to; they stay drawn until they are let go of. */
function useNear(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  sessionId: string,
  chunks: readonly Chunk[],
): ReadonlySet<string> {
  const [near, setNear] = useState<{ sessionId: string; keys: ReadonlySet<string> }>({ sessionId, keys: new Set() });
  const keys = near.sessionId === sessionId ? near.keys : NONE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each of them there may be others to watch
  useEffect(() => {
    const root = scroller.current;
    const far = [...(content.current?.querySelectorAll<HTMLElement>(".far") ?? [])];
    if (root === null || far.length === 0) return;
    let frame = 0;
    const waiting = new Set<HTMLElement>();
    const draw = () => {
      const [next] = [...waiting].sort((a, b) => distance(a, root) - distance(b, root));
      const chunk = chunks.find(({ items }) => items.some(({ key }) => key === next?.dataset.holds?.split(" ")[0]));
      if (chunk === undefined) return;
      const loaded = new Set(chunks.map(({ key }) => key));
      setNear(({ keys: before }) => ({
        sessionId,
        keys: new Set([...before, chunk.key].filter(key => loaded.has(key))),
      }));
    };
    const observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) waiting.add(target as HTMLElement);
          else waiting.delete(target as HTMLElement);
        }
        // One a frame: what is drawn then sets this up anew for the next.
        if (waiting.size > 0 && frame === 0) frame = requestAnimationFrame(draw);
      },
      { root, rootMargin: NEAR },
    );
    for (const each of far) observer.observe(each);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [scroller, content, sessionId, chunks, keys]);
  return keys;
}

const NONE: ReadonlySet<string> = new Set();

/** px between the middles */
function distance(chunk: HTMLElement, root: HTMLElement): number {
  const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
  return Math.abs(middle(chunk.getBoundingClientRect()) - middle(root.getBoundingClientRect()));
}
