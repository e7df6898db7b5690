/** What a person remarks on lines of a change, until the agent has answered it. Pure: shown and kept elsewhere. */
import * as z from "zod";
import { writeMention } from "../../../shared/mentions/write";

const commentSchema = z.object({ text: z.string(), sent: z.boolean() });

export const lineCommentsSchema = z.object({
  /** of the file, as the editor names it */
  uri: z.string(),
  /** as mentions have it */
  path: z.string(),
  /** 0-based */
  first: z.int(),
  /** the lines that are meant, as they stood: they tell where they went, and whether the agent changed them */
  lines: z.array(z.string()),
  comments: z.array(commentSchema),
  /** since they were sent the agent changed these lines */
  answered: z.boolean(),
  /** whose changes they are about; absent: nobody knew, or an older Strata wrote it */
  sessionId: z.string().optional(),
  /** where they stood before they were last seen elsewhere: what moved them may be an edit that is told only later */
  was: z.int().optional(),
});
/** The comments on one stretch of lines, oldest first. */
export type LineComments = z.infer<typeof lineCommentsSchema>;

/** Bounds of what is kept. */
export const MAX_THREADS = 200;
export const MAX_COMMENT_CHARACTERS = 10_000;

/** @returns where the lines stand now, 0-based: of several places the nearest. undefined: nowhere */
export function findLines({ first, lines }: Pick<LineComments, "first" | "lines">, text: readonly string[]) {
  const stands = (at: number) => at >= 0 && lines.every((line, index) => text[at + index] === line);
  const last = text.length - lines.length;
  for (let away = 0; away <= Math.max(first, last - first, 0); away++) {
    if (stands(first - away)) return first - away;
    if (stands(first + away)) return first + away;
  }
  return undefined;
}

const isSent = ({ comments }: LineComments) => comments.every(({ sent }) => sent);

/** Lines of the old text that an edit took away, and how many it put in their place. `first`: 0-based */
interface EditRun {
  first: number;
  removed: number;
  added: number;
}

/** @param diff unified. @returns what it changes, and all lines of the old text that it has */
function readDiff(diff: string): { runs: EditRun[]; old: ReadonlyMap<number, string> } {
  const old = new Map<number, string>();
  const runs: EditRun[] = [];
  let at: number | undefined;
  let run: EditRun | undefined;
  const begun = (first: number) => {
    const next = { first, removed: 0, added: 0 };
    runs.push(next);
    return next;
  };
  for (const line of diff.split("\n")) {
    const [, start, count] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    const sign = line[0] ?? "";
    // A side without lines names the line before it.
    if (start !== undefined) [at, run] = [Number(start) - (count === "0" ? 0 : 1), undefined];
    else if (at !== undefined && (sign === "-" || sign === "+")) {
      run ??= begun(at);
      run[sign === "-" ? "removed" : "added"]++;
    } else run = undefined;
    if (start === undefined && at !== undefined && (sign === "-" || sign === " "))
      old.set(at++, line.slice(1).replace(/\r$/, ""));
  }
  return { runs, old };
}

/** Lines that are put in right before or behind touch too: that is how what a comment asks for is often added. */
const touches = (run: EditRun, first: number, count: number): boolean =>
  run.removed === 0
    ? run.first >= first && run.first <= first + count
    : run.first < first + count && run.first + run.removed > first;

/** Where a line of the old text is in the new one; of one that went: what stands in its place. */
function movedBy(runs: readonly EditRun[], line: number): number {
  let moved = line;
  for (const { first, removed, added } of runs)
    if (first + removed <= line) moved += added - removed;
    else if (first < line) moved -= line - first;
  return moved;
}

/**
 * After the agent edited the file. Of what was not sent this is no answer.
 * @param diff of the edit, unified
 */
export function afterEdit({ was, ...thread }: LineComments, diff: string): LineComments {
  const { runs, old } = readDiff(diff);
  const places = was === undefined ? [thread.first] : [was, thread.first];
  const known = (first: number) => thread.lines.map((line, index) => (old.get(first + index) ?? line) === line);
  const seen = (first: number) => thread.lines.some((_, index) => old.has(first + index));
  // The edit may have moved them already: the old text tells which place is one of its own.
  const fits = places.filter(place => known(place).every(Boolean));
  const first = fits.find(seen) ?? fits[0] ?? was ?? thread.first;
  const changed = runs.some(run => touches(run, first, Math.max(1, thread.lines.length)));
  return { ...thread, first: movedBy(runs, first), answered: thread.answered || (changed && isSent(thread)) };
}

/**
 * As the file stands now: where the lines went, or else what stands in their place. Of what was sent the lines stay those that
 * were meant: an edit of the agent is seen in the file before it is told.
 */
export function follow(thread: LineComments, text: readonly string[]): LineComments {
  const found = findLines(thread, text);
  if (found === thread.first) return thread;
  if (found !== undefined) return { ...thread, first: found, was: thread.was ?? thread.first };
  const first = Math.max(0, Math.min(thread.first, text.length - 1));
  if (isSent(thread)) return { ...thread, first };
  return { ...thread, first, lines: text.slice(first, first + thread.lines.length) };
}

/** No edit is under way: where they stand is where the next one finds them. */
export const settled = ({ was: _, ...thread }: LineComments): LineComments => thread;

/** The thread with one more comment, which waits to be sent. */
export const withComment = (thread: LineComments, text: string): LineComments => ({
  ...thread,
  comments: [...thread.comments, { text, sent: false }],
  answered: false,
});

export const asSent = (thread: LineComments): LineComments => ({
  ...thread,
  comments: thread.comments.map(comment => ({ ...comment, sent: true })),
});

/**
 * One message with all that waits, by file and line. Lines are named and not quoted: a quoted line could have words that attach
 * something, which the person never wrote.
 * @param heading its first line
 */
export function commentsMessage(threads: readonly LineComments[], heading: string): string {
  const waiting = threads
    .map(thread => ({ ...thread, comments: thread.comments.filter(({ sent }) => !sent) }))
    .filter(({ comments }) => comments.length > 0)
    .toSorted((a, b) => (a.path === b.path ? a.first - b.first : a.path < b.path ? -1 : 1));
  if (waiting.length === 0) return "";
  const parts = waiting.map(({ path, first, lines, comments }) => {
    const mention = writeMention(path, { range: { first: first + 1, last: first + Math.max(1, lines.length) } });
    return `${mention}\n${comments.map(({ text }) => text.trim()).join("\n")}`;
  });
  return [heading, ...parts].join("\n\n");
}
