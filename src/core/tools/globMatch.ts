/**
 * Globs over paths with '/' separators: `*`, `?`, `**`, `[a-z]`, `{a,b}`. A pattern without '/' is matched against the
 * last part of the path, as in .gitignore. Searching is the engine's work; this one filters lists that are at hand.
 */

/**
 * A function that says whether a path (relative, no leading "/") matches. What is not closed is taken literally; a set
 * whose ends are the wrong way round (`[z-a]`) throws a SyntaxError.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const trimmed = pattern.replace(/^\.?\//, "").replace(/\/$/, "");
  const source = new RegExp(`^${translate(trimmed)}$`, "u");
  return trimmed.includes("/") ? path => source.test(path) : path => source.test(path.slice(path.lastIndexOf("/") + 1));
}

function translate(pattern: string): string {
  let out = "";
  let depth = 0;
  for (let i = 0; i < pattern.length; ) {
    const rest = pattern.slice(i);
    const [taken, piece] = special(rest, depth);
    if (taken === 0) {
      out += quoteForRegExp(pattern.charAt(i));
      i += 1;
      continue;
    }
    if (piece === "(?:") depth += 1;
    if (piece === ")") depth -= 1;
    out += piece;
    i += taken;
  }
  return out;
}

/** How many characters of `rest` are a special piece, and what it is as a regular expression; 0: none. */
function special(rest: string, depth: number): [number, string] {
  if (rest.startsWith("**/")) return [3, "(?:[^/]+/)*"];
  if (rest.startsWith("/**") && rest.length === 3) return [3, "(?:/.*)?"];
  if (rest.startsWith("**")) return [2, ".*"];
  if (rest.startsWith("*")) return [1, "[^/]*"];
  if (rest.startsWith("?")) return [1, "[^/]"];
  const set = /^\[([!^]?)([^\]/]+)\]/.exec(rest);
  if (set) return [set[0].length, `[${set[1] ? "^" : ""}${(set[2] ?? "").replace(/[\\[\]&~|^]/g, "\\$&")}]`];
  if (rest.startsWith("{") && closes(rest)) return [1, "(?:"];
  if (rest.startsWith("}") && depth > 0) return [1, ")"];
  if (rest.startsWith(",") && depth > 0) return [1, "|"];
  return [0, ""];
}

function closes(rest: string): boolean {
  let depth = 0;
  for (const character of rest) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth === 0) return true;
  }
  return false;
}

const quoteForRegExp = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
