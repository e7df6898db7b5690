/** What a person remarks on lines of a change, until the agent has answered it. Pure: shown and kept elsewhere. */
import * as z from "zod";
import { writeMention } from "../../shared/mentions/write";

const commentSchema = z.object({ text: z.string(), sent: z.boolean() });

export const lineCommentsSchema = z.object({
  /** of the file, as the editor names it */
  uri: z.string(),
  /** as mentions have it */
  path: z.string(),
  /** 0-based */
  first: z.int(),
  /** since they were sent `first` followed the lines in the editor: an edit's diff may count from before that */
  moved: z.boolean().optional(),
  /** the lines that are meant, as they stood: they tell where they went, and whether the agent changed them */
  lines: z.array(z.string()),
  comments: z.array(commentSchema),
  /** since they were sent the agent changed these lines */
  answered: z.boolean(),
  /** whose changes they are about; absent: unknown, or an older Strata wrote it */
  sessionId: z.string().optional(),
});
/** The comments on one stretch of lines, oldest first. */
export type LineComments = z.infer<typeof lineCommentsSchema>;

/** Bounds of the store. */
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

/**
 * After the agent edited the file: an answer where that changed the lines, or lines next to them. A comment that was not sent has none.
 * @param diff of the edit, unified
 */
export function afterEdit(thread: LineComments, diff: string): LineComments {
  const rows = diff.split("\n");
  const isChange = (row = "") => /^[-+]/.test(row);
  // By text, since lines move, and by place where they did not: the editor may have shown an older text.
  const touched = new Set<string | number>();
  let line = 0;
  for (const [at, row] of rows.entries()) {
    const start = /^@@ -(\d+)/.exec(row)?.[1];
    if (start !== undefined) line = Number(start) - 1;
    else if (row[0] === "-" || row[0] === " ") {
      if (row[0] === "-" || isChange(rows[at - 1]) || isChange(rows[at + 1]))
        touched.add(row.slice(1).replace(/\r$/, "")).add(line);
      line += 1;
    }
  }
  const isTouched = (text: string, at: number) =>
    (!thread.moved && touched.has(thread.first + at)) || (text.trim() !== "" && touched.has(text));
  const isAnswered = isSent(thread) && thread.lines.some(isTouched);
  return isAnswered ? { ...thread, answered: true } : thread;
}

/**
 * In the current file: where the lines went, or else the lines in their place. Of what was sent the lines stay those that
 * were meant: an edit of the agent is seen in the file before it is told.
 */
export function follow(thread: LineComments, text: readonly string[]): LineComments {
  const found = findLines(thread, text);
  if (found === thread.first) return thread;
  if (found !== undefined) return { ...thread, first: found, moved: true };
  const first = Math.max(0, Math.min(thread.first, text.length - 1));
  if (isSent(thread)) return { ...thread, first };
  return { ...thread, first, lines: text.slice(first, first + thread.lines.length) };
}

/** The thread with one more comment, which waits to be sent. */
export const withComment = (thread: LineComments, text: string): LineComments => ({
  ...thread,
  comments: [...thread.comments, { text, sent: false }],
  answered: false,
});

export const asSent = (thread: LineComments): LineComments => ({
  ...thread,
  moved: false,
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
