import { useLayoutEffect, useMemo, useRef } from "react";
import { HandleLink } from "../markdown/HandleLink";
import { splitHandles } from "../markdown/links";
import { isFailureLine, terminalLines } from "../toolWords";

/** Text in the terminal's font. Of a command's output lines that tell of a failure are marked, and its end is shown; other text begins at its beginning. */
export function TerminalText({ text, label, command }: { text: string; label: string; command: boolean }) {
  const box = useRef<HTMLElement>(null);
  const lines = useMemo(() => terminalLines(text.replace(/\n$/, "")), [text]);
  const atEnd = useRef(command);
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
          <span key={index} className={command && isFailureLine(line) ? "line failure" : "line"}>
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
