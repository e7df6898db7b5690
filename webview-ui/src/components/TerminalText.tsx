import { useLayoutEffect, useMemo, useRef } from "react";
import { HandleLink } from "../markdown/HandleLink";
import { splitHandles } from "../markdown/links";
import { isFailureLine, terminalLines } from "../toolWords";

/** Output of a command in the terminal's font, lines that tell of a failure marked. Shows its end while it grows. */
export function TerminalText({ text, label, marked }: { text: string; label: string; marked: boolean }) {
  const box = useRef<HTMLElement>(null);
  const lines = useMemo(() => terminalLines(text.replace(/\n$/, "")), [text]);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be done whenever the text changed
  useLayoutEffect(() => {
    if (box.current !== null && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const onScroll = () => {
    const element = box.current;
    if (element !== null) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 8;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    <section ref={box} className="terminal" tabIndex={0} aria-label={label} onScroll={onScroll}>
      <pre>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <span key={index} className={marked && isFailureLine(line) ? "line failure" : "line"}>
            {line === "" ? " " : <Line text={line} />}
          </span>
        ))}
      </pre>
    </section>
  );
}

/** A handle in it opens the output that it names. */
function Line({ text }: { text: string }) {
  if (!text.includes("obs:")) return text;
  return splitHandles(text).map((piece, index) =>
    piece.target.kind === "handle" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
      <HandleLink key={index} handle={piece.target.handle}>
        {piece.text}
      </HandleLink>
    ) : (
      piece.text
    ),
  );
}
