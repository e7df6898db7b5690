/** A pattern as ripgrep is given it, so that it means in each file what it says: line ends of both kinds, bytes that are no UTF-8. */
import type { GrepQuery } from "../core/ground/ports";

/** Bytes that are no UTF-8, on a line. */
export const NOT_UTF8 =
  "(?-u)(?:^|[\\x00-\\x7F])[\\x80-\\xBF]|[\\xC2-\\xDF](?:[^\\x80-\\xBF]|$)|[\\xE0-\\xEF](?:[^\\x80-\\xBF]|[\\x80-\\xBF](?:[^\\x80-\\xBF]|$)|$)|[\\xF0-\\xF4](?:[^\\x80-\\xBF]|[\\x80-\\xBF](?:[^\\x80-\\xBF]|$)|$)|[\\xC0\\xC1\\xF5-\\xFF]";

/** Whether a pattern names characters that have other bytes in other encodings. */
export const namesBeyondAscii = (pattern: string): boolean => /[^\0-\x7f]|\\(?:[pP]|u|x\{)/.test(pattern);

/** A line end as a pattern writes it: by name, or by its number. */
const LINE_END = /^\\(?:n|x0[aA]|x\{0*[aA]\}|u000[aA]|u\{0*[aA]\})/;
/** `\r` as a pattern writes it: the engine knows it only where a pattern may span lines. */
const RETURN = /^\\(?:r|x0[dD]|x\{0*[dD]\}|u000[dD]|u\{0*[dD]\})/;
/** Where a line ends, it ends before it: who asks for it there means the end itself. */
const RETURN_AT_END = /^\$(?=$|[)|])/;
/** A set of what ends lines, among others. */
const ENDS_SET = /^\[(?!\^)[^\]]*?\\(?:[nr]|x0[aAdD])/;
const END_IN_SET = /\\(?:n|x0[aA])/;
/** All that is not ASCII is in such a set. */
const PLAIN_SET = /^\[\^[\]]?[^\]\\[&~\-\x80-\uffff]*\]/;
const ANY_BYTE = "(?-u:[\\x80-\\xff])";

/**
 * A line end also means `\r\n`, and a pattern that has one spans lines. What takes any number of any characters takes bytes that are
 * no UTF-8 too: in a file that is, that is the same.
 */
export function enginePattern({ pattern, multiline }: Pick<GrepQuery, "pattern" | "multiline">) {
  const parts: string[] = [];
  const isVerbose = /\(\?[a-zA-Z]*x/.test(pattern);
  // Who lets the dot mean a line end wants it to.
  let spans = multiline || /(?<!\\)\(\?[a-zA-Z]*s/.test(pattern);
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at, at + 200);
    const end = LINE_END.exec(rest)?.[0] ?? (rest[0] === "\n" && !isVerbose ? "\n" : undefined);
    const any = /^\.(?=[*+])/.exec(rest)?.[0] ?? anySet(rest);
    const one = () => RETURN.exec(rest)?.[0] ?? /^\\./su.exec(rest)?.[0] ?? rest[0] ?? "";
    const taken = end ?? any ?? (rest[0] === "[" ? setAt(pattern, at) : one());
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
    } else parts.push(any === undefined ? taken : `(?:${any}|${ANY_BYTE})`);
  }
  return { pattern: parts.join(""), spans };
}

function anySet(rest: string): string | undefined {
  const set = PLAIN_SET.exec(rest)?.[0];
  return set !== undefined && /^[*+]/.test(rest.slice(set.length)) ? set : undefined;
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
