/** A long conversation is drawn from its end: what is in sight at once, what came before it while nothing else is to do. */
import { type RefObject, useEffect, useState } from "react";
import type { Chunk } from "../store/state";

/** Chunks that are drawn at once: more than a tall panel shows. */
const FIRST = 3;
/** Chunks that are then drawn at a time, a few ms each. */
const MORE = 3;
/** A page that is never at rest draws them anyway, ms. */
const PATIENCE_MS = 100;

interface Drawn {
  sessionId: string;
  /** the oldest chunk that is drawn; undefined: all are, and those that the reader then loads are too */
  oldest: string | undefined;
  /** how many are drawn, should the oldest go away */
  count: number;
}

/** @returns the chunks to draw; `whole`: these are all */
export function useNewestFirst(scroller: RefObject<HTMLElement | null>, sessionId: string, chunks: readonly Chunk[]) {
  const [known, setDrawn] = useState<Drawn>({ sessionId, oldest: undefined, count: 0 });
  const last = known.sessionId === sessionId ? known : drawnFrom(sessionId, chunks, chunks.length - FIRST);
  const from = last.oldest === undefined ? 0 : placeOf(last, chunks);
  const now = drawnFrom(sessionId, chunks, from);
  if (now.sessionId !== known.sessionId || now.oldest !== known.oldest || now.count !== known.count) setDrawn(now);
  useEffect(() => {
    if (from === 0) return;
    const element = scroller.current;
    const draw = () => setDrawn(drawnFrom(sessionId, chunks, from - MORE));
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
  }, [scroller, sessionId, chunks, from]);
  return { drawn: from === 0 ? chunks : chunks.slice(from), whole: from === 0 };
}

function drawnFrom(sessionId: string, chunks: readonly Chunk[], wanted: number): Drawn {
  const from = Math.max(0, wanted);
  return { sessionId, oldest: from === 0 ? undefined : chunks[from]?.key, count: chunks.length - from };
}

function placeOf({ oldest, count }: Drawn, chunks: readonly Chunk[]): number {
  const at = chunks.findIndex(({ key }) => key === oldest);
  return at >= 0 ? at : Math.max(0, chunks.length - count);
}
