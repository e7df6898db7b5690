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

/** ms of all files together: the editor's own process searches. */
const MAX_MS = 5_000;
/** Of a longer line the beginning is given. */
const LINE_LIMIT = 8192;
/** Throws SearchError for a pattern, glob or type that cannot be read. */
export function textSearch(query: GrepQuery, patterns: Patterns, clock: Clock) {
  const pattern = compile(query);
  if (query.type !== undefined)
    throw new SearchError("File types are not known for what is on no disk of this machine: use glob instead of type.");
  const wants = query.glob === undefined ? () => true : pathTest(query.glob);
  let spent = 0;
  return {
    /** Whether a file is searched, by its path below the folder that is searched. */
    wants,
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
    .map(([line, kind]) => ({ path, line: line + 1, kind, text: (lines[line] ?? "").slice(0, LINE_LIMIT) }));
}
