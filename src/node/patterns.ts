/** Regular expressions under a watch: one that backtracks without end is cut off. */
import { createContext, Script } from "node:vm";
import { PatternError, type Patterns } from "../core/ground/ports";
import { errorMessage } from "../shared/errorMessage";

// Locals: a global of a context is looked up anew at each use.
const MATCHING = new Script(`{
  const [all, wanted, found] = [lines, expression, []];
  for (let at = 0; at < all.length; at++) if (all[at].search(wanted) >= 0) found.push(at);
  found;
}`);
const SPANNING = new Script(`{
  const [all, found] = [text, []];
  let line = 0, start = 0, next = 0;
  const lineOf = offset => {
    for (let end = all.indexOf("\\n", start); end >= 0 && end < offset; end = all.indexOf("\\n", start)) {
      line++;
      start = end + 1;
    }
    return line;
  };
  for (const { 0: hit, index } of all.matchAll(expression)) {
    const first = lineOf(index);
    const last = lineOf(Math.max(index, index + hit.length - 1));
    for (next = Math.max(next, first); next <= last; next++) found.push(next);
  }
  found;
}`);

interface PatternSource {
  expression?: RegExp;
  lines?: readonly string[];
  text?: string;
}

/** @param timeoutMs how long an expression may take for all lines of a call, or for its text */
export function createPatterns(timeoutMs = 500): Patterns {
  const given: PatternSource = {};
  const context = createContext(given);
  /** Only V8's own watchdog ends an expression in the middle of a line. */
  const watched = (script: Script, what: PatternSource): number[] => {
    try {
      Object.assign(given, what);
      return [...script.runInContext(context, { timeout: timeoutMs })];
    } catch (error) {
      if (!isTimeout(error)) throw error;
      throw new PatternError("slow", `it took longer than ${timeoutMs} ms`);
    } finally {
      Object.assign(given, { expression: undefined, lines: undefined, text: undefined });
    }
  };
  return {
    matching: (pattern, lines) => watched(MATCHING, { lines, expression: compile(pattern) }),
    spanning: (expression, text) => watched(SPANNING, { text, expression }),
  };
}

/** It comes out of the other context: no Error of this one. */
function isTimeout(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function compile(pattern: string | RegExp): RegExp {
  if (typeof pattern !== "string") return pattern;
  try {
    // What other engines know as a beginning is a flag here.
    const inline = /^\(\?i\)/.exec(pattern)?.[0] ?? "";
    return new RegExp(pattern.slice(inline.length), inline === "" ? "" : "i");
  } catch (error) {
    throw new PatternError("invalid", errorMessage(error));
  }
}
