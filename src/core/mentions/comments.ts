/**
 * Where the comments of a document are, by what the configuration of its language in VS Code says of comments and quotes. VS Code
 * gives extensions no scopes. What no configuration says is read coarsely: a string ends with its line, but for backticks and
 * three quotes; a here document, a nested template and a raw string are code. Pure, and linear in the text.
 */
import { parse as parseJson } from "jsonc-parser";
import type { CommentSyntax } from "../../shared/mentions/serverProtocol";

/** UTF-16 offsets, with the comment's marks. */
export interface CommentRange {
  start: number;
  end: number;
  /** up to the end of its line; else it has an end mark */
  line: boolean;
}

/** Longer texts are data, and looking through them would hold up typing. UTF-16 units. */
const MAX_TEXT = 4_000_000;

/** Of `<script>` and `<style>` in what has comments as HTML does. */
const script: CommentSyntax = { line: ["//"], block: [["/*", "*/"]], quotes: `"'\`` };
const css: CommentSyntax = { line: [], block: [["/*", "*/"]], quotes: `"'` };
const scss: CommentSyntax = { ...css, line: ["//"] };

/**
 * @param configuration text of a `language-configuration.json`, which may have comments
 * @returns undefined where it names no comments
 */
export function commentSyntaxIn(configuration: string): CommentSyntax | undefined {
  const { comments, autoClosingPairs } = Object(parseJson(configuration, [], { allowTrailingComma: true }));
  const { lineComment, blockComment } = Object(comments);
  const lineMark: unknown = lineComment?.comment ?? lineComment;
  const mark = typeof lineMark === "string" ? lineMark.trim() : "";
  const line = mark === "" ? [] : [mark === ";;" ? ";" : mark];
  const [open, close] = Array.isArray(blockComment) ? blockComment.map(mark => String(mark).trim()) : [];
  // Python's block comment is a string of several lines; that of INI files is a line.
  const block: [string, string][] = open && close && !/^["']+$/.test(open) ? [[open, close]] : [];
  if (line.length === 0 && block.length === 0) return undefined;
  const pairs: unknown[] = Array.isArray(autoClosingPairs) ? autoClosingPairs : [];
  const closing = pairs.map(pair => String(Array.isArray(pair) ? pair[1] : Object(pair).close));
  const quotes = [...`"'\``].filter(quote => closing.includes(quote)).join("");
  return { line, block, quotes };
}

/** In order, none within another. */
export function commentsOf(text: string, syntax: CommentSyntax | undefined): CommentRange[] {
  if (!syntax || text.length > MAX_TEXT) return [];
  const comments: CommentRange[] = [];
  const marks = marksOf(syntax);
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const { index: at, groups = {} } = found;
    if (groups.block !== undefined) marks.lastIndex = addBlock(comments, text, at, groups.block, syntax);
    else if (groups.line !== undefined) {
      if (!beginsComment(text, at, groups.line)) continue;
      marks.lastIndex = lineEnd(text, at);
      comments.push({ start: at, end: marks.lastIndex, line: true });
    } else if (groups.quote !== undefined) marks.lastIndex = stringEnd(text, at, syntax);
    else if (groups.tag !== undefined) marks.lastIndex = addEmbedded(comments, text, marks.lastIndex, found[0]);
    else if (groups.slash !== undefined) marks.lastIndex = regularExpressionEnd(text, at);
  }
  return comments;
}

/** Whatever may begin a comment or hide one, in the order in which it is tried. */
function marksOf({ line, block, quotes }: CommentSyntax): RegExp {
  const opens = block.map(([open]) => (/^\w/.test(open) || open.startsWith("=") ? `^${escaped(open)}` : escaped(open)));
  const isMarkup = block.some(([open]) => open === "<!--");
  const isScript = line.includes("//") && quotes.includes("`");
  const parts = [
    opens.length > 0 ? `(?<block>${opens.join("|")})` : "",
    line.length > 0 ? `(?<line>${line.map(lineMark).join("|")})` : "",
    "\\\\.",
    `(?<quote>["'\`])`,
    isMarkup ? "(?<tag><(?:script|style)\\b[^<>]{0,2000}>)" : "",
    isScript ? "(?<slash>/(?![/*>]))" : "",
  ];
  return new RegExp(parts.filter(Boolean).join("|"), "gmi");
}

