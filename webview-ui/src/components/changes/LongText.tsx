import { type ReactNode, useEffect, useRef, useState } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import { LinkButton } from "../../controls/controls";

interface LongTextProps {
  className: string;
  /** how much it is in all */
  size?: string | undefined;
  children: ReactNode;
}

/** px, of a line of this element */
const rowHeight = (element: Element): number =>
  Number.parseFloat(getComputedStyle(element).lineHeight) || element.clientHeight || 1;

/** How many lines are below the box's end. A line that is wrapped is one; of a single line its rows count. */
function hiddenLines(box: HTMLElement): number {
  const hidden = box.scrollHeight - box.clientHeight;
  const rows = Math.round(hidden / rowHeight(box));
  const lines = box.textContent.trimEnd().split("\n").length;
  return rows === 0 || lines === 1
    ? rows
    : Math.min(rows, Math.max(1, Math.round((lines * hidden) / box.scrollHeight)));
}

/** A text in a box of limited height: how much of it is below is said, and shown on a click. */
export function LongText({ className, size, children }: LongTextProps) {
  const box = useRef<HTMLPreElement>(null);
  const [all, setAll] = useState(false);
  const [more, setMore] = useState(0);
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => {
      setMore(hiddenLines(element));
      setWide(element.scrollWidth > element.clientWidth);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {/* What scrolls has to be reached by key. */}
      <pre ref={box} tabIndex={more > 0 || wide ? 0 : undefined} className={all ? `${className} all` : className}>
        {children}
      </pre>
      {more > 0 ? (
        <p className="more">
          <LinkButton aria-expanded={false} onClick={() => setAll(true)}>
            {plural(more, "1 more line", "{0} more lines")} · {t("Show all")}
          </LinkButton>
          {size === undefined ? null : <span className="quiet">{t("{0} in all", size)}</span>}
        </p>
      ) : null}
    </>
  );
}
