import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { CopyButton } from "../controls/controls";
import type { CodeSpan } from "./highlight";

type Highlight = (code: string, language: string) => readonly CodeSpan[];

const plain: Highlight = code => [{ text: code, scope: null }];

/** What colours code. */
const HighlightContext = createContext(plain);

/** A fenced or indented block of code with its Copy button. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  return (
    <div className="code-block">
      <pre>
        <code>
          <Code code={code} language={language} />
        </code>
      </pre>
      <CopyButton text={code} label="Copy code" />
    </div>
  );
}

/** Coloured code, without a box of its own: "title.function" gets the classes "hl-title hl-function". */
function Code({ code, language }: { code: string; language: string }) {
  const highlight = useContext(HighlightContext);
  const spans = useMemo(() => highlight(code, language), [highlight, code, language]);
  return spans.map((span, index) =>
    span.scope === null ? (
      span.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
      <span key={index} className={`hl-${span.scope.replaceAll(".", " hl-")}`}>
        {span.text}
      </span>
    ),
  );
}

/** Code inside is plain at first and coloured once the grammars are there: the panel does not wait for them. */
export function Highlighting({ children }: { children: ReactNode }) {
  const [highlight, setHighlight] = useState<Highlight>(() => plain);
  useEffect(() => {
    import("./highlight").then(
      ({ createHighlighter }) => setHighlight(() => createHighlighter()),
      error => console.warn("Code stays without colours.", error),
    );
  }, []);
  return <HighlightContext value={highlight}>{children}</HighlightContext>;
}
