/**
 * A list of thousands of rows: those in sight are in the page, and the one that is active. Rows of a kind are equally tall. Where
 * rows come and go, those in sight stay where they are, with the focus and what is written in them.
 */
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";

interface WindowedListProps {
  /** what scrolls */
  scroller: RefObject<HTMLElement | null>;
  label: string;
  /** of each row, for as long as it is there */
  keys: readonly string[];
  /** heights of the rows, px */
  heights: readonly number[];
  /** the row that has the focus or would get it: it is in the page wherever somebody scrolled to */
  active: number;
  row(index: number): ReactNode;
}

/** Rows above and below what is in sight: a wheel's turn. */
const BESIDE = 8;
/** So many are drawn as fast as a window of them. */
const FEW = 100;

export function WindowedList({ scroller, label, keys, heights, active, row }: WindowedListProps) {
  const tops = topsOf(heights);
  const [view, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => setView({ top: box.scrollTop, height: box.clientHeight });
    look();
    box.addEventListener("scroll", look, { passive: true });
    const sized = new ResizeObserver(look);
    sized.observe(box);
    return () => {
      box.removeEventListener("scroll", look);
      sized.disconnect();
    };
  }, [scroller]);
  /** the topmost row in sight, and where it stood */
  const topmost = useRef({ key: "", top: 0 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const at = keys.indexOf(topmost.current.key);
    const moved = at < 0 ? 0 : (tops[at] ?? 0) - topmost.current.top;
    // At the top, what comes is seen.
    if (moved !== 0 && box.scrollTop > 0) box.scrollTop += moved;
    const now = rowAt(tops, box.scrollTop);
    topmost.current = { key: keys[now] ?? "", top: tops[now] ?? 0 };
  });
  const isFew = heights.length <= FEW;
  const first = isFew ? 0 : Math.max(0, rowAt(tops, view.top) - BESIDE);
  const last = isFew ? heights.length - 1 : Math.min(heights.length - 1, rowAt(tops, view.top + view.height) + BESIDE);
  const shown = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const apart = active >= 0 && active < heights.length && (active < first || active > last) ? [active] : [];
  return (
    <ul aria-label={label} className="windowed" style={{ height: tops.at(-1) }}>
      {[...apart, ...shown].map(index => (
        <li
          key={keys[index]}
          style={{ top: tops[index], height: heights[index] }}
          aria-setsize={heights.length}
          aria-posinset={index + 1}
        >
          {row(index)}
        </li>
      ))}
    </ul>
  );
}

/** Where each row begins, and where the last one ends. */
export function topsOf(heights: readonly number[]): number[] {
  let top = 0;
  return [
    ...heights.map(height => {
      const own = top;
      top += height;
      return own;
    }),
    top,
  ];
}

/** The row at a height, found by halves. */
function rowAt(tops: readonly number[], y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
