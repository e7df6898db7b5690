/**
 * A person's message in pieces: sentences, and blocks that are mostly not their own words: code, quoted lines, what was pasted.
 * Together the pieces are the message, verbatim but for whitespace.
 */
import { collapseWhitespace } from "./format";

const FENCE = /^\s*(`{3,}|~{3,})/;
const QUOTE = /^\s*>/;
const HEADING = /^\s{0,3}#{1,6}\s+/;
const LIST_ITEM =
  /^\s*(?:[-*+•·]\s+|\(?\d{1,3}[.)]\s+|\d{1,3}[、．]\s*|\(?[a-z]\)\s+|[（(]?[一二三四五六七八九十]+[、．)）]\s*)/;
const LEAD_END = /[:：]\s*$/;
const LINE_END = /[.!?。！？…:：;；]["'”’」』）)\]]*$/;
const LINE_END_CHARACTERS = 50;

export interface TextPiece {
  text: string;
  /** code, a quoted line, a log: somebody else may have written it */
  isForeign: boolean;
  /** place of the piece without which it says little: "Never:" above a list */
  lead?: number;
}

interface Block {
  text: string;
  kind: "item" | "prose" | "foreign";
}

export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let lead: number | undefined;
  for (const { text: block, kind } of splitBlocks(text)) {
    if (kind === "foreign") {
      pieces.push({ text: block, isForeign: true });
      continue;
    }
    if (kind === "prose") lead = undefined;
    for (const sentence of splitSentences(block))
      pieces.push({ text: sentence, isForeign: false, ...(kind === "item" && lead !== undefined ? { lead } : {}) });
    if (kind === "prose" && LEAD_END.test(block)) lead = pieces.length - 1;
  }
  return pieces;
}

/** Lines that belong together: a list item, a heading, a paragraph that is wrapped, code between fences. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  let open: Block | undefined;
  // Of the open block: it grows line by line, and looking at all of it each time would take too long.
  let end = "";
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const flat = collapseWhitespace(line);
    const pasted = pastedEnd(lines, at);
    if (pasted > at) {
      blocks.push({ text: collapseWhitespace(lines.slice(at, pasted).join(" ")), kind: "foreign" });
      at = pasted - 1;
      open = undefined;
      continue;
    }
    const fence = FENCE.exec(line)?.[1];
    // A fence that is never closed is no code: what follows it is text.
    const close = fence === undefined ? -1 : closingFence(lines, at, fence);
    if (close > 0) {
      blocks.push({ text: collapseWhitespace(lines.slice(at, close + 1).join(" ")), kind: "foreign" });
      at = close;
      open = undefined;
    } else if (flat === "") open = undefined;
    else if (QUOTE.test(line)) {
      blocks.push({ text: flat, kind: "foreign" });
      open = undefined;
    } else if (open && !LIST_ITEM.test(line) && continuesBlock(end, line)) {
      open.text += ` ${flat}`;
      end = `${end} ${flat}`.slice(-LINE_END_CHARACTERS);
    } else {
      open = { text: flat, kind: LIST_ITEM.test(line) ? "item" : "prose" };
      blocks.push(open);
      end = flat;
      if (HEADING.test(line)) open = undefined;
    }
  }
  return blocks;
}

/** Nobody types so many lines without a blank one, most of them with signs of code or numbers in them. */
const PASTED_LINES = 10;
const PASTED_SHARE = 0.6;
const CODE_SIGN = /[\d{}()[\]=<>;_/\\|]/;

/** Behind the last line of what was pasted from `from` on; `from`: nothing was. The lines around it may be about it. */
function pastedEnd(lines: readonly string[], from: number): number {
  const isApart = (line: string) => line.trim() === "" || LIST_ITEM.test(line) || FENCE.test(line) || QUOTE.test(line);
  // The first line of the run is none of it.
  if (from < 1 || isApart(lines[from - 1] ?? "") || (from > 1 && !isApart(lines[from - 2] ?? ""))) return from;
  let end = from;
  while (end < lines.length && !isApart(lines[end] ?? "")) end += 1;
  const run = lines.slice(from, end - 1);
  const isPasted =
    run.length >= PASTED_LINES && run.filter(line => CODE_SIGN.test(line)).length >= PASTED_SHARE * run.length;
  return isPasted ? end - 1 : from;
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
