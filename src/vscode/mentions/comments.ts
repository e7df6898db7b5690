/** Where the comments of the usual languages are, read coarsely: a string ends with its line, but for backticks and three quotes. Pure, and linear in the text. */

/** UTF-16 offsets, with the comment's marks. */
export interface CommentRange {
  start: number;
  end: number;
  /** up to the end of its line; else it has an end mark */
  line: boolean;
}

/** Longer texts are data, and looking through them would hold up typing. UTF-16 units. */
const MAX_TEXT = 4_000_000;

/** No comment: the end of `https:`, as in text and in `url()`. */
const SLASHES = String.raw`\/\/(?<!:\/\/)`;
/** `$#`, `a#b`, `#[attribute]` begin none. */
const HASH = String.raw`#(?<=(?:^|[\s;&|(){}[\],])#)`;
const block = (open: string, close: string) => `${open}[^]*?(?:${close}|$)`;
const STARS = block(String.raw`\/\*`, String.raw`\*\/`);

const inLines = (open: string, close = open) => String.raw`${open}(?:\\[^]|[^\\])*?(?:${close}|$)`;
const inLine = (open: string, close: string) => inLines(open, String.raw`${close}|(?=\n)`);
const DOUBLE = `${inLines('"""')}|${inLine('"', '"')}`;
/** None begins in a word: `it's`. */
const SINGLE = `${inLines("'''")}|${inLine(String.raw`'(?<=(?:^|\W)[bfru]{0,2}')`, "'")}`;
const QUOTED = `${DOUBLE}|${SINGLE}`;
/** Not `'static`. */
const CHARACTER = String.raw`'(?:\\[^\n]{1,10}?|[^\\'\n]{1,2})'`;
/** `/[/"]/`, where no division can stand. */
const EXPRESSION = String.raw`\/(?<=(?:^|[=(,:;!&|?{[~+]|=>|\b(?:return|typeof|case|in|of|do|else|await|yield))[ \t]{0,9}\/)(?![/*>])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,200}\/`;
const EMBEDDED = String.raw`<(?<tag>script|style)\b[^<>]{0,2000}>(?<inner>[^]*?)(?=<\/\k<tag>|$)`;

/** ids of languages: what begins a comment of a line, a whole comment with an end, what hides both */
const LANGUAGES: [ids: string, line: string, block: string, hides: string][] = [
  [
    "javascript javascriptreact typescript typescriptreact go",
    SLASHES,
    STARS,
    `${inLines("`")}|${QUOTED}|${EXPRESSION}`,
  ],
  ["c cpp cuda-cpp objective-c objective-cpp java csharp kotlin swift", SLASHES, STARS, `${DOUBLE}|${CHARACTER}`],
  ["rust scala fsharp json jsonc hlsl proto proto3 zig", SLASHES, STARS, `${DOUBLE}|${CHARACTER}`],
  ["php dart groovy scss less", SLASHES, STARS, QUOTED],
  ["css", "", STARS, QUOTED],
  ["html xml vue svelte astro razor markdown", "", block("<!--", "-->"), EMBEDDED],
  ["python shellscript yaml dockercompose toml dockerfile makefile", HASH, "", QUOTED],
  ["perl r elixir powershell properties ignore dotenv julia coffeescript graphql terraform", HASH, "", QUOTED],
  ["ruby", HASH, block("(?<=^|\n)=begin", "(?<=\n)=end"), QUOTED],
  ["lua", "--", block(String.raw`--\[\[`, "]]"), QUOTED],
  ["sql", "--", STARS, QUOTED],
  ["haskell", "--", block(String.raw`\{-`, String.raw`-\}`), QUOTED],
  ["clojure ini", ";", "", DOUBLE],
  ["latex tex erlang matlab", "%", "", ""],
];

const marks: ReadonlyMap<string, RegExp> = new Map(
  LANGUAGES.flatMap(([ids, line, block, hides]) => {
    const parts = [block && `(?<block>${block})`, line && String.raw`(?<line>${line}[^\r\n]*)`, String.raw`\\.`, hides];
    const all = new RegExp(parts.filter(Boolean).join("|"), "gi");
    return ids.split(" ").map(id => [id, all] as const);
  }),
);

export const commentLanguages: readonly string[] = [...marks.keys()];

/** In order, none within another. */
export function commentsOf(text: string, languageId: string): CommentRange[] {
  const comments: CommentRange[] = [];
  const all = text.length > MAX_TEXT ? undefined : marks.get(languageId);
  for (const { 0: found, index, groups = {} } of all ? text.matchAll(all) : []) {
    const end = index + found.length;
    if (groups.block || groups.line) comments.push({ start: index, end, line: groups.block === undefined });
    if (!groups.tag || !groups.inner) continue;
    const [from, isStyle] = [end - groups.inner.length, /^style$/i.test(groups.tag)];
    const language = isStyle ? (/^[^>]*\blang=/.test(found) ? "scss" : "css") : "javascript";
    for (const { start, end, line } of commentsOf(groups.inner, language))
      comments.push({ start: start + from, end: end + from, line });
  }
  return comments;
}
