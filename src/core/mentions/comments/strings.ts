/** Strings and comments of single languages: raw strings, here documents, blocks by indentation. */

import { after, atColumnZero, atLineStart, closingBrackets, lineEnd, type Rule } from "./scan";

/** How far a here document reaches at most: what only looks like the beginning of one must not cost more. */
const FARTHEST = 100_000;

/** What begins with a pattern that says how it ends: `r#"`, `R"x(`, `[==[`. */
export function delimited(
  first: string,
  open: RegExp,
  close: (match: RegExpExecArray) => string,
  when?: (text: string, at: number) => boolean,
): Rule {
  const sticky = new RegExp(open.source, "y");
  return {
    first,
    read({ text }, at) {
      if (when && !when(text, at)) return at;
      sticky.lastIndex = at;
      const match = sticky.exec(text);
      return match ? after(text, close(match), at + match[0].length) : at;
    },
  };
}

/** The same of a comment: `--[==[`. */
export function delimitedComment(first: string, open: RegExp, close: (match: RegExpExecArray) => string): Rule {
  const rule = delimited(first, open, close);
  return {
    first,
    read(scan, at) {
      const end = rule.read(scan, at);
      if (end > at) scan.comments.push({ start: at, end, line: false });
      return end;
    },
  };
}

const notInWord = (text: string, at: number) => !/[\w$]/.test(text.charAt(at - 1));

