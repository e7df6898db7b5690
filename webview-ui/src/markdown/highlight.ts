/**
 * Code → spans of scopes, without HTML: an emitter of our own (the interface that highlight.js offers for this) collects
 * what highlight.js finds, and components make elements of it.
 */
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

class SpanEmitter implements Emitter {
  readonly spans: CodeSpan[] = [];
  readonly #scopes: string[] = [];

  addText(text: string): void {
    if (text !== "") this.spans.push({ text, scope: this.#scopes.at(-1) ?? null });
  }
  startScope(scope: string): void {
    this.#scopes.push(scope);
  }
  endScope(): void {
    this.#scopes.pop();
  }
  openNode(scope: string): void {
    this.startScope(scope);
  }
  closeNode(): void {
    this.endScope();
  }
  __addSublanguage(other: Emitter): void {
    if (other instanceof SpanEmitter) this.spans.push(...other.spans);
  }
  finalize(): void {
    this.#scopes.length = 0;
  }
  toHTML(): string {
    return "";
  }
}

/** Gives back a function: code and the name of its language → spans; one plain span where the language is not known. */
export function createHighlighter(): (code: string, language: string) => readonly CodeSpan[] {
  let instance: HLJSApi | undefined;
  return (code, language) => {
    const plain = [{ text: code, scope: null }];
    // the grammars are built with the first code there is: the panel opens sooner without them
    instance ??= withLanguages();
    if (code.length > MAX_HIGHLIGHT_CHARS || instance.getLanguage(language) === undefined) return plain;
    const emitter = instance.highlight(code, { language, ignoreIllegals: true })._emitter;
    return emitter instanceof SpanEmitter ? emitter.spans : plain;
  };
}

function withLanguages(): HLJSApi {
  const instance = hljs.newInstance();
  instance.configure({ __emitter: SpanEmitter });
  for (const [name, define] of Object.entries(languages)) instance.registerLanguage(name, define);
  return instance;
}
