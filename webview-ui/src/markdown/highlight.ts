/** Code → spans of scopes, from the tree in which highlight.js keeps what it finds; components make elements of them. */
import type { Emitter } from "highlight.js";
import hljs from "highlight.js/lib/common";

/** Text and the innermost scope it stands in ("keyword", "title.function"); null: plain. */
export interface CodeSpan {
  text: string;
  scope: string | null;
}

/** Larger code stays plain: highlighting it would hold up the panel. Characters. */
const MAX_HIGHLIGHT_CHARS = 60_000;

/** A piece of what highlight.js found: its emitter's tree, which its types leave out. */
interface ScopeNode {
  scope?: string;
  children: (ScopeNode | string)[];
}

/** Code and the name of its language → spans; one plain span where the language is not known. */
export function highlight(code: string, language: string): readonly CodeSpan[] {
  if (code.length > MAX_HIGHLIGHT_CHARS || hljs.getLanguage(language) === undefined) {
    return [{ text: code, scope: null }];
  }
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  return spansIn((_emitter as Emitter & { root: ScopeNode }).root, null);
}

function spansIn({ children }: ScopeNode, scope: string | null): CodeSpan[] {
  return children.flatMap(child => {
    if (typeof child === "string") return { text: child, scope };
    // code of another language inside: what it does not colour is plain
    return spansIn(child, child.scope?.startsWith("language:") ? null : (child.scope ?? scope));
  });
}
