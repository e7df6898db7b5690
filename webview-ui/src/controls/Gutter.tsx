import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

interface GutterProps {
  /** what the actions are about */
  label: string;
  box?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/**
 * Actions at the upper corner of what they are about: in sight while one points at it or the focus is in it. One stop of Tab;
 * arrows go on from there.
 */
export function Gutter({ label, box, children }: GutterProps) {
  const own = useRef<HTMLDivElement>(null);
  const ref = box ?? own;
  const [stop, setStop] = useState(0);
  const buttons = () => [...(ref.current?.querySelectorAll("button") ?? [])];
  useLayoutEffect(() => {
    const all = buttons();
    for (const [index, button] of all.entries()) button.tabIndex = index === Math.min(stop, all.length - 1) ? 0 : -1;
  });
  const onFocus = ({ target }: FocusEvent) => setStop(Math.max(0, buttons().indexOf(target as HTMLButtonElement)));
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at < 0 || to === undefined) return;
    all.at(to % all.length)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={ref} className="gutter" role="toolbar" aria-label={label} onFocus={onFocus} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
