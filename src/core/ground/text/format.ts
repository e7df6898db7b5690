/** How numbers, sizes, lines and the text of others are written, for models and people alike. Pure. */
import { markHidden, OWN_TAG } from "./hiddenText";

/** 1842 → "1,842" */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1 file", "3 files"; `many` for words that do not just take an s. */
export const counted = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

/** bytes → "812 B", "1.2 KB", "50 MB" */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  const digits = value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value);
  return `${digits} ${["B", "KB", "MB", "GB", "TB"][power]}`;
}

/** ms → "240 ms", "2.3 s", "3 min 5 s" */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A line as Read shows it: number to the right, tab, text. */
export const numberedLine = (line: number, text: string): string => `${line}\t${text}`;

/** At most `most` characters, the end cut with a note of how many are missing. */
export function clipEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = cutPoint(text, most);
  return `${text.slice(0, end)}… [${count(text.length - end)} more characters]`;
}

/** What `clipEnd` and `clipAround` leave where they cut. */
export const CUT_NOTE = /… \[[\d,]+ more characters\]|\[[\d,]+ characters\] …/;

/** `most` characters with those from `from` to `to` in the middle, both ends cut with notes of how many are missing. */
export function clipAround(text: string, { from, to }: { from: number; to: number }, most: number): string {
  if (text.length <= most) return text;
  // Of what does not fit, the beginning, with a little before it.
  const before = Math.max(Math.floor((most - (to - from)) / 2), Math.floor(most / 10));
  const start = cutPoint(text, Math.max(0, Math.min(from - before, text.length - most)));
  const left = start > 0 ? `[${count(start)} characters] …` : "";
  return left + clipEnd(text.slice(start), most);
}

/** One line of at most `most` characters: for digests and titles. */
export function oneLine(text: string, most: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= most ? flat : `${flat.slice(0, cutPoint(flat, most - 1))}…`;
}

/** The digest of a result: one line, at most 500 characters. */
export const digestLine = (text: string): string => oneLine(text, 500);

/** `obs:` and 12 characters: how a text names a stored output. */
export const toHandle = (sha256: string): string => `obs:${sha256.slice(0, 12)}`;

/** How a text tells the model to get a stored output. */
export const recallHint = (sha256: string): string => `Recall {"handle":"${toHandle(sha256)}"}`;

/** A place to cut at or before `at` that does not split a surrogate pair. */
export function cutPoint(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at;
}

/** Behind the last blank before `end`; 0: none. */
export function wordStart(text: string, end: number): number {
  let at = Math.min(end, text.length);
  while (at > 0 && !/\s/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/**
 * Text of others inside a text of ours, so that nothing in it speaks for Strata: Strata's own tags begin with ‹ instead of <, half
 * characters become U+FFFD, control characters go, hidden ones become marks (`markHidden`). All else stays, line ends too.
 * Idempotent.
 */
export const sanitizeText = (text: string): string =>
  markHidden(
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what goes
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u2028\u2029]/g, "")
      // After those: one inside of a tag would hide it.
      .replace(OWN_TAG, "‹"),
  );

/** For comparing: what differs in nothing but whitespace is the same. */
export const collapseWhitespace = (text: string): string => text.replace(/\s+/g, " ").trim();

/** ms since the epoch → "2026-11-22T10:05Z"; "an unknown time" for an invalid one. */
export function isoMinutes(ts: number): string {
  const date = new Date(ts);
  return Number.isNaN(date.getTime()) ? "an unknown time" : `${date.toISOString().slice(0, 16)}Z`;
}

/** As a Markdown code span, with any backticks. */
export function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map(run => run.length)) + 1);
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

/** Fills the `{{name}}` places of a prompt. @throws Error for a variable that is missing or was never asked for */
export function renderTemplate(template: string, variables: Record<string, string>): string {
  const used = new Set<string>();
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`prompt variable ${name} is missing`);
    used.add(name);
    return value;
  });
  const unknown = Object.keys(variables).filter(name => !used.has(name));
  if (unknown.length > 0) throw new Error(`prompt variable ${unknown.join(", ")} is not in the prompt`);
  return text.trim();
}

/** "10-40", "10", "10-" → 1-based first and last line; undefined: none. */
export function parseLines(text: string): { first: number; last: number } | undefined {
  const found = /^(\d{1,9})\s*(?:([-–])\s*(\d{1,9})?)?$/.exec(text.trim());
  if (!found) return undefined;
  const first = Number(found[1]);
  const last = found[3] !== undefined ? Number(found[3]) : found[2] ? Number.POSITIVE_INFINITY : first;
  return first >= 1 && last >= first ? { first, last } : undefined;
}

/** On one line, between marks that it has none of itself: nothing in it ends it, or looks like what a person said. */
export function othersWording(text: string, characters: number): string {
  const plain = collapseWhitespace(text.replace(/["“”„‟«»‹›*#`~]/g, " ")).trim();
  return `‹${plain.slice(0, cutPoint(plain, characters))}${plain.length > characters ? "…" : ""}›`;
}
