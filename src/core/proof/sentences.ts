/** A sentence looked for in texts that break lines, mark words and write quotes in their own way. Pure; linear. */

/** A text as sentences are looked for in it. */
export interface NormalText {
  text: string;
  /** where each of its lines begins */
  lines: readonly number[];
}

const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3001\\u3002";
const BESIDE_CJK = new RegExp(`(?<=[${CJK}]) | (?=[${CJK}])`, "gu");
const ENDS_CJK = new RegExp(`[${CJK}]$`, "u");
const BEGINS_CJK = new RegExp(`^[${CJK}]`, "u");
/** Scripts that part their words. */
const LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/** Without the numbers that Read writes, marks of lists, quotations and headings, emphasis, hidden characters and the marks that a request has for them. */
function plainLine(line: string): string {
  return line
    .replace(/^\s*\d{1,7}\t/, "")
    .replace(/^[\s>#|*+•-]+(?:\[[ xX>]\]\s|\d{1,3}[.)]\s)?|^\d{1,3}[.)]\s+/, "")
    .replace(/\[([^\][]{1,300})\]\([^()]{1,500}\)/g, "$1")
    .replace(/⟦U\+[0-9A-F]{4,6}⟧|[*_`~\\]|\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[\s|]+/g, " ")
    .trim()
    .replace(BESIDE_CJK, "")
    .toLowerCase();
}

export function normalText(text: string): NormalText {
  const lines: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    const plain = plainLine(line);
    const before = pieces.at(-1);
    const isOne = before !== undefined && (ENDS_CJK.test(before) || BEGINS_CJK.test(plain));
    if (plain !== "" && before !== undefined && !isOne) length += pieces.push(" ") && 1;
    lines.push(length);
    if (plain !== "") length += pieces.push(plain) && plain.length;
  }
  return { text: pieces.join(""), lines };
}

/** 1-based line of a place. */
export const lineAt = ({ lines }: NormalText, at: number): number => lines.findLastIndex(start => start <= at) + 1;

/** Where the sentence stands, all of it; -1: nowhere. "Use tab" is not in "Use tabs". @param sentence normal */
export function placeOf({ text }: NormalText, sentence: string): number {
  const parts = (a = "", b = "") => LETTER.test(a) && LETTER.test(b);
  for (let at = text.indexOf(sentence); at >= 0; at = text.indexOf(sentence, at + 1)) {
    const end = at + sentence.length;
    if (!parts(text[at - 1], sentence[0]) && !parts(sentence.at(-1), text[end])) return at;
  }
  return -1;
}

/** characters of a sentence that tell it from others */
const TELLING = 12;

/**
 * Where a part of the sentence stands right beside the mark of a cut; -1: nowhere.
 * @param marks of cuts in that text, with the flag g @param sides whether what follows a mark may be its end
 */
export function cutPlace({ text }: NormalText, sentence: string, marks: RegExp, sides: "before" | "both"): number {
  const least = Math.min(TELLING, Math.ceil(sentence.length / 2));
  for (const { index, 0: mark } of text.matchAll(marks)) {
    const before = text.slice(Math.max(0, index - sentence.length - 1), index).trimEnd();
    const after = text.slice(index + mark.length, index + mark.length + sentence.length + 1).trimStart();
    const end = before.slice(-least);
    for (let at = sentence.indexOf(end); at >= 0; at = sentence.indexOf(end, at + 1)) {
      const beginning = sentence.slice(0, at + least);
      if (before.length >= least && before.endsWith(beginning)) return Math.max(0, index - beginning.length - 1);
    }
    const start = after.slice(0, least);
    for (let at = sentence.indexOf(start); at >= 0 && sides === "both"; at = sentence.indexOf(start, at + 1))
      if (start.length === least && after.startsWith(sentence.slice(at))) return index + mark.length;
  }
  return -1;
}
