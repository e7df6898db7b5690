/** Regular expressions that a model writes. */

export interface Patterns {
  /**
   * Indices of the lines in which the expression (JavaScript's) finds something, ascending. Takes no more than a moment,
   * whatever the expression is. Throws PatternError.
   */
  matching(pattern: string | RegExp, lines: readonly string[]): number[];
  /**
   * Indices of the lines (cut at `\n`) on which an expression with the flag `g` finds something that may span lines,
   * ascending. Throws PatternError.
   */
  spanning(expression: RegExp, text: string): number[];
}

/** `invalid`: in the engine's words; `slow`: it would take too long on these lines. */
export class PatternError extends Error {
  constructor(
    readonly code: "invalid" | "slow",
    message: string,
  ) {
    super(message);
    this.name = "PatternError";
  }
}
