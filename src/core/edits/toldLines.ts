/** What the model is told of a change that somebody else made: so many lines of it, each cut around what changed. Pure. */
import { counted } from "../text/format";
import { clipLine, hunkLines } from "../text/longLines";
import { diffLines } from "../text/unifiedDiff";

const MAX_LINES = 12;
const MAX_CHARACTERS = 200;

export interface ToldLines {
  /** with `+` or `-` in front; empty: only line ends differ */
  text: string;
  /** It is all of the change: what the model was not told, it has not seen. */
  isWhole: boolean;
}

/** @param redact before lines are cut: of half a secret nothing is found @param advice after the count of what is left out */
export function toldLines(from: string, to: string, redact: (text: string) => string, advice = ""): ToldLines {
  const { hunks } = diffLines(from, to);
  const lines = hunks.flatMap(hunk => hunkLines(hunk.lines)).filter(({ kind }) => kind !== " ");
  let isWhole = lines.length <= MAX_LINES;
  const shown = lines.slice(0, MAX_LINES).map(({ kind, text, other }) => {
    const whole = redact(text);
    if (whole.length <= MAX_CHARACTERS) return kind + whole;
    isWhole = false;
    return kind + clipLine(whole, other === undefined ? undefined : redact(other), MAX_CHARACTERS);
  });
  const left = lines.length - shown.length;
  const more = left > 0 ? [`… ${counted(left, "more line")}${advice}`] : [];
  return { text: [...shown, ...more].join("\n"), isWhole };
}
