/** Which problems are new since an edit, and which are gone (TOOLS.md). Pure. */

import { type FileProblems, type Problem, severities } from "../ports";
import { splitLines } from "../text/lineEnds";
import { changedBlocks, type LinePlace, mapNewLine, mapOldLine } from "./lineBlocks";

export interface Listed {
  problems: readonly Problem[];
  /** the text that they are about */
  text: string;
}

export interface Compared {
  /** the worst first, then by line */
  fresh: Problem[];
  gone: Problem[];
}

/**
 * The same problem is one of the same severity, message and code on the same line, wherever the edit moved that to; within
 * lines that were replaced by others, anywhere in these. Each counts once: of two where one was, one is new. A line that was
 * taken out and put back elsewhere takes its problems along.
 */
export function compareProblems(before: Listed, after: Listed): Compared {
  const blocks = changedBlocks(before.text, after.text);
  const [oldLines, newLines] = [splitLines(before.text), splitLines(after.text)];
  const old = before.problems.map(problem => placed(problem, mapOldLine(problem.line, blocks), oldLines));
  const now = after.problems.map(problem => placed(problem, mapNewLine(problem.line, blocks), newLines));
  const inPlace = unmatched(old, now, ({ key, place }) => key + place);
  const { left, right } = unmatched(inPlace.left, inPlace.right, ({ key, moved }) => moved && key + moved);
  return { fresh: right.map(({ problem }) => problem).sort(worstFirst), gone: left.map(({ problem }) => problem) };
}

/** The worst first, then as they stand in the file. */
export function worstFirst(a: Problem, b: Problem): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    (a.cell ?? 0) - (b.cell ?? 0) ||
    a.line - b.line ||
    a.column - b.column
  );
}

/** Files with the worst problem first, then by path. The problems of each are sorted by `worstFirst`. */
export function worstFileFirst(a: FileProblems, b: FileProblems): number {
  const rank = ({ problems: [worst] }: FileProblems) => (worst ? severities.indexOf(worst.severity) : 0);
  return rank(a) - rank(b) || (a.ref.path < b.ref.path ? -1 : 1);
}

interface Placed {
  problem: Problem;
  key: string;
  place: string;
  /** of a line in a changed block its text: what it would be found by elsewhere */
  moved: string | undefined;
}

function placed(problem: Problem, place: LinePlace, lines: readonly string[]): Placed {
  const { severity, message, code } = problem;
  return {
    problem,
    key: `${JSON.stringify([severity, message, code])} `,
    place: JSON.stringify(place),
    moved: "block" in place ? lines[problem.line - 1]?.trim() || undefined : undefined,
  };
}

/** What is left of both when those of the same name are taken out in pairs; without a name nothing is. */
function unmatched(left: readonly Placed[], right: readonly Placed[], nameOf: (placed: Placed) => string | undefined) {
  const open = new Map<string, Placed[]>();
  for (const one of left) {
    const name = nameOf(one);
    if (name === undefined) continue;
    const same = open.get(name);
    if (same) same.push(one);
    else open.set(name, [one]);
  }
  const paired = new Set<Placed>();
  const alone = right.filter(one => {
    const name = nameOf(one);
    const other = name === undefined ? undefined : open.get(name)?.shift();
    if (other) paired.add(other);
    return !other;
  });
  return { left: left.filter(one => !paired.has(one)), right: alone };
}
