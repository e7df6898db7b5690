/** Mentions in documents of the editor: where they may stand, and what only looks like one (docs/context.md). Pure. */
import { fenceAfter } from "../../shared/fences";
import { certain, looksOtherwise, type Mention, namesFile, parseMentions } from "../../shared/mentions/parse";
import { mentionUnderCursor, type TypedMention } from "../../shared/mentions/typed";
import { type CommentRange, commentsOf } from "./comments";

export interface DocumentMention extends Mention {
  /**
   * It could as well be something else: a person, an npm package, a decorator, code in Markdown. If what it names is there, it
   * is a mention like any other; if not, nothing is wrong with it (no diagnostics).
   */
  doubtful?: true;
}

const anywhere = new Set(["markdown", "plaintext", "git-commit", "strata-prompt"]);
const withCode = new Set(["markdown", "strata-prompt"]);

/**
 * The mentions of a document, in order: anywhere in prose (a commit message's own comments excepted, since git drops them),
 * else in comments only, and there only what names a file or folder by its looks: `@param` and its like do not.
 *
 * In Markdown, code has mentions too, since rules and prompts put paths in backticks and a prompt's text is read without regard
 * to Markdown when it is sent; but as code is full of decorators and scopes, all of them are doubtful.
 * @param comments whether comments of code may have mentions
 */
export function mentionsIn(text: string, languageId: string, comments: boolean): DocumentMention[] {
  if (!text.includes("@")) return [];
  if (!anywhere.has(languageId)) return comments ? inComments(text, languageId) : [];
  const code = withCode.has(languageId) ? codeSpans(text) : [];
  const dropped = languageId === "git-commit" ? droppedByGit(text) : [];
  const where = languageId === "strata-prompt" ? "prompt" : "prose";
  let nextCode = 0;
  let nextDropped = 0;
  return parseMentions(text).flatMap(mention => {
    while (nextCode < code.length && (code[nextCode]?.end ?? 0) <= mention.start) nextCode++;
    while (nextDropped < dropped.length && (dropped[nextDropped]?.end ?? 0) <= mention.start) nextDropped++;
    if (covers(dropped[nextDropped], mention.start) || looksOtherwise(text, mention)) return [];
    const doubtful = covers(code[nextCode], mention.start) || !certain(text, mention, where);
    return [doubtful ? { ...mention, doubtful: true as const } : mention];
  });
}

/**
 * The mention that is being typed at that offset, if mentions may stand there.
 */
export function typedMention(
  text: string,
  offset: number,
  languageId: string,
  comments: boolean,
): TypedMention | undefined {
  const typed = mentionUnderCursor(text, offset);
  if (!typed) return undefined;
  const stands = anywhere.has(languageId)
    ? languageId !== "git-commit" || !droppedByGit(text).some(range => covers(range, typed.start))
    : comments &&
      commentsOf(text, languageId).some(comment => covers(comment, typed.start) && offset <= insideEnd(text, comment));
  return stands ? typed : undefined;
}

/**
 * The comment at that offset, with line comments that follow each other taken as one.
 * @returns `text`: what it says, without its marks; the offsets are with them
 */
export function commentAt(
  text: string,
  offset: number,
  languageId: string,
): { start: number; end: number; text: string } | undefined {
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

function inComments(text: string, languageId: string): DocumentMention[] {
  const comments = commentsOf(text, languageId);
  const found: DocumentMention[] = [];
  for (const { start, end } of comments) {
    for (const mention of parseMentions(text.slice(start, end))) {
      const moved = { ...mention, start: mention.start + start, end: mention.end + start };
      if (!namesFile(text, moved) || looksOtherwise(text, moved)) continue;
      found.push(certain(text, moved, "comment") ? moved : { ...moved, doubtful: true });
    }
  }
  return found;
}

function covers(range: { start: number; end: number } | undefined, at: number): boolean {
  return range !== undefined && range.start <= at && at < range.end;
}

/** Where typing is still within the comment: not after the mark that closes it. */
function insideEnd(text: string, { end, line }: CommentRange): number {
  return line || end === text.length ? end : end - 1;
}

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

/** Whether only blanks stand before that offset in its line. */
function atLineStart(text: string, at: number): boolean {
  return /(?:^|[\n\r])[ \t]*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));
}

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

/** A longer line is data: its backticks enclose no code. */
const MAX_LINE = 20_000;

/** Fenced blocks, and what stands between two runs of as many backticks on a line: UTF-16 offsets, in order. */
function codeSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  let fence: string | undefined;
  let start = 0;
  for (const { index, 0: line } of text.matchAll(/[^\n]+(?:\n|$)/g)) {
    const before = fence;
    fence = fenceAfter(before, line.trimEnd());
    if (before !== undefined) {
      if (fence === undefined) spans.push({ start, end: index + line.length });
    } else if (fence !== undefined) start = index;
    else if (line.length <= MAX_LINE) {
      for (const code of line.matchAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g)) {
        spans.push({ start: index + code.index, end: index + code.index + code[0].length });
      }
    }
  }
  return fence === undefined ? spans : [...spans, { start, end: text.length }];
}
