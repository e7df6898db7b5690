/** Keeps the newest in sight until the reader scrolls away from it. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Closer to the end than this counts as being there, px. */
const NEAR = 32;
/** Opening a line lets it grow twice at most: by its content, and by what is then loaded. */
const GROWS = 2;

/** @returns `jump` goes to the end and stays there; `leave`: what follows is elsewhere, by another key or button */
export function useFollowing(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef<Following>(null);
  const jump = useCallback(() => following.current?.jump(), []);
  const leave = useCallback(() => following.current?.leave(), []);
  useEffect(() => {
    if (scroller.current === null || content.current === null) return;
    following.current = new Following(scroller.current, content.current, setAtEnd);
    return following.current.start();
  }, [scroller, content]);
  return { atEnd, jump, leave };
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
  #told = true;
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

  leave(): void {
    this.#follows = false;
    this.#leaving = false;
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

  /** a person writes in the conversation: changes a message that was sent */
  get #isWritten(): boolean {
    const { activeElement: box } = document;
    return this.content.contains(box) && box?.matches("textarea, input") === true;
  }

  #note(): void {
    const { scrollTop: top, scrollHeight: all, clientHeight: inSight } = this.scroller;
    this.#known = { top, all, inSight };
    // While React draws, it takes the same once more for a change.
    const atEnd = this.#follows || this.#isNear;
    if (atEnd !== this.#told) this.tell(atEnd);
    this.#told = atEnd;
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
    // In another width all is elsewhere; who writes keeps the words in sight.
    if (this.#isWritten) this.#follows &&= this.#isNear;
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
