/** Code → spans of scopes, from the tree in which highlight.js keeps what it finds; components make elements of them. */
import type { Emitter, HLJSApi, LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** Text and the innermost scope it stands in ("keyword", "title.function"); null: plain. */
export interface CodeSpan {
  text: string;
  scope: string | null;
}

/** Larger code stays plain: highlighting it would hold up the panel. Characters. */
const MAX_HIGHLIGHT_CHARS = 60_000;

const languages: Record<string, LanguageFn> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};

/** A piece of what highlight.js found: its emitter's tree, which its types leave out. */
interface ScopeNode {
  scope?: string;
  children: (ScopeNode | string)[];
}

/** Gives back a function: code and the name of its language → spans; one plain span where the language is not known. */
export function createHighlighter(): (code: string, language: string) => readonly CodeSpan[] {
  let instance: HLJSApi | undefined;
  return (code, language) => {
    // the grammars are built with the first code there is: the panel opens sooner without them
    instance ??= withLanguages();
    if (code.length > MAX_HIGHLIGHT_CHARS || instance.getLanguage(language) === undefined) {
      return [{ text: code, scope: null }];
    }
    const { _emitter } = instance.highlight(code, { language, ignoreIllegals: true });
    return spansIn((_emitter as Emitter & { root: ScopeNode }).root, null);
  };
}

function spansIn({ children }: ScopeNode, scope: string | null): CodeSpan[] {
  return children.flatMap(child => {
    if (typeof child === "string") return { text: child, scope };
    // code of another language inside: what it does not colour is plain
    return spansIn(child, child.scope?.startsWith("language:") ? null : (child.scope ?? scope));
  });
}

function withLanguages(): HLJSApi {
  const instance = hljs.newInstance();
  for (const [name, define] of Object.entries(languages)) instance.registerLanguage(name, define);
  return instance;
}
