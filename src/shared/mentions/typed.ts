/** The mention that is being typed (docs/context.md). Pure. */
import { mayBegin, unquote } from "./parse";

/** What a completion completes. Offsets are UTF-16. */
export interface TypedMention {
  /** of the `@` */
  start: number;
  /** of what a completion replaces: the mention's own text after the cursor goes too, a range stays */
  end: number;
  /** between `@` (and quote) and the cursor */
  query: string;
  quoted: boolean;
}

/** How far back from the cursor the `@` may stand. */
const REACH = 1000;

/**
 * The mention at the cursor of a composer: `@` and what follows it up to a blank, or up to the closing quote where it is
 * quoted. None after a letter or digit, and none once a line range is typed.
 */
export function mentionUnderCursor(text: string, offset: number): TypedMention | undefined {
  let at = Math.max(lastLineBreak(text, offset) + 1, offset - REACH);
  while (at < offset) {
    at = text.indexOf("@", at);
    if (at < 0 || at >= offset) return undefined;
    const found = mayBegin(text, at) ? typedFrom(text, at, offset) : at + 1;
    if (typeof found !== "number") return found;
    at = found;
  }
  return undefined;
}

/** The mention from that `@` on if the cursor is in it, else where to look for the next one. */
function typedFrom(text: string, at: number, offset: number): TypedMention | number {
  if (text[at + 1] === '"' && offset > at + 1) return quotedFrom(text, at, offset);
  const reached = runOf(text, at + 1, offset);
  if (reached < offset) return reached;
  const query = text.slice(at + 1, offset);
  if (/:\d+(?:-\d*)?$/.test(query)) return offset;
  return { start: at, end: endOfPlain(text, offset), query, quoted: false };
}

function quotedFrom(text: string, at: number, offset: number): TypedMention | number {
  const close = closingQuote(text, at + 2);
  if (close !== undefined && close < offset) return close + 1;
  const query = unquote(text.slice(at + 2, offset));
  const own = close !== undefined && belongs(text, offset, close);
  return { start: at, end: own ? close + 1 : offset, query, quoted: true };
}

/** The quote that ends what began before `from`, on the same line. */
function closingQuote(text: string, from: number): number | undefined {
  for (let at = from; at < text.length && at < from + 2 * REACH; at++) {
    const char = text[at];
    if (char === '"') return at;
    if (char === "\n" || char === "\r") return undefined;
    if (char === "\\") at++;
  }
  return undefined;
}

/** Whether that quote closes the mention, rather than opening something else after one that is not closed yet. */
function belongs(text: string, offset: number, close: number): boolean {
  if (close > offset && /\s/.test(text.charAt(close - 1))) return false;
  return !text.slice(offset, close).includes("@") && !/[\p{L}\p{N}]/u.test(text.charAt(close + 1));
}

/** Names may be typed without quotes whatever letters they have: the completion writes the quotes. */
function runOf(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && !/[\s"'`<>@,;!?|*]/.test(text.charAt(at))) at++;
  return at;
}

function endOfPlain(text: string, from: number): number {
  let end = from;
  while (end < text.length && end < from + REACH && /[a-zA-Z0-9/._-]/.test(text.charAt(end))) end++;
  while (end > from && /[.-]/.test(text.charAt(end - 1))) end--;
  return end;
}

const lastLineBreak = (text: string, offset: number): number =>
  offset === 0 ? -1 : Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1));
