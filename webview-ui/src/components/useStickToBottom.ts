import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Closer to the end than this counts as being there, px. */
const NEAR = 32;

/**
 * Keeps the newest in sight while the reader is at the end, and leaves the place alone when not. Works after layout
 * (ResizeObserver), so nothing is measured while rendering.
 */
export function useStickToBottom(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
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
    element.addEventListener("scroll", onScroll, { passive: true });
    inner.addEventListener("click", onClick, true);
    return () => {
      observer.disconnect();
      inner.removeEventListener("click", onClick, true);
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, content]);

  return { atEnd, jump };
}
