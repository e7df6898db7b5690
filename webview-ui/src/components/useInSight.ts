/** What of a question was in sight: nobody allows by mistake what could not be read. */
import { type RefObject, useEffect, useRef, useState } from "react";

/** On an element whose every line has to be in sight once. Another text has to be another element. */
export const TO_SEE = { "data-to-see": "" };

/** Lines of what was seen that stay above what comes next; the button that leads to the end may have lain over them. */
const OVERLAP_ROWS = 3;

/** px, of a line of this element */
export function rowHeight(element: Element): number {
  return Number.parseFloat(getComputedStyle(element).lineHeight) || element.clientHeight || 1;
}

export interface InSight {
  /** how many lines were never in sight, as the question shows it now */
  unseen: number;
  /** the same, of this very moment */
  look(): number;
  /** Scrolls to the first of them. */
  showNext(): void;
}

/** @param box has the elements with `TO_SEE` */
export function useInSight(box: RefObject<HTMLElement | null>): InSight {
  const [unseen, setUnseen] = useState(0);
  const sight = useRef(new Sight()).current;
  const look = () => (box.current === null ? 0 : sight.look(box.current));
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let waits = false;
    const lookSoon = () => {
      if (waits) return;
      waits = true;
      afterFrame(() => {
        waits = false;
        if (element.isConnected) setUnseen(sight.look(element));
      });
    };
    const observer = new ResizeObserver(lookSoon);
    observer.observe(element);
    document.addEventListener("scroll", lookSoon, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      document.removeEventListener("scroll", lookSoon, { capture: true });
    };
  }, [box, sight]);
  // What was opened for it is laid out, and followed (useFollowing.ts), within a frame.
  const showNext = () => afterFrame(() => afterFrame(() => box.current && sight.showNext(box.current)));
  return { unseen, look, showNext };
}

/** What changes the layout within a frame has done so: this is what people see. */
const afterFrame = (act: () => void) => requestAnimationFrame(() => setTimeout(act, 0));

/** A stretch of an element's content, as shares of its height, so that it holds when the box is opened. */
interface Interval {
  from: number;
  to: number;
}

class Sight {
  private readonly seen = new WeakMap<Element, Interval[]>();

  /** Takes in what is in sight; gives how many lines never were. */
  look(box: Element): number {
    return partsOf(box).reduce((sum, part) => {
      const seen = [...(this.seen.get(part) ?? []), ...inSight(part)];
      this.seen.set(part, merged(seen));
      return sum + this.gaps(part).reduce((rows, gap) => rows + gap.rows, 0);
    }, 0);
  }

  showNext(box: Element): void {
    for (const part of partsOf(box)) {
      const [gap] = this.gaps(part);
      const scroller = part.closest(".scrolls");
      if (gap === undefined || scroller === null) continue;
      const top = part.getBoundingClientRect().top + gap.from * part.scrollHeight - part.scrollTop;
      scroller.scrollTop += top - scroller.getBoundingClientRect().top - OVERLAP_ROWS * rowHeight(part);
      return;
    }
  }

  /** What was never in sight; less than half a line is no text. */
  private gaps(part: Element): { from: number; rows: number }[] {
    const row = rowHeight(part);
    const gaps: { from: number; rows: number }[] = [];
    let from = 0;
    for (const next of [...(this.seen.get(part) ?? []), { from: 1, to: 1 }]) {
      const height = (next.from - from) * part.scrollHeight;
      if (height > row / 2) gaps.push({ from, rows: Math.max(1, Math.round(height / row)) });
      from = next.to;
    }
    return gaps;
  }
}

const partsOf = (box: Element): Element[] => [...box.querySelectorAll("[data-to-see]")];

/** The part of it that neither its own box nor one around it hides. */
function inSight(part: Element): Interval[] {
  const { top } = part.getBoundingClientRect();
  let [from, to] = [top, top + part.clientHeight];
  for (let around = part.parentElement; around !== null; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === "visible") continue;
    const rect = around.getBoundingClientRect();
    [from, to] = [Math.max(from, rect.top), Math.min(to, rect.bottom)];
  }
  [from, to] = [Math.max(from, 0), Math.min(to, window.innerHeight)];
  if (to <= from || part.scrollHeight === 0) return [];
  const share = (y: number) => (y - top + part.scrollTop) / part.scrollHeight;
  return [{ from: share(from), to: share(to) }];
}

function merged(stretches: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  for (const next of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && next.from <= last.to) last.to = Math.max(last.to, next.to);
    else all.push({ ...next });
  }
  return all;
}
