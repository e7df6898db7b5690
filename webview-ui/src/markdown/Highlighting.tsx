import { type ReactNode, useEffect, useState } from "react";
import { type Highlight, HighlightContext, plain } from "./CodeBlock";

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
