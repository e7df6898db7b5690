/** Searching a text where ripgrep cannot reach it: with JavaScript's regular expressions, and the same answers. */
import { type GrepLine, type GrepQuery, PatternError, type Patterns, SearchError } from "../../core/ports";
import { withLf } from "../../core/text/lines";
import { errorMessage } from "../../shared/errorMessage";
import { compileGlob, type PathTest } from "../../shared/glob";

/** The file types that are asked for most, under ripgrep's names. */
const TYPES: Record<string, string> = {
  c: "*.{c,h}",
  cpp: "*.{cc,cpp,cxx,c++,h,hh,hpp,hxx}",
  cs: "*.cs",
  css: "*.{css,scss}",
  go: "*.go",
  html: "*.{htm,html}",
  java: "*.java",
  js: "*.{js,jsx,mjs,cjs,vue}",
  json: "*.{json,jsonl}",
  kotlin: "*.{kt,kts}",
  lua: "*.lua",
  md: "*.{md,markdown,mdx}",
  php: "*.php",
  py: "*.{py,pyi}",
  ruby: "*.{rb,gemspec}",
  rust: "*.rs",
  sh: "*.{sh,bash,zsh}",
  sql: "*.sql",
  swift: "*.swift",
  toml: "*.toml",
  ts: "*.{ts,tsx,cts,mts}",
  txt: "*.txt",
  xml: "*.xml",
  yaml: "*.{yml,yaml}",
};

/** ms of all files together: the editor's own process searches. */
const MAX_MS = 5_000;
/** Of a longer line only its beginning is given. */
const LINE_LIMIT = 8192;

interface TextSearch {
  /** whether a file is searched, by its path below the folder that is searched */
  wants: PathTest;
  /** The lines of one file, in order. Throws SearchError where the pattern takes too long. */
  linesOf(text: string, path: string): GrepLine[];
}

/** Throws SearchError for a pattern, glob or type that cannot be read. */
export function textSearch(query: GrepQuery, patterns: Patterns): TextSearch {
  const pattern = compile(query);
  const globs = [query.glob, query.type === undefined ? undefined : typeGlob(query.type)];
  let spent = 0;
  const tests = globs.flatMap(glob => (glob === undefined ? [] : [pathTest(glob)]));
  return {
    wants: path => tests.every(test => test(path)),
    linesOf(text, path) {
      const from = performance.now();
      const lines = watched(() => grepLines(text, path, { ...query, pattern, patterns }));
      spent += performance.now() - from;
      if (spent > MAX_MS) throw tooSlow(`it took ${MAX_MS / 1000} s for the files so far`);
      return lines;
    },
  };
}

export function pathTest(glob: string): PathTest {
  try {
    return compileGlob(glob);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SearchError(error.message);
    throw error;
  }
}

function typeGlob(type: string): string {
  const glob = TYPES[type];
  if (glob !== undefined) return glob;
  const known = Object.keys(TYPES).join(", ");
  throw new SearchError(`unrecognized file type: ${type}. Here these are known: ${known}. Or use glob.`);
}

/** ripgrep's flags in front of a pattern are JavaScript's flags behind it. */
function compile({ pattern, ignoreCase, multiline }: GrepQuery): RegExp {
  const [front = "", inline = ""] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const flags = new Set(["g", ...inline, ...(ignoreCase ? ["i"] : []), ...(multiline ? ["m", "s"] : [])]);
  const source = pattern.slice(front.length);
  try {
    return new RegExp(source, [...flags, "u"].join(""));
  } catch {
    // Escapes of plain characters are an error with Unicode, and harmless without.
    return withoutUnicode(source, [...flags].join(""));
  }
}

function withoutUnicode(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new SearchError(
      `${errorMessage(error)}. ripgrep does not reach what is not on a disk: patterns are JavaScript's regular expressions there.`,
    );
  }
}

/** On a long line JavaScript's engine may never come back from an expression, and the editor would stand still with it. */
function watched<T>(search: () => T): T {
  try {
    return search();
  } catch (error) {
    throw error instanceof PatternError ? tooSlow(error.message) : error;
  }
}

const tooSlow = (why: string) =>
  new SearchError(
    `The pattern takes too long here (${why}): write it without repetitions of repetitions, as in (a+)+, or search fewer files.`,
  );

interface Compiled extends Omit<GrepQuery, "pattern"> {
  pattern: RegExp;
  patterns: Patterns;
}

function grepLines(text: string, path: string, query: Compiled): GrepLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  const { pattern, patterns } = query;
  const found = query.multiline ? patterns.spanning(pattern, withLf(text)) : patterns.matching(pattern, lines);
  // Behind the last line end nothing stands, though an empty match may be there.
  const hits = found.filter(line => line < lines.length);
  if (hits.length === 0) return [];
  if (query.mode === "files_with_matches") return [{ path, line: 0, kind: "match", text: "" }];
  if (query.mode === "count") return [{ path, line: 0, kind: "match", text: "", count: hits.length }];
  const kinds = new Map<number, GrepLine["kind"]>();
  for (const hit of hits) {
    const last = Math.min(lines.length - 1, hit + query.after);
    for (let line = Math.max(0, hit - query.before); line <= last; line += 1) kinds.set(line, "context");
  }
  for (const hit of hits) kinds.set(hit, "match");
  return [...kinds]
    .sort(([a], [b]) => a - b)
    .map(([line, kind]) => ({ path, line: line + 1, kind, text: (lines[line] ?? "").slice(0, LINE_LIMIT) }));
}
