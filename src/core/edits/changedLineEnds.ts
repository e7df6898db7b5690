/** Edits that change line ends: texts are merged without them, and editors keep one kind for a file. Pure. */
import type { TextEdit } from "../ports";
import { matchingLines } from "../text/matchingLines";
import { applyEdits } from "./editEngine";

interface Line {
  /** without its end */
  text: string;
  /** `\n`, `\r\n` or `\r`; empty: the last line has none */
  end: string;
}

/**
 * @param text what a step was merged into, with the line ends that stood there
 * @param step from and to what it leads
 * @returns with the ends that the step gives lines, as far as nobody gave them others since
 */
export function applyStepLineEnds(text: string, step: { from: string; to: string }): string {
  if (!step.from.includes("\r") && !step.to.includes("\r")) return text;
  const [from, to, now] = [step.from, step.to, text].map(splitLinesWithEnds) as [Line[], Line[], Line[]];
  const [old, next] = [onlyEnd(from), onlyEnd(to)];
  if (old !== undefined && old === next) return text;
  const given = new Map<number, string>();
  for (const run of matchingLines(from.map(lineKey), to.map(lineKey))) {
    for (let at = 0; at < run.length; at += 1) given.set(run.from + at, to[run.to + at]?.end ?? "");
  }
  const places = new Map<number, number>();
  for (const run of matchingLines(from.map(lineKey), now.map(lineKey))) {
    for (let at = 0; at < run.length; at += 1) places.set(run.to + at, run.from + at);
  }
  const ends = now.map(({ end }, index) => {
    const place = places.get(index);
    if (end === "") return end;
    // A line that came since follows the others, where they are all alike.
    if (place === undefined) return end === old && next !== undefined ? next : end;
    return from[place]?.end === end ? given.get(place) || end : end;
  });
  return now.map((line, index) => line.text + ends[index]).join("");
}

const lineKey = ({ text, end }: Line): string => (end === "" ? text : `${text}\n`);

function splitLinesWithEnds(text: string): Line[] {
  return Array.from(text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g), ([, line = "", end = ""]) => ({
    text: line,
    end,
  })).filter(({ text: line, end }) => line !== "" || end !== "");
}

/** undefined: there is none, or there are several */
function onlyEnd(lines: readonly Line[]): string | undefined {
  const ends = new Set(lines.flatMap(({ end }) => (end === "" ? [] : [end])));
  return ends.size === 1 ? [...ends][0] : undefined;
}

/**
 * The line ends of a text whose line ends are all alike, after edits that bring others into it or cut one in two; undefined:
 * they do no such thing.
 */
export function lineEndsAfter(text: string, edits: readonly TextEdit[]): "\n" | "\r\n" | "mixed" | undefined {
  const end = /\r\n|\n|\r/.exec(text)?.[0];
  const others = end === "\r\n" ? /\r(?!\n)|(?<!\r)\n/ : /\r/;
  const isCut = (at: number) => text.charCodeAt(at) === 10 && text.charCodeAt(at - 1) === 13;
  if (!edits.some(edit => others.test(edit.text) || isCut(edit.start) || isCut(edit.end))) return undefined;
  const ends = new Set(applyEdits(text, edits).match(/\r\n|\n|\r/g));
  const [only] = ends;
  return ends.size === 1 && (only === "\n" || only === "\r\n") ? only : "mixed";
}
