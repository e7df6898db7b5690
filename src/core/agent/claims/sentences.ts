/** An answer as sentences that speak for its author, without code, quotations, tables and headings; and what their forms are. Pure. */
import { fenceAfter } from "../../../shared/fences";
import { oneLine } from "../../ground/text/format";
import table from "./forms.json";

const whole = (source: string): string =>
  source.replace(/<([A-Z_]+)>/g, (_, name) => whole((table.parts as Record<string, string>)[name] ?? ""));
/** Each is made when it is first asked for: most answers need few. */
function each<Of extends object>(of: Of, flags: string) {
  const made = {} as Record<keyof Of, RegExp>;
  for (const [name, source] of Object.entries(of)) {
    const get = () => {
      const value = new RegExp(whole(source), flags);
      Object.defineProperty(made, name, { value });
      return value;
    };
    Object.defineProperty(made, name, { get, configurable: true, enumerable: true });
  }
  return made;
}

/** Expressions of forms.json, English and Chinese: `<NAME>` is the part of that name. */
export const forms = each(table.said, "i");
/** by kind of check: its names in sentences, its programs */
export const named = each(table.names, "i");
export const runners = each(table.kinds, "");
export const programs = each(table.commands, "");
/** programs, and the files that they look at */
export const languages = table.languages.map(
  ([program = "", files = ""]) => [new RegExp(program), new RegExp(files, "i")] as const,
);

interface Sentence {
  /** "": code, a table or a quotation */
  text: string;
  isItem: boolean;
  /** the heading or the line above that introduces it: `Next steps:` */
  lead: string;
}

/** A blank in a span of code: words there are no words of a sentence. */
const BLANK = "\ue000";
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)、])\s+(?:\[[xX]\]\s+)?/;
/** One in bold may be a sentence too. */
const HEADING = /^\s*#{1,6}\s|^\s*\*\*[^*]{1,80}\*\*[:：]?\s*$/;

/** Of a long answer the end is read, and of sentences those with at most 400 characters. */
export function sentencesOf(answer: string): Sentence[] {
  const found: Sentence[] = [];
  let fence: string | undefined;
  let [heading, lead, isItem] = ["", "", false];
  for (const line of answer.slice(-60_000).split(/\r?\n/)) {
    const before = fence;
    fence = fenceAfter(before, line);
    if (line.trim() === "") continue;
    const isOther = before !== undefined || fence !== undefined || /^\s*[>|<]|^\s*[-*+]\s+\[ \]|^ {4,}\S/.test(line);
    if (isItem && !ITEM.test(line)) lead = "";
    isItem = ITEM.test(line);
    const text = isOther ? "" : plainLine(line.replace(ITEM, ""));
    if (HEADING.test(line)) [heading, lead] = [text, ""];
    if (isOther) found.push({ text, isItem, lead });
    if (/^\s*#|[:：]\**$/.test(line) && HEADING.test(line)) continue;
    for (const part of text.split(/(?<=[.!?…]["')\]]?)\s+|(?<=[。！？；])/))
      if (/[\p{L}\p{N}]/u.test(part) && part.length <= 400)
        found.push({ text: part.trim(), isItem, lead: `${heading} ${lead}` });
    if (!isItem) lead = /[:：]$/.test(text) ? text : "";
  }
  return found;
}

const plainLine = (line: string) =>
  line
    .replace(/`[^`\n]{1,300}`/g, span => span.replace(/\s/g, BLANK))
    .replace(/"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|「[^」\n]{1,400}」|『[^』\n]{1,400}』/g, "“”")
    .replace(/\*\*|__|~~|^\s*#{1,6}\s/g, "")
    .replace(/[’]/g, "'")
    .replace(/\p{Extended_Pictographic}|\ufe0f|[✓✗]/gu, "")
    .trim();

/** As it was written; the beginning of a long one. */
export const saidWords = (text: string): string =>
  oneLine(text.replaceAll(BLANK, " ").replace(/(?<![.。:：!！；;])[.。:：!！；;]+$/, ""), 200);

/** The spans of code in a sentence, as they were written. */
export const spansIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span.replaceAll(BLANK, " "));
