/** A sentence looked for in texts that break lines, mark words and write quotes in their own way. Pure; linear. */

/** `lines`: where each of them begins in the text */
export interface NormalText {
  text: string;
  lines: readonly number[];
}

const CJK = "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\u3001\\u3002]";
const BESIDE_CJK = new RegExp(`(?<=${CJK})\\s+|\\s+(?=${CJK})`, "gu");
const ENDS_CJK = new RegExp(`${CJK}$`, "u");
const BEGINS_CJK = new RegExp(`^${CJK}`, "u");
/** The number that Read writes; marks of quotations, headings, lists and their boxes. */
const LINE_MARKS = /^(?:\s*\d{1,7}\t)?(?:[\s>#|*+•-]+(?:\[[ xX>]\]\s|\d{1,3}[.)]\s)?|\d{1,3}[.)]\s+)?/;
/** Scripts that part their words. */
const LETTER = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}]/u;

function plainLine(line: string): string {
  const bare = line.replace(LINE_MARKS, "").replace(/\[([^\][]{1,300})\]\([^()]{1,500}\)|[*_`~\\]/g, "$1");
  const plain = /[\u0080-\uffff]/.test(bare)
    ? bare
        .replace(/⟦U\+[0-9A-F]{4,6}⟧|\p{Default_Ignorable_Code_Point}/gu, "")
        .normalize("NFKC")
        .replace(/[“”„«»]/g, '"')
        .replace(/[‘’]/g, "'")
        .replace(BESIDE_CJK, "")
    : bare;
  return plain
    .replace(/[\s|]+/g, " ")
    .trim()
    .toLowerCase();
}

export function normalText(text: string): NormalText {
  const lines: number[] = [];
  let normal = "";
  for (const line of text.split(/\r\n?|\n/)) {
    const plain = plainLine(line);
    if (plain !== "" && normal !== "" && !ENDS_CJK.test(normal.slice(-2)) && !BEGINS_CJK.test(plain)) normal += " ";
    lines.push(normal.length);
    normal += plain;
  }
  return { text: normal, lines };
}

/** 1-based line of a place. */
export const lineAt = ({ lines }: NormalText, at: number): number => lines.findLastIndex(start => start <= at) + 1;

/** Where all of the sentence begins; -1: nowhere. "Use tab" is not in "Use tabs". @param sentence normal */
export function placeOf({ text }: NormalText, sentence: string): number {
  const isOne = (a = "", b = "") => LETTER.test(a) && LETTER.test(b);
  for (let at = text.indexOf(sentence); at >= 0 && sentence !== ""; at = text.indexOf(sentence, at + 1))
    if (!isOne(text[at - 1], sentence[0]) && !isOne(sentence.at(-1), text[at + sentence.length])) return at;
  return -1;
}
