/** Keeps the newest in sight until the reader scrolls away from it. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

import type { Chunk } from "../store/state";

/** Closer to the end than this counts as being there, px. */
const NEAR = 32;
/** Opening a line lets it grow twice at most: by what is there, and by what is then loaded. */
const GROWS = 2;

/** @returns `jump` goes to the end and stays there */
export function useFollowing(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef<Following>(null);
  const jump = useCallback(() => following.current?.jump(), []);
  useEffect(() => {
    if (scroller.current === null || content.current === null) return;
    following.current = new Following(scroller.current, content.current, setAtEnd);
    return following.current.start();
  }, [scroller, content]);
  return { atEnd, jump };
}

/**
 * Only a person ends it: what grows, shrinks or is laid out anew moves the place as well, and says so by the sizes that
 * changed with it. Works after layout (ResizeObserver), so nothing is measured while rendering.
 */
class Following {
  #follows = true;
  /** a scroll towards the beginning is under way: it is not pulled back */
  #leaving = false;
  /** top, height of all, height in sight: as they were when last looked at */
  #known = { top: 0, all: 0, inSight: 0 };
  /** the line that was opened last: the reader looks at it, so that what it grows by is not followed */
  #opened: { box: Element; height: number; grows: number } | undefined;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly content: HTMLElement,
    private readonly tell: (atEnd: boolean) => void,
  ) {}

  jump(): void {
    this.#follows = true;
    this.#leaving = false;
    this.#opened = undefined;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#note();
  }

  /** Gives back what ends it. */
  start(): () => void {
    const { scroller, content } = this;
    const observer = new ResizeObserver(() => this.#resized());
    observer.observe(content);
    observer.observe(scroller);
    const listening = new AbortController();
    const { signal } = listening;
    const passive = { passive: true, signal };
    scroller.addEventListener("scroll", () => this.#scrolled(), passive);
    scroller.addEventListener("scrollend", () => this.#arrived(), passive);
    scroller.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && this.#leave(), passive);
    scroller.addEventListener("keydown", ({ key }) => isUpwards(key) && this.#leave(), passive);
    content.addEventListener("click", event => this.#clicked(event.target), { capture: true, signal });
    return () => {
      observer.disconnect();
      listening.abort();
    };
  }

  get #isNear(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR;
  }

  #note(): void {
    const { scrollTop: top, scrollHeight: all, clientHeight: inSight } = this.scroller;
    this.#known = { top, all, inSight };
    this.tell(this.#follows || this.#isNear);
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const { top, all, inSight } = this.#known;
    const byPerson = this.#leaving || (scrollHeight === all && clientHeight === inSight && scrollTop < top);
    if (byPerson) this.#follows = this.#isNear;
    else if (this.#isNear) this.#follows = true;
    this.#note();
  }

  #resized(): void {
    const grew = this.#openedGrew();
    if (this.scroller.scrollHeight <= this.scroller.clientHeight) this.#follows = true;
    if (this.#follows && !this.#leaving && !grew) this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#note();
  }

  #leave(): void {
    const from = this.scroller.scrollTop;
    this.#leaving = true;
    // at the top already, or something within took the wheel or the key: nothing scrolls, and nothing says so
    const check = () => this.scroller.scrollTop === from && this.#arrived();
    requestAnimationFrame(() => requestAnimationFrame(check));
  }

  #arrived(): void {
    if (!this.#leaving) return;
    this.#leaving = false;
    this.#resized();
  }

  #clicked(target: EventTarget | null): void {
    const toggle = target instanceof Element ? target.closest("[aria-expanded]") : null;
    const box = toggle?.closest(".chunk > *");
    this.#opened = box ? { box, height: box.clientHeight, grows: GROWS } : undefined;
  }

  #openedGrew(): boolean {
    const { box, height = 0, grows = 0 } = this.#opened ?? {};
    if (this.#opened === undefined || box === undefined || grows === 0 || box.clientHeight === height) return false;
    this.#opened = { box, height: box.clientHeight, grows: grows - 1 };
    return true;
  }
}

const isUpwards = (key: string) => key === "PageUp" || key === "ArrowUp" || key === "Home";

/** Chunks that are drawn at once: more than a tall panel shows. */
const FIRST = 3;
/** Chunks that are then drawn at a time, a few ms each. */
const MORE = 3;
/** A page that is never at rest draws them anyway, ms. */
const PATIENCE_MS = 100;

interface DrawnRange {
  sessionId: string;
  /** the oldest chunk that is drawn; undefined: all are, and those that the reader then loads are too */
  oldest: string | undefined;
  /** how many are drawn, should the oldest go away */
  count: number;
}

/** @returns the chunks to draw; `whole`: these are all */
export function useNewestFirst(scroller: RefObject<HTMLElement | null>, sessionId: string, chunks: readonly Chunk[]) {
  const [known, setDrawn] = useState<DrawnRange>({ sessionId, oldest: undefined, count: 0 });
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

function drawnFrom(sessionId: string, chunks: readonly Chunk[], wanted: number): DrawnRange {
  const from = Math.max(0, wanted);
  return { sessionId, oldest: from === 0 ? undefined : chunks[from]?.key, count: chunks.length - from };
}

function placeOf({ oldest, count }: DrawnRange, chunks: readonly Chunk[]): number {
  const at = chunks.findIndex(({ key }) => key === oldest);
  return at >= 0 ? at : Math.max(0, chunks.length - count);
}
