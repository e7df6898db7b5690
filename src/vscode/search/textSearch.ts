/** Searching a text where ripgrep cannot reach it: with JavaScript's regular expressions, and the same answers. */
import {
  type Clock,
  type GrepLine,
  type GrepQuery,
  PatternError,
  type Patterns,
  SearchError,
} from "../../core/ground/ports";
import { withLf } from "../../core/ground/text/lines";
import { errorMessage } from "../../shared/errorMessage";
import { asSentence } from "../../shared/format";
import { compileGlob, type PathTest } from "../../shared/glob";

/** Types whose files end in their name. */
const PLAIN_TYPES = ["cs", "go", "java", "lua", "php", "sql", "swift", "toml", "txt", "xml"];

/** The file types that are asked for most, under ripgrep's names. */
const TYPES: Record<string, string> = {
  ...Object.fromEntries(PLAIN_TYPES.map(type => [type, `*.${type}`])),
  c: "*.{c,h}",
  cpp: "*.{cc,cpp,cxx,c++,h,hh,hpp,hxx}",
  css: "*.{css,scss}",
  html: "*.{htm,html}",
  js: "*.{js,jsx,mjs,cjs,vue}",
  json: "*.{json,jsonl}",
  kotlin: "*.{kt,kts}",
  md: "*.{md,markdown,mdx}",
  py: "*.{py,pyi}",
  ruby: "*.{rb,gemspec}",
  rust: "*.rs",
  sh: "*.{sh,bash,zsh}",
  ts: "*.{ts,tsx,cts,mts}",
  yaml: "*.{yml,yaml}",
};

/** ms of all files together: the editor's own process searches. */
const MAX_MS = 5_000;
/** Of a longer line a part is given. */
const LINE_LIMIT = 8192;
/** A line is searched for its hit in pieces of so many characters, each of which begins in the middle of the one before. */
const PIECE = 200;

/** Throws SearchError for a pattern, glob or type that cannot be read. */
export function textSearch(query: GrepQuery, patterns: Patterns, clock: Clock) {
  const pattern = compile(query);
  const globs = [query.glob, query.type === undefined ? undefined : typeGlob(query.type)];
  let spent = 0;
  const tests = globs.flatMap(glob => (glob === undefined ? [] : [pathTest(glob)]));
  return {
    /** Whether a file is searched, by its path below the folder that is searched. */
    wants: (path: string) => tests.every(test => test(path)),
    /** The lines of one file, in order. Throws SearchError where the pattern takes too long. */
    linesOf(text: string, path: string): GrepLine[] {
      const from = clock.steady();
      try {
        const lines = grepLines(text, path, { ...query, pattern }, patterns);
        spent += clock.steady() - from;
        if (spent <= MAX_MS) return lines;
      } catch (error) {
        // On a long line JavaScript's engine may never come back, and the editor would stand still with it.
        throw error instanceof PatternError ? tooSlow(error.message) : error;
      }
      throw tooSlow(`it took ${MAX_MS / 1000} s for the files so far`);
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
  const glob = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (glob !== undefined) return glob;
  const known = Object.keys(TYPES).sort().join(", ");
  throw new SearchError(`unrecognized file type: ${type}. Here these are known: ${known}. Or use glob.`);
}

/** ripgrep's flags in front of a pattern are JavaScript's flags behind it. */
function compile({ pattern, ignoreCase, multiline }: GrepQuery): RegExp {
  const [front = "", inline = ""] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const flags = new Set(["g", ...inline, ...(ignoreCase ? ["i"] : []), ...(multiline ? ["m", "s"] : [])]);
  // Lines end in `\n` alone here.
  const source = pattern.slice(front.length).replace(/(?<!\\)((?:\\\\)*)\\r\\n/g, "$1\\n");
  try {
    return new RegExp(source, [...flags, "u"].join(""));
  } catch {
    // Escapes of plain characters are an error with Unicode, and harmless without.
  }
  try {
    return new RegExp(source, [...flags].join(""));
  } catch (error) {
    throw new SearchError(
      `${asSentence(errorMessage(error))} ripgrep does not reach what is not on a disk: patterns are JavaScript's regular expressions there.`,
    );
  }
}

const tooSlow = (why: string) =>
  new SearchError(
    `The pattern takes too long here (${why}): write it without repetitions of repetitions, as in (a+)+, or search fewer files.`,
  );

type TextPattern = Omit<GrepQuery, "pattern"> & { pattern: RegExp };

function grepLines(text: string, path: string, query: TextPattern, patterns: Patterns): GrepLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  const { pattern } = query;
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
    .map(([line, kind]) => ({ path, line: line + 1, kind, ...shortened(lines[line] ?? "", kind, query, patterns) }));
}

/** A line as it is given; of a long one what stands around its first hit, where that is within a piece of it. */
function shortened(
  line: string,
  kind: GrepLine["kind"],
  query: TextPattern,
  patterns: Patterns,
): Pick<GrepLine, "text" | "hits"> {
  if (line.length <= PIECE || kind === "context" || query.multiline) return { text: line.slice(0, LINE_LIMIT) };
  const pieces = Array.from({ length: Math.ceil(line.length / (PIECE / 2)) }, (_, at) =>
    line.slice((at * PIECE) / 2, (at * PIECE) / 2 + PIECE),
  );
  const [first] = patterns.matching(query.pattern, pieces);
  if (first === undefined) return { text: line.slice(0, LINE_LIMIT) };
  const from = (first * PIECE) / 2;
  const start = Math.max(0, Math.min(from - LINE_LIMIT / 2, line.length - LINE_LIMIT));
  const text = line.slice(start, start + LINE_LIMIT);
  return { text, hits: [[from - start, Math.min(text.length, from - start + PIECE)]] };
}
