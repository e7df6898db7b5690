/**
 * A person's message in pieces: sentences, and blocks that are mostly not their own words: code, quoted lines, what was pasted.
 * Together the pieces are the message, verbatim but for whitespace.
 */
import { collapseWhitespace, cutPoint } from "./format";

const FENCE = /^\s*(`{3,}|~{3,})/;
const QUOTE = /^\s*>/;
const HEADING = /^\s{0,3}#{1,6}\s+/;
const LIST_ITEM =
  /^\s*(?:[-*+•·]\s+|\(?\d{1,3}[.)]\s+|\d{1,3}[、．]\s*|\(?[a-z]\)\s+|[（(]?[一二三四五六七八九十]+[、．)）]\s*)/;
const TABLE_ROW = /^\s*\|/;
const LEAD_END = /[:：]\s*$/;
/** Ends of sentences in Latin, Greek, CJK, Indic, Arabic, Armenian, Ethiopic, Khmer and Burmese script. */
const END = /[.!?。！？｡।॥؟۔։።។။]/;
const LINE_END = /[.!?。！？｡।॥؟۔։።។။…:：;；]["'”’」』）)\]]*$/;
const LINE_END_CHARACTERS = 50;

interface TextPiece {
  text: string;
  /** Somebody else may have written it: `block` is code or a log, `line` a quoted line, or one amid a log that is unlike the others. */
  foreign?: "block" | "line" | undefined;
  /** place of the piece without which it says little: "Never:" above a list */
  lead?: number | undefined;
}

interface TextBlock {
  text: string;
  kind: "item" | "prose" | "block" | "line";
}

export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let lead: number | undefined;
  for (const { text: block, kind } of splitBlocks(text)) {
    if (kind === "block" || kind === "line") {
      pieces.push({ text: block, foreign: kind });
      continue;
    }
    if (kind === "prose") lead = undefined;
    for (const sentence of splitSentences(block).flatMap(splitLong))
      pieces.push({ text: sentence, ...(kind === "item" && lead !== undefined ? { lead } : {}) });
    if (kind === "prose" && LEAD_END.test(block)) lead = pieces.length - 1;
  }
  return pieces;
}

/** Lines that belong together: a list item, a heading, a paragraph that is wrapped, code between fences. */
function splitBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  let open: TextBlock | undefined;
  // Of the open block: it grows line by line, and looking at all of it each time would take too long.
  let end = "";
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const flat = collapseWhitespace(line);
    const pasted = pastedEnd(lines, at);
    if (pasted > at) {
      blocks.push(...pastedBlocks(lines.slice(at, pasted)));
      at = pasted - 1;
      open = undefined;
      continue;
    }
    const fence = FENCE.exec(line)?.[1];
    // A fence that is never closed is no code: what follows it is text.
    const close = fence === undefined ? -1 : closingFence(lines, at, fence);
    if (close > 0) {
      blocks.push({ text: collapseWhitespace(lines.slice(at, close + 1).join(" ")), kind: "block" });
      at = close;
      open = undefined;
    } else if (flat === "") open = undefined;
    else if (QUOTE.test(line)) {
      blocks.push({ text: flat, kind: "line" });
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
/** More lines than that are what such a text is made of. */
const ODD_SHARE = 0.1;
const CODE_SIGN = /[{}()[\]=<>;_/\\|]|^\s*\d/;

/**
 * Behind the last line of what was pasted from `from` on; `from`: nothing was. The first and the last line of the run are none of it
 * where they look otherwise: they may be about it. Code goes on behind a blank line.
 */
function pastedEnd(lines: readonly string[], from: number): number {
  const at = (place: number) => lines[place] ?? "";
  const isAlike = (place: number) => shapeOf(at(place)) === shapeOf(at(place + 1));
  const isPart = (place: number) => isAlike(place) || isCodeLine(at(place));
  const begins = (place: number) => !isApart(at(place)) && isApart(at(place - 1));
  if (!(begins(from) ? isPart(from) : begins(from - 1) && !isPart(from - 1))) return from;
  const runEnd = (start: number) => {
    let end = start;
    while (end < lines.length && !isApart(at(end))) end += 1;
    return end;
  };
  const said = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, place) => start + place).filter(place => at(place).trim() !== "");
  const isMostly = (places: readonly number[], is: (place: number) => boolean) =>
    places.filter(is).length >= PASTED_SHARE * places.length;
  const isCodeRun = (start: number, end: number) => isMostly(said(start, end), place => isCodeLine(at(place)));
  let end = runEnd(from);
  for (let next = end, last = from; next < lines.length && isCodeRun(last, end); ) {
    while (next < lines.length && at(next).trim() === "") next += 1;
    const nextEnd = runEnd(next);
    if (next === end || nextEnd === next || !isCodeRun(next, nextEnd)) break;
    [last, end, next] = [next, nextEnd, nextEnd];
  }
  if (!isAlike(end - 2) && !isCodeLine(at(end - 1))) end -= 1;
  // A number alone is no code: people write such lines; a machine writes many that are alike.
  const isCode = (place: number) => CODE_SIGN.test(at(place)) || (/\d/.test(at(place)) && isAlike(place));
  const run = said(from, end);
  return run.length >= PASTED_LINES && isMostly(run, isCode) ? end : from;
}

/** An item of a list is, a line of a diff or of a comment in code is none. */
const isApart = (line: string): boolean =>
  line.trim() === "" ||
  (LIST_ITEM.test(line) && !LISTED_CODE.test(line)) ||
  [FENCE, QUOTE, TABLE_ROW].some(start => start.test(line));

const LISTED_CODE = /^\s+\*\s|^[-+]\s.*[;{}()[\],>]\s*$/;

/** With signs of code, and not a sentence that names some. */
const isCodeLine = (line: string): boolean =>
  CODE_SIGN.test(line) && (CODE_START.test(line) || plainWords(line) < PLAIN_WORDS);

const CODE_START = /^\s*(?:\/\/|\/?\*|#!)/;

/** How a line begins, whatever its words and numbers are. */
const shapeOf = (line: string): string =>
  line
    .trim()
    .slice(0, 40)
    .replace(/\p{Nd}+/gu, "0")
    .replace(/[\p{L}\p{M}]+/gu, "a")
    .slice(0, 12);

/** A word with letters alone, or with its punctuation. */
const PLAIN_WORD = /^["'“„(]?\p{L}[\p{L}\p{M}'’-]*[,.;:!?)"”]*$/u;
const PLAIN_WORDS = 4;

const plainWords = (line: string): number =>
  line
    .trim()
    .split(/\s+/)
    .filter(word => PLAIN_WORD.test(word)).length;

/** What was pasted, and lines in it that are words where the others are none: people write between them. */
function pastedBlocks(lines: readonly string[]): TextBlock[] {
  const isOdd = lines.map(line => !CODE_SIGN.test(line) && plainWords(line) >= PLAIN_WORDS);
  const odd = lines.filter((_, at) => isOdd[at]);
  const isRare = odd.length <= ODD_SHARE * lines.length;
  const rest = lines.filter((_, at) => !(isRare && isOdd[at]));
  return [
    { text: collapseWhitespace(rest.join(" ")), kind: "block" },
    ...(isRare ? odd.map((line): TextBlock => ({ text: collapseWhitespace(line), kind: "line" })) : []),
  ];
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
/** Behind these a sentence goes on without a blank. */
const CLOSE_END = /[。！？｡។။]/;
/** A sentence that is longer is cut: its end may be what matters. */
const LONG = 400;
/** No part of it is shorter. */
const SHORT = 150;

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

/** Behind a comma, or else at a blank, where there is one. */
function splitLong(sentence: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (sentence.length - start > LONG) {
    const most = sentence.slice(start, start + LONG);
    const ends = [/^.*(?:[，、；：]|[,;:،؛](?=\s))/su, /^.*(?=\s)/su].map(end => end.exec(most)?.[0].length ?? 0);
    const length = ends.find(end => end >= SHORT) ?? cutPoint(most, LONG);
    parts.push(most.slice(0, length));
    start += length;
  }
  return [...parts, sentence.slice(start)].map(part => part.trim()).filter(part => part !== "");
}

/** Where the sentence ends that has an end mark at `i`; undefined: it is none. */
function sentenceEnd(block: string, i: number, start: number): number | undefined {
  const mark = block[i] ?? "";
  if (!END.test(mark)) return undefined;
  let end = i + 1;
  const most = Math.min(block.length, i + MAX_MARKS);
  while (end < most && END.test(block[end] ?? "")) end += 1;
  while (end < most && CLOSING.test(block[end] ?? "")) end += 1;
  if (CLOSE_END.test(mark)) return end;
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
