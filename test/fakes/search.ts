/** Search over the in-memory workspace, with JavaScript's regular expressions in the engine's place. */
import { type FileRef, type GrepLine, type GrepQuery, type Search, SearchError } from "../../src/core/ground/ports";
import { compileGlob } from "../../src/shared/glob";
import type { MemoryFiles } from "./files";

const TYPES: Record<string, string> = { ts: "*.{ts,tsx}", js: "*.{js,mjs,cjs}", py: "*.py", md: "*.md" };

export class MemorySearch implements Search {
  /** how many lines the last grep handed over before it ended or was told to stop */
  delivered = 0;

  /** `ignore`: globs of what .gitignore and the editor hide */
  constructor(
    private readonly files: MemoryFiles,
    private readonly ignore: readonly string[] = [],
  ) {}

  async grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void> {
    const pattern = compile(query);
    this.delivered = 0;
    for (const { ref } of this.below(query.ref, filterOf(query))) {
      signal.throwIfAborted();
      const text = this.files.textOf(ref);
      const lines = text === undefined ? [] : linesOf(text, ref.path, pattern, query);
      for (const line of lines) {
        this.delivered += 1;
        if (onLine(line) === false) return;
      }
    }
  }

  async glob(ref: FileRef, pattern: string, signal: AbortSignal): Promise<{ path: string; mtime: number }[]> {
    signal.throwIfAborted();
    if (pattern.split("[").length !== pattern.split("]").length)
      throw new SearchError(`unclosed character class in '${pattern}'`);
    return this.below(ref, compileGlob(pattern))
      .map(file => ({ path: file.ref.path, mtime: file.mtime }))
      .sort((a, b) => b.mtime - a.mtime);
  }

  async ignored(_folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    signal.throwIfAborted();
    return new Set(names.filter(name => this.ignore.some(glob => compileGlob(glob)(name.replace(/\/$/, "")))));
  }

  private below(ref: FileRef, keep: (relative: string) => boolean) {
    const hidden = this.ignore.map(compileGlob);
    return this.files.all().filter(file => {
      const { absolute } = file.ref;
      if (absolute === ref.absolute) return true;
      if (!absolute.startsWith(`${ref.absolute}/`)) return false;
      const relative = absolute.slice(ref.absolute.length + 1);
      return keep(relative) && !relative.split("/").some(part => hidden.some(isHidden => isHidden(part)));
    });
  }
}

function compile(query: GrepQuery): RegExp {
  try {
    return new RegExp(query.pattern, `g${query.ignoreCase ? "i" : ""}${query.multiline ? "ms" : ""}`);
  } catch (error) {
    throw new SearchError(`regex parse error: ${(error as Error).message}`);
  }
}

function filterOf(query: GrepQuery): (path: string) => boolean {
  const globs = [query.glob, query.type === undefined ? undefined : TYPES[query.type]];
  if (query.type !== undefined && !TYPES[query.type]) throw new SearchError(`unrecognized file type: ${query.type}`);
  const matchers = globs.flatMap(glob => (glob === undefined ? [] : [compileGlob(glob)]));
  return path => matchers.every(matches => matches(path));
}

function linesOf(text: string, path: string, pattern: RegExp, query: GrepQuery): GrepLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  const hits = query.multiline
    ? spannedLines(text, pattern)
    : lines.flatMap((line, index) => (line.search(pattern) < 0 ? [] : [index]));
  if (hits.length === 0) return [];
  if (query.mode === "files_with_matches") return [{ path, line: 0, kind: "match", text: "" }];
  if (query.mode === "count") return [{ path, line: 0, kind: "match", text: "", count: hits.length }];
  const isHit = new Set(hits);
  return lines.flatMap((line, index): GrepLine[] => {
    if (isHit.has(index)) return [{ path, line: index + 1, kind: "match", text: line }];
    const near = hits.some(hit => index >= hit - query.before && index <= hit + query.after);
    return near ? [{ path, line: index + 1, kind: "context", text: line }] : [];
  });
}

function spannedLines(text: string, pattern: RegExp): number[] {
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length - 1;
  const lines = new Set<number>();
  for (const match of text.matchAll(pattern)) {
    const last = lineAt(match.index + Math.max(0, match[0].length - 1));
    for (let line = lineAt(match.index); line <= last; line += 1) lines.add(line);
  }
  return [...lines];
}
