/** Maths in Markdown, for marked: `$$…$$`, `\[…\]`, `\(…\)`, and `$…$` where that is neither money nor a shell's variable. */
import type { Tokens } from "marked";

export interface MathToken extends Tokens.Generic {
  type: "math";
  /** TeX; empty: its end is still to come */
  text: string;
  /** a paragraph of its own */
  block: boolean;
}

/** No blank line, so that a streamed text reads like a whole one. */
const inside = (not: string, notEscaped: string) =>
  String.raw`((?:[^\\\n${not}]|\\[^\n${notEscaped}]|\\?\n(?![ \t]*\n))+)`;
const [dollars, brackets] = [inside("$", ""), inside("", String.raw`[\]`)];
const DISPLAY = String.raw`\$\$${dollars}\$\$|\\\[${brackets}\\\]`;
const BLOCK = new RegExp(String.raw`^ {0,3}(?:${DISPLAY})[ \t]*(?:\n|$)`);
/** Until its end is there it is no list, however its lines begin. */
const UNFINISHED = new RegExp(String.raw`^ {0,3}(?:\$\$[ \t]*\n${dollars}?\$?|\\\[[ \t]*\n${brackets}?\\?)$`);
/** The part of a paragraph before one. */
const BEFORE_BLOCK = /^(?:[^\n]|\n(?! {0,3}(?:\$\$|\\\[)?[ \t]*\n))+\n(?= {0,3}(?:\$\$|\\\[)[ \t]*\n)/;

const DOLLAR = String.raw`\$(?![\s$])((?:[^$\\\n]|\\[^\n])+)(?<!\s)\$(?![\w({$])`;
const INLINE = new RegExp(String.raw`^(?:(?!\$\$\s)(?:${DISPLAY})|\\\(${inside("", "()")}\\\)|${DOLLAR})`);
const BEGINS = /\\[[(]|(?<![\w$\\/.)\]}])\$(?!\s)/;

/** Where words are no prose: text, and what stands above or below. */
const NAMES = /(?:\\(?:text\w*|math\w+|operatorname|begin|end|tag)\*?|[_^])\{[^{}]*\}|\\[a-zA-Z]+/g;
const FUNCTIONS = /\b(?:sin|cos|tan|log|exp|max|min|mod|lim|det|gcd)\b/g;
const PROSE = /["#`]|^\{|\p{L}{3}|\p{Lo}|(?<!\S)(?:an|as|at|by|in|is|of|on|or|to|vs)(?!\S)/u;

const isProse = (content: string) => PROSE.test(content.replace(NAMES, "0").replace(FUNCTIONS, ""));

/** Brackets that Markdown escapes are around words: `\[Unreleased\]`. */
const isWords = (content = "") => /\p{L}{3}/u.test(content) && !/[^\p{L}\s.,']/u.test(content);

function readBlock(src: string): MathToken | undefined {
  const [raw, ...found] = BLOCK.exec(src) ?? UNFINISHED.exec(src)?.slice(0, 1) ?? [];
  if (raw === undefined || isWords(found[1])) return undefined;
  return { type: "math", raw, text: found.find(Boolean)?.trim() ?? "", block: true };
}

function readInline(src: string): MathToken | undefined {
  const [raw, dollars, brackets, parens, dollar] = INLINE.exec(src) ?? [];
  const text = dollars ?? brackets ?? parens ?? dollar ?? "";
  if (raw === undefined || text.trim() === "" || (dollar !== undefined && isProse(dollar))) return undefined;
  if (isWords(brackets ?? parens)) return undefined;
  return { type: "math", raw, text, block: false };
}

/** Where one begins within a paragraph; negative: nowhere. */
export function blockStart(src: string): number {
  const at = BEFORE_BLOCK.exec(src)?.[0].length ?? -1;
  return at >= 0 && readBlock(src.slice(at)) ? at : -1;
}

const inlineStart = (src: string) => src.search(BEGINS);

export const maths = {
  ...{ renderers: {}, childTokens: {} },
  ...{ block: [readBlock], startBlock: [blockStart], inline: [readInline], startInline: [inlineStart] },
};
