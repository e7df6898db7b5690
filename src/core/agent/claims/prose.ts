/** An answer as sentences that speak for its author: without code, quotations, tables and headings. Pure. */
import { fenceAfter } from "../../../shared/fences";
import { oneLine } from "../../ground/text/format";

export interface Sentence {
  text: string;
  /** number of its paragraph; each item of a list is one */
  paragraph: number;
  isItem: boolean;
  /** the heading or the line above that introduces it: `Next steps:` */
  lead: string;
}

/** A blank in a span of code: words there are no words of a sentence. */
const BLANK = "\ue000";
const MAX_WORDS = 200;
const MAX_LENGTH = 60_000;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)、])\s+(?:\[[xX]\]\s+)?/;

/** Only the end of a long answer is read. */
export function sentencesOf(answer: string): Sentence[] {
  const found: Sentence[] = [];
  let fence: string | undefined;
  let [heading, lead, paragraph] = ["", "", 0];
  for (const line of answer.slice(-MAX_LENGTH).split(/\r?\n/)) {
    const before = fence;
    fence = fenceAfter(before, line);
    if (before !== undefined || fence !== undefined || /^\s*[>|<]|^\s*[-*+]\s+\[ \]|^ {4,}\S/.test(line)) continue;
    const isItem = ITEM.test(line);
    if (isItem || line.trim() === "") paragraph += 1;
    if (line.trim() === "") continue;
    const text = plainLine(line.replace(ITEM, ""));
    if (HEADING.test(line)) [heading, lead] = [text, ""];
    if (/^\s*#|[:：]\**$/.test(line) && HEADING.test(line)) continue;
    for (const part of text.split(/(?<=[.!?…]["')\]]?)\s+|(?<=[。！？；])/))
      if (/[\p{L}\p{N}]/u.test(part)) found.push({ text: part.trim(), paragraph, isItem, lead: `${heading} ${lead}` });
    if (!isItem) lead = /[:：]$/.test(text) ? text : "";
  }
  return found;
}

/** One in bold may be a sentence too. */
const HEADING = /^\s*#{1,6}\s|^\s*\*\*[^*]{1,80}\*\*[:：]?\s*$/;

function plainLine(line: string): string {
  return line
    .replace(/`[^`\n]{1,300}`/g, span => span.replace(/\s/g, BLANK))
    .replace(/"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|「[^」\n]{1,400}」|『[^』\n]{1,400}』/g, "“”")
    .replace(/\*\*|__|~~|^\s*#{1,6}\s/g, "")
    .replace(/[’]/g, "'")
    .replace(/\p{Extended_Pictographic}|\ufe0f|[✓✗]/gu, "")
    .trim();
}

/** As it was written; the beginning of a long one. */
export const saidWords = (text: string): string =>
  oneLine(text.replaceAll(BLANK, " ").replace(/[.。:：!！]+$/, ""), MAX_WORDS);

/** The spans of code in a sentence, as they were written. */
export const spansIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span.replaceAll(BLANK, " "));
