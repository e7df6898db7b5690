/** Mentions in documents of the editor: where they may stand, and what only looks like one (docs/context.md). Pure. */
import { looksOtherwise, type Mention, namesFile, parseMentions } from "../../shared/mentions/parse";
import { mentionUnderCursor } from "../../shared/mentions/typed";
import { type CommentRange, commentsOf } from "./comments";

const anywhere = new Set(["markdown", "plaintext", "git-commit", "strata-prompt"]);

/**
 * The mentions of a document, in order: anywhere in prose (a commit message's own comments excepted, since git drops them),
 * else in comments only, and there only what names a file or folder by its looks: `@param` and its like do not.
 * In Markdown, code has mentions too: rules and prompts put paths in backticks. @param comments whether those of code may have mentions
 */
export function mentionsIn(text: string, languageId: string, comments: boolean): Mention[] {
  if (!text.includes("@")) return [];
  if (!anywhere.has(languageId)) return comments ? inComments(text, languageId) : [];
  const dropped = languageId === "git-commit" ? droppedByGit(text) : [];
  let next = 0;
  return parseMentions(text).filter(mention => {
    while (next < dropped.length && (dropped[next]?.end ?? 0) <= mention.start) next++;
    return !covers(dropped[next], mention.start) && !looksOtherwise(text, mention);
  });
}

/** The mention that is being typed at that offset, if mentions may stand there. */
export function typedMention(text: string, offset: number, languageId: string, comments: boolean) {
  const typed = mentionUnderCursor(text, offset);
  if (!typed) return undefined;
  const stands = anywhere.has(languageId)
    ? languageId !== "git-commit" || !droppedByGit(text).some(range => covers(range, typed.start))
    : comments &&
      commentsOf(text, languageId).some(comment => covers(comment, typed.start) && offset <= insideEnd(text, comment));
  return stands ? typed : undefined;
}

/** The comment at that offset; line comments in a row are one. @returns `text`: without its marks; the offsets are with them */
export function commentAt(text: string, offset: number, languageId: string) {
  const comments = commentsOf(text, languageId);
  const at = comments.findIndex(comment => comment.start <= offset && offset <= comment.end);
  const found = comments[at];
  if (!found) return undefined;
  let first = at;
  let last = at;
  while (follows(text, comments[first - 1], comments[first])) first--;
  while (follows(text, comments[last], comments[last + 1])) last++;
  const joined = comments.slice(first, last + 1);
  const start = joined[0]?.start ?? found.start;
  const end = joined.at(-1)?.end ?? found.end;
  return {
    start,
    end,
    text: joined
      .map(comment => said(text, comment))
      .join("\n")
      .trim(),
  };
}

function inComments(text: string, languageId: string): Mention[] {
  const comments = commentsOf(text, languageId);
  const found: Mention[] = [];
  for (const { start, end } of comments)
    for (const mention of parseMentions(text.slice(start, end))) {
      const moved = { ...mention, start: mention.start + start, end: mention.end + start };
      if (namesFile(text, moved) && !looksOtherwise(text, moved)) found.push(moved);
    }
  return found;
}

const covers = (range: { start: number; end: number } | undefined, at: number): boolean =>
  range !== undefined && range.start <= at && at < range.end;

/** Where typing is still within the comment: not after the mark that closes it. */
const insideEnd = (text: string, { end, line }: CommentRange): number => (line || end === text.length ? end : end - 1);

/** The lines of a commit message that git drops, and all from the scissors on. */
function droppedByGit(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const { index, 0: whole } of text.matchAll(/^#.*$/gm)) {
    const scissors = /^# -+ >8 -+/.test(whole);
    found.push({ start: index, end: scissors ? text.length : index + whole.length });
    if (scissors) break;
  }
  return found;
}

const atLineStart = (text: string, at: number): boolean =>
  /(?:^|[\n\r])[ \t]*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));

/** Two line comments, each alone on its line, one below the other. */
function follows(text: string, above: CommentRange | undefined, below: CommentRange | undefined): boolean {
  if (!above?.line || !below?.line || !atLineStart(text, above.start) || !atLineStart(text, below.start)) return false;
  return /^\r?\n[ \t]*$/.test(text.slice(above.end, below.start));
}

/** Without marks: those of line comments, of blocks, and the stars that some put before each line of a block. */
function said(text: string, { start, end, line }: CommentRange): string {
  const whole = text.slice(start, end);
  if (line) return whole.replace(/^(?:\/\/+!?|#+!?|--+|;+|%+)[ \t]?/, "");
  const [first = ""] = /^(?:\/\*+!?|<!--+|\{-|--\[\[|=begin)/i.exec(whole) ?? [];
  const inner = whole.slice(first.length).replace(/(?:(?<!\*)\*+\/|(?<!-)--+>|-\}|\]\]|=end)$/i, "");
  return inner
    .split("\n")
    .map(one => (/^[ \t]*\*/.test(one) ? one.replace(/^[ \t]*\*+ ?/, "") : one.trimStart()).trimEnd())
    .join("\n");
}