/** `@REM` of batch files is any `rem`; words and what else text has too count at the beginning of a line only. */
function lineMark(mark: string): string {
  const isWord = /^@?\w+$/.test(mark);
  const written = isWord ? `@?${mark.replace("@", "")}` : escaped(mark);
  // Looked back only from the mark: from each blank of a line it would take too long.
  return isWord || /^[."]/.test(mark) ? `${written}(?=\\s|$)(?<=^[ \\t]*${written})` : written;
}

function beginsComment(text: string, at: number, mark: string): boolean {
  // `$#`, `a#b`, `#[attribute]` are none; nor is the end of `https:` in text and in `url()`.
  if (mark.startsWith("#")) return at === 0 || /[\s;&|(){}[\],]/.test(text.charAt(at - 1));
  return mark !== "//" || text.charAt(at - 1) !== ":";
}

function addBlock(
  comments: CommentRange[],
  text: string,
  start: number,
  open: string,
  { block }: CommentSyntax,
): number {
  const close = block.find(([mark]) => mark.toLowerCase() === open.toLowerCase())?.[1] ?? "";
  const at = text.indexOf(close, start + open.length);
  const end = at < 0 ? text.length : at + close.length;
  comments.push({ start, end, line: false });
  return end;
}

/** @param from behind the tag @returns where the element ends */
function addEmbedded(comments: CommentRange[], text: string, from: number, tag: string): number {
  const isScript = /^<script/i.test(tag);
  const close = isScript ? /<\/script/gi : /<\/style/gi;
  close.lastIndex = from;
  const to = close.exec(text)?.index ?? text.length;
  const found = commentsOf(text.slice(from, to), isScript ? script : /\blang=/.test(tag) ? scss : css);
  for (const { start, end, line } of found) comments.push({ start: start + from, end: end + from, line });
  return to;
}

/** Behind the string that begins there, or behind the quote where none does: `it's`, `'static`, TeX's two. */
function stringEnd(text: string, at: number, { line, quotes }: CommentSyntax): number {
  const quote = text.charAt(at);
  const isInWord = quote === "'" && /\w/.test(text.charAt(at - 1));
  if (isInWord && !/(?:^|\W)[bfru]{1,2}$/i.test(text.slice(Math.max(0, at - 3), at)))
    return at + (text[at + 1] === quote ? 2 : 1);
  if (!quotes.includes(quote)) {
    const character = /'(?:\\[^\n]{1,10}?|[^\\'\n]{1,2})'/y;
    character.lastIndex = at;
    return character.test(text) ? character.lastIndex : at + 1;
  }
  const isTriple = quote !== "`" && text.startsWith(quote.repeat(3), at);
  const mark = isTriple ? quote.repeat(3) : quote;
  const hasLines = isTriple || (quote === "`" && line.includes("//"));
  const ends = new RegExp(`\\\\[^]|${mark}${hasLines ? "" : "|(?=\\n)"}`, "g");
  ends.lastIndex = at + mark.length;
  for (let end = ends.exec(text); end; end = ends.exec(text)) {
    if (!end[0].startsWith("\\")) return end.index + end[0].length;
  }
  return text.length;
}

/** Behind the `/[/"]/` that begins there, or behind the slash of a division. */
function regularExpressionEnd(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 20), at).trimEnd();
  if (/[\w$)\]}"'`<]$/.test(before) && !/(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|await|yield)$/.test(before))
    return at + 1;
  const whole = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,200}\//y;
  whole.lastIndex = at;
  return whole.test(text) ? whole.lastIndex : at + 1;
}

/** The offset of the line end at or after that offset (of `\r\n` the `\r`), or the text's length. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  const line = end < 0 ? text.length : end;
  return line > at && text[line - 1] === "\r" ? line - 1 : line;
}

const escaped = (mark: string) => mark.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
