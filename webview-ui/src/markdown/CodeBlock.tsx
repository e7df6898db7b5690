import { useLayoutEffect, useMemo, useState } from "react";
import { CopyButton } from "../controls/controls";
import type { CodeSpan } from "./highlight";

type Highlight = (code: string, language: string) => readonly CodeSpan[];

const plain: Highlight = code => [{ text: code, scope: null }];

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

/**
 * Coloured code, without a box of its own: "title.function" gets the classes "hl-title hl-function". Plain until the grammars
 * are there, which come with the first code there is: the panel opens without them.
 */
function Code({ code, language }: { code: string; language: string }) {
  const [highlight, setHighlight] = useState<Highlight>(() => plain);
  useLayoutEffect(() => {
    import("./highlight").then(
      module => setHighlight(() => module.highlight),
      error => console.warn("Code stays without colours.", error),
    );
  }, []);
  const spans = useMemo(() => highlight(code, language), [highlight, code, language]);
  return (
    <>
      {spans.map((span, index) =>
        span.scope === null ? (
          span.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
          <span key={index} className={`hl-${span.scope.replaceAll(".", " hl-")}`}>
            {span.text}
          </span>
        ),
      )}
    </>
  );
}
