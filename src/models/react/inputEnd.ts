/** Where the input of an action ends, and what may stand behind it. Pure. */
import { WAIT } from "./markers";

/** the bracket that closes an input, and the marks that were opened before it */
const CLOSING_MARKS = /^(?:\s*```(?=\s*[\])】）］]))?(?:\s*(?:<\/\w+>|[\])】）］]))?[ \t`*;.,]*/;

/**
 * Where an input that is no object ends, in characters; undefined: nowhere in this text.
 * @param closer what ends it: a bracket, "\n" or "" the line; @param ended nothing more comes
 */
export function plainInputEnd(text: string, ended: boolean, closer: string): number | typeof WAIT | undefined {
  const isLine = closer === "" || closer === "\n";
  const ends = isLine ? /\r?\n/g : new RegExp(`\\${closer}|\\n`, "g");
  for (const { index, 0: found } of text.matchAll(ends)) {
    const rest = text.slice(index + 1);
    if (found === "\n" && !isLine) {
      const end = endsInput(rest, ended);
      if (end === WAIT) return WAIT;
      if (!end) continue;
    } else if (found === closer) {
      const [, more] = /^[ \t*`.;"']*(\r?\n|$)/.exec(rest) ?? [];
      if (more === undefined) continue;
      if (more === "" && !ended) return WAIT;
    }
    return index;
  }
  return undefined;
}

/** How many characters behind an input still belong to its action. */
export function closingMarks(text: string, ended: boolean): number | typeof WAIT {
  const [marks = ""] = CLOSING_MARKS.exec(text) ?? [];
  const next = text.slice(marks.length);
  if (!ended && (next === "" || /^\s*(?:`{1,3}\s*|<\/?\w*)$/.test(next))) return WAIT;
  return marks.trim() === "" ? 0 : marks.length;
}

/** Without the bracket that closes an input which came to no other end. */
export const withoutCloser = (input: string): string => input.replace(/\s*[\])】）]\s*[`*]*\s*$/, "");

/** Beginnings of a line that no input has: the next step of the format. */
const NEXT_STEP =
  /^[ \t>*_#-]*(?:\[(?:assistant|tool|user)\]|(?:thought|action|observation|final answer|思考|行动|观察)[ \t]*\d{0,3}[*_]{0,2}[ \t]*[:：]|<\/(?:tool_call|function_call|action)>)/i;
/** So many characters decide. */
const MAX_NEXT_STEP = 32;

/** Whether a line in the middle of an input shows that the input was never closed. */
export function endsInput(text: string, ended: boolean): boolean | typeof WAIT {
  if (NEXT_STEP.test(text)) return true;
  const line = text.slice(0, MAX_NEXT_STEP);
  if (ended || line.includes("\n") || line.length >= MAX_NEXT_STEP) return false;
  return /^[ \t>*_#-]*(?:\[\w{0,9}|<\/?\w{0,13}|[A-Za-z]{0,11}(?: answer)?[ \t]*\d{0,3}[*_]{0,2}[ \t]*|[\u4e00-\u9fff]{0,2})$/.test(
    line,
  )
    ? WAIT
    : false;
}
