/**
 * A person's message as sentences: what a list, a heading, code and CJK punctuation make of it. Fenced code and quoted lines
 * are passed over: they are not the person's own words.
 */

const FENCE = /^\s*(`{3,}|~{3,})/;
const QUOTE = /^\s*>/;
const HEADING = /^\s{0,3}#{1,6}\s+/;
const LIST_ITEM =
  /^\s*(?:[-*+•·]\s+|\(?\d{1,3}[.)]\s+|\d{1,3}[、．]\s*|\(?[a-z]\)\s+|[（(]?[一二三四五六七八九十]+[、．)）]\s*)/;
const CHECKBOX = /^\[[ xX]\]\s+/;
const LEAD_END = /[:：]\s*$/;
const LINE_END = /[.!?。！？…:：;；]["'”’」』）)\]]*$/;
const LINE_END_CHARACTERS = 50;

interface Block {
  text: string;
  isItem: boolean;
}

/** Whitespace of each is collapsed. An item below "Never:" is read with its lead: "Never: push to main". */
export function extractSentences(text: string): string[] {
  const sentences: string[] = [];
  let lead = "";
  for (const block of splitBlocks(text)) {
    if (!block.isItem) lead = LEAD_END.test(block.text) ? (splitSentences(block.text).at(-1) ?? "") : "";
    for (const sentence of splitSentences(block.text)) {
      if (block.isItem && lead) sentences.push(`${lead} ${sentence}`);
      else if (sentence !== lead) sentences.push(sentence);
    }
  }
  return sentences;
}

/** Lines that belong together: a list item, a heading, a paragraph that is wrapped. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  // Of the open block: it grows line by line, and looking at all of it each time would take too long.
  let end = "";
  for (const line of withoutCode(text.split(/\r\n|\r|\n/))) {
    const flat = line.replace(/\s+/g, " ").trim();
    if (flat === "" || QUOTE.test(line)) {
      open = undefined;
      continue;
    }
    const isItem = LIST_ITEM.test(line);
    if (!isItem && open && continuesBlock(end, line)) {
      open.text += ` ${flat}`;
      end = `${end} ${flat}`.slice(-LINE_END_CHARACTERS);
      continue;
    }
    open = {
      text: line
        .replace(isItem ? LIST_ITEM : HEADING, "")
        .replace(CHECKBOX, "")
        .replace(/\s+/g, " ")
        .trim(),
      isItem,
    };
    blocks.push(open);
    end = open.text;
    if (HEADING.test(line)) open = undefined;
  }
  return blocks;
}

/** A wrapped sentence: it has no end yet, and what follows begins as no new one does. */
function continuesBlock(before: string, line: string): boolean {
  return !LINE_END.test(before) && !HEADING.test(line) && /^\s*(?:\p{Ll}|[(`"'])/u.test(line);
}

/** -1: it is never closed. */
export function closingFence(lines: readonly string[], open: number, fence: string): number {
  for (let at = open + 1; at < lines.length; at += 1) if (lines[at]?.trim().startsWith(fence)) return at;
  return -1;
}

/** A fence that is never closed is no code: what follows it is text. */
function withoutCode(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    const fence = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      out.push(line);
      continue;
    }
    const end = closingFence(lines, i, fence);
    if (end > 0) i = end;
    out.push("");
  }
  return out;
}

/** A full stop after one of these ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s("'“])(?:e\.g|i\.e|eg|ie|vs|cf|approx|incl|excl|resp|fig|no|nr|mr|mrs|ms|dr|prof|inc|ltd|st|z\.b|d\.h|u\.a|bzw|[a-z])\.$/i;
const CLOSING = /["'”’」』）)\]*_]/;
/** No abbreviation, and no end of a sentence, is longer. */
const MAX_MARKS = 20;
const CJK_END = /[。！？]/;

/** @param block without line ends */
function splitSentences(block: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (let i = 0; i < block.length; i += 1) {
    if (block[i] === "`") {
      const close = block.indexOf("`", i + 1);
      if (close > 0) i = close;
      continue;
    }
    const end = sentenceEnd(block, i, start);
    if (end === undefined) continue;
    sentences.push(block.slice(start, end));
    start = end;
    i = end - 1;
  }
  sentences.push(block.slice(start));
  return sentences.map(sentence => sentence.trim()).filter(sentence => sentence !== "");
}

/** Where the sentence ends that has an end mark at `i`; undefined: it is none. */
function sentenceEnd(block: string, i: number, start: number): number | undefined {
  const mark = block[i] ?? "";
  if (!/[.!?。！？]/.test(mark)) return undefined;
  let end = i + 1;
  const most = Math.min(block.length, i + MAX_MARKS);
  while (end < most && /[.!?。！？]/.test(block[end] ?? "")) end += 1;
  while (end < most && CLOSING.test(block[end] ?? "")) end += 1;
  if (CJK_END.test(mark)) return end;
  // src/a.ts, 3.14, a?.b: no end without a space, but for Chinese that goes on at once.
  const after = block.slice(end, end + 1);
  if (after !== "" && after !== " ") return undefined;
  const next = block.slice(end).trimStart().slice(0, 1);
  const isLower = next !== "" && /\p{Ll}/u.test(next);
  const upToHere = block.slice(Math.max(start, i + 1 - MAX_MARKS), i + 1);
  if (mark === "." && ABBREVIATION.test(upToHere)) return undefined;
  if (isLower && (/\betc\.$/i.test(upToHere) || block.slice(i, i + 2) === "..")) return undefined;
  return end;
}
