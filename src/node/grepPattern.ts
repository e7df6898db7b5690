/** A pattern as ripgrep is given it, so that it means the same with line ends of both kinds. */
import type { GrepQuery } from "../core/ground/ports";

/** A line end as a pattern writes it: by name, or by its number. */
const LINE_END = /^\\(?:n|x0[aA]|x\{0*[aA]\}|u000[aA]|u\{0*[aA]\})/;
/** `\r` as a pattern writes it: the engine knows it only where a pattern may span lines. */
const RETURN = /^\\(?:r|x0[dD]|x\{0*[dD]\}|u000[dD]|u\{0*[dD]\})/;
/** Where a line ends, it ends before it: who asks for it there means the end itself. */
const RETURN_AT_END = /^\$(?=$|[)|])/;
/** A set of what ends lines, among others. */
const ENDS_SET = /^\[(?!\^)[^\]]*?\\(?:[nr]|x0[aAdD])/;
const END_IN_SET = /\\(?:n|x0[aA])/;
/**
 * A line end also means `\r\n`, and a pattern that has one spans lines.
 */
export function enginePattern({ pattern, multiline }: Pick<GrepQuery, "pattern" | "multiline">) {
  const parts: string[] = [];
  const isVerbose = /\(\?[a-zA-Z]*x/.test(pattern);
  // Who lets the dot mean a line end wants it to.
  let spans = multiline || /(?<!\\)\(\?[a-zA-Z]*s/.test(pattern);
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at, at + 200);
    const end = LINE_END.exec(rest)?.[0] ?? (rest[0] === "\n" && !isVerbose ? "\n" : undefined);
    const one = () => RETURN.exec(rest)?.[0] ?? /^\\./su.exec(rest)?.[0] ?? rest[0] ?? "";
    const taken = end ?? (rest[0] === "[" ? setAt(pattern, at) : one());
    at += taken.length;
    if (end !== undefined) {
      spans = true;
      parts.push("(?:\\r?\\n)");
    } else if (RETURN.test(taken)) {
      spans = true;
      const isAtEnd = RETURN_AT_END.test(pattern.slice(at));
      parts.push(isAtEnd ? `${taken}(?:\\n|\\z)` : taken);
      if (isAtEnd) at += 1;
    } else if (ENDS_SET.test(taken)) {
      spans = true;
      parts.push(END_IN_SET.test(taken) ? `(?:\\r?\\n|${taken})` : taken);
    } else parts.push(taken);
  }
  return { pattern: parts.join(""), spans };
}

/** The whole set that begins there, as far as it is closed. */
function setAt(pattern: string, from: number): string {
  let depth = 0;
  for (let at = from; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === "\\") at += 1;
    else if (char === "[") {
      depth += 1;
      // A bracket in the first place stands for itself.
      at += /^\^?\]/.exec(pattern.slice(at + 1, at + 3))?.[0].length ?? 0;
    } else if (char === "]") {
      depth -= 1;
      if (depth === 0) return pattern.slice(from, at + 1);
    }
  }
  return pattern.slice(from);
}