export const rustRaw = delimited("rb", /b?r(#*)"/, ([, hashes]) => `"${hashes}`, notInWord);
export const cppRaw = delimited("RuUL", /(?:u8|[uUL])?R"([^\s()\\"]{0,16})\(/, ([, name]) => `)${name}"`, notInWord);
/** Looked for once in a run of marks: from each of them it would be read again to its end. */
const firstOfRun = (text: string, at: number) => text[at - 1] !== text[at];

export const swiftRaw = delimited("#", /(#+)("""|")/, ([, hashes, quote]) => `${quote}${hashes}`, firstOfRun);
export const csharpRaw = delimited(
  '$"',
  /\$*("{3,})/,
  ([, quotes]) => quotes ?? "",
  (text, at) => text[at] === '"' || firstOfRun(text, at),
);
export const luaLong = delimited("[", /\[(=*)\[/, ([, level]) => `]${level}]`);
export const luaComment = delimitedComment("-", /--\[(=*)\[/, ([, level]) => `]${level}]`);
export const rRaw = delimited(
  "rR",
  /[rR](["'])(-*)[([{]/,
  ([open, quote, dashes]) => `${closing(open)}${dashes}${quote}`,
  notInWord,
);
export const cmakeComment = delimitedComment("#", /#\[(=*)\[/, ([, level]) => `]${level}]`);
export const cmakeString = luaLong;

function closing(open: string): string {
  return closingBrackets[open.slice(-1)] ?? open.slice(-1);
}

/** `<<EOF`, `<<-'EOF'`, `<<~EOF`, `<<<EOF` (PHP): to the line that has the word alone; none where no line has it. */
export function hereDocument(open: RegExp): Rule {
  const sticky = new RegExp(open.source, "y");
  return {
    first: "<",
    read(scan, at) {
      sticky.lastIndex = at;
      const word = sticky.exec(scan.text)?.groups?.word;
      if (!word || scan.searches <= 0) return at;
      scan.searches--;
      const near = scan.text.slice(at, at + FARTHEST);
      const end = new RegExp(`\\n[ \\t]*${word}(?![\\w-])`).exec(near);
      return end ? at + end.index + end[0].length : at;
    },
  };
}

export const shellDocument = hereDocument(/<<[-~]?[ \t]*\\?(["']?)(?<word>[A-Za-z_]\w*)\1/);
export const rubyDocument = hereDocument(/<<(?:[-~](?=["'`]?[A-Za-z_])|(?=["']?[A-Z]))["'`]?(?<word>[A-Za-z_]\w*)/);
export const phpDocument = hereDocument(/<<<[ \t]*(["']?)(?<word>[A-Za-z_]\w*)\1/);

/** A character that takes the meaning of the next one outside of strings: `\#`, `\%`, `\"`, `?#`, `$%`. */
export function escapes(mark: string, when: (text: string, at: number) => boolean = () => true): Rule {
  return { first: mark, read: ({ text }, at) => (when(text, at) ? Math.min(text.length, at + 2) : at) };
}

/** `q{…}`, `%w[…]`, `~s(…)`: to the bracket that closes, brackets of its kind in it counted. */
export function bracketed(first: string, open: RegExp, when: (text: string, at: number) => boolean = notInWord): Rule {
  const sticky = new RegExp(open.source, "y");
  return {
    first,
    read({ text }, at) {
      if (!when(text, at)) return at;
      sticky.lastIndex = at;
      const match = sticky.exec(text);
      if (!match) return at;
      const from = at + match[0].length;
      const end = closed(text, from, match[0].slice(-1));
      const parts = match.groups?.parts;
      return parts ? secondPart(text, end, match[0].slice(-1)) : end;
    },
  };
}

/** `s/…/…/`, `tr{…}{…}`: the other part. */
function secondPart(text: string, end: number, open: string): number {
  if (closingBrackets[open] === undefined) return closed(text, end, open);
  let next = end;
  while (/\s/.test(text.charAt(next))) next++;
  return closed(text, next + 1, text.charAt(next));
}

function closed(text: string, from: number, open: string): number {
  const close = closing(open);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === close && depth-- === 0) return at + 1;
    else if (char === open) depth++;
  }
  return text.length;
}

const afterOperator = (text: string, at: number) =>
  /[\s([{,=~!]|^$/.test(text.charAt(at - 1)) && !/\s/.test(text.charAt(at + 1));
export const perlQuotes = bracketed(
  "qmsty",
  /(?:q[qwxr]?|m|(?<parts>s|tr|y))(?:\s+(?=[{(<[])|(?=[^\w\s]))(?!=>|=|,|;|\))[^\w\s]/,
  (text, at) => !/[\w$@%&>{*-]/.test(text.charAt(at - 1)),
);
export const rubyQuotes = bracketed("%", /%[qQwWiIrsx]?[({[<|!/]/, afterOperator);
export const elixirSigils = bracketed("~", /~(?:[a-z]|[A-Z]+)(?!""")(?!''')[({[<|"'/]/);

/** `=begin` … `=end`: whole lines, each with its mark at the very beginning. */
export function lineBlock(open: RegExp, close: RegExp): Rule {
  const sticky = new RegExp(open.source, "y");
  return {
    first: "=",
    read({ text, comments }, at) {
      sticky.lastIndex = at;
      if (!atColumnZero(text, at) || !sticky.test(text)) return at;
      const last = new RegExp(close.source, "gm");
      last.lastIndex = at + 1;
      const end = last.exec(text) ? last.lastIndex : text.length;
      comments.push({ start: at, end, line: false });
      return end;
    },
  };
}

/** All after that line is data: `__END__`. */
export function dataAfter(mark: string): Rule {
  return {
    first: mark.charAt(0),
    read: ({ text }, at) => (text.startsWith(mark, at) && atColumnZero(text, at) ? text.length : at),
  };
}

/** A comment that goes on over all lines indented deeper than its first one: Pug, reStructuredText. */
export function indentedComment(mark: string, unless: RegExp): Rule {
  return {
    first: mark.charAt(0),
    read({ text, comments }, at) {
      if (!text.startsWith(mark, at) || !atLineStart(text, at) || unless.test(text.slice(at, lineEnd(text, at))))
        return at;
      const end = deeperEnd(text, at, at - (text.lastIndexOf("\n", at - 1) + 1));
      comments.push({ start: at, end, line: false });
      return end;
    },
  };
}

const yamlHeader = /[|>][-+\d]{0,2}[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;

/** `key: |` and `- >-`: text, whatever is in it, as long as it is indented deeper than its key. */
export const yamlBlock: Rule = {
  first: "|>",
  read({ text }, at) {
    yamlHeader.lastIndex = at;
    if (!/[ \t]/.test(text.charAt(at - 1)) || !yamlHeader.test(text)) return at;
    const start = text.lastIndexOf("\n", at - 1) + 1;
    const [dashes = ""] = /^[ \t]*(?:- +)*/.exec(text.slice(start, at)) ?? [];
    const column = start + dashes.length === at ? dashes.lastIndexOf("-") : dashes.length;
    return deeperEnd(text, at, column);
  },
};

/** The end of the last line, from that of `at` on, that is indented deeper than `column`. */
function deeperEnd(text: string, at: number, column: number): number {
  let end = lineEnd(text, at);
  for (let next = text.indexOf("\n", end); next >= 0; ) {
    const stop = lineEnd(text, next + 1);
    let indent = next + 1;
    while (indent < stop && /[ \t]/.test(text.charAt(indent))) indent++;
    if (indent < stop) {
      if (indent - next - 1 <= column) break;
      end = stop;
    }
    next = text.indexOf("\n", stop);
  }
  return end;
}
