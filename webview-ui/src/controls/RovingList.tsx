import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";

/** What of a group has the focus, or would get it. */
const ITEMS = "button:not(:disabled)";

/** A list of buttons that is one tab stop: arrows, Home and End go from one to the next. */
export function RovingList({ className, label, children }: { className: string; label: string; children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
  const stopAt = (stop: HTMLElement | undefined) => {
    for (const item of items()) item.tabIndex = item === stop ? 0 : -1;
  };
  // What is drawn anew keeps its stop where it is still there.
  useLayoutEffect(() => {
    const all = items();
    stopAt(all.find(item => item === document.activeElement) ?? all.find(item => item.tabIndex === 0) ?? all[0]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.defaultPrevented || at < 0) return;
    const goals: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
    const goal = all[goals[event.key] ?? Number.NaN];
    if (event.key in goals) event.preventDefault();
    goal?.focus();
  };
  return (
    <ul
      ref={list}
      className={className}
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocus={event => stopAt(event.target as HTMLElement)}
    >
      {children}
    </ul>
  );
}
