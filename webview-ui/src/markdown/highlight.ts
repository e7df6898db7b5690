/** Code → spans of scopes, from the tree in which highlight.js keeps what it finds; components make elements of them. */
import type { Emitter } from "highlight.js";
import hljs from "highlight.js/lib/common";

/** Text and its innermost scope ("keyword", "title.function"); null: plain. */
export type CodeSpan = { text: string; scope: string | null };

export type Highlight = (code: string, language: string) => readonly CodeSpan[];

/** Larger code stays plain: highlighting it would hold up the panel. Characters. */
const MAX_HIGHLIGHT_CHARS = 20_000;
/** Some grammars take time that grows with the cube of odd code: its beginnings show it, each twice the one before. */
const FIRST_CHARS = 2_500;
const SLOW_MS = 100;

/** A piece of what highlight.js found: its emitter's tree, which its types leave out. */
type ScopeNode = { scope?: string; children: (ScopeNode | string)[] };

/** Code and the name of its language → spans; one plain span where the language is not known. */
export function highlight(code: string, language: string): readonly CodeSpan[] {
  const plain = [{ text: code, scope: null }];
  if (code.length > MAX_HIGHLIGHT_CHARS || hljs.getLanguage(language) === undefined) return plain;
  try {
    // what a grammar is made of is put together once, which is no sign of slowness
    if (code.length > FIRST_CHARS) scopesOf("", language);
    for (let length = FIRST_CHARS; length < code.length; length *= 2) if (isSlow(code, length, language)) return plain;
    return spansIn(scopesOf(code, language), null);
  } catch {
    // Some grammars call themselves for each bracket or quote, until the stack is full.
    return plain;
  }
}

/** Odd code may begin anywhere: each piece of this length is tried. */
function isSlow(code: string, length: number, language: string): boolean {
  for (let start = 0; start < code.length; start += length) {
    const begun = performance.now();
    scopesOf(code.slice(start, start + length), language);
    if (performance.now() - begun > SLOW_MS) return true;
  }
  return false;
}

function scopesOf(code: string, language: string): ScopeNode {
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  return (_emitter as Emitter & { root: ScopeNode }).root;
}

function spansIn({ children }: ScopeNode, scope: string | null): CodeSpan[] {
  return children.flatMap(child => {
    if (typeof child === "string") return { text: child, scope };
    // code of another language inside: what it does not colour is plain
    return spansIn(child, child.scope?.startsWith("language:") ? null : (child.scope ?? scope));
  });
}
