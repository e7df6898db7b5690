/** Regular expressions without a watch over them. */
import { PatternError, type Patterns } from "../../src/core/ground/ports";

export const patterns: Patterns = {
  matching(pattern, lines) {
    if (pattern === "(a+)+$") throw new PatternError("slow", "it took longer than 500 ms");
    let expression: RegExp;
    try {
      expression = typeof pattern === "string" ? new RegExp(pattern) : pattern;
    } catch (error) {
      throw new PatternError("invalid", String((error as Error).message));
    }
    return lines.flatMap((line, at) => (line.search(expression) >= 0 ? [at] : []));
  },
  spanning(expression, text) {
    const lineOf = (offset: number) => text.slice(0, offset).split("\n").length - 1;
    const lines = [...text.matchAll(expression)].flatMap(({ index, 0: { length } }) => {
      const [first, last] = [lineOf(index), lineOf(Math.max(index, index + length - 1))];
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    });
    return [...new Set(lines)];
  },
};
