/** Rules that most languages share: comments, strings, characters. */
import { after, atColumnZero, atLineStart, closingBrackets, lineEnd, type Rule, readInserted } from "./scan";

/** Where a line comment's mark counts. */
export type Place = "anywhere" | "line start" | "column 0" | "after blank";

/** A comment to the end of its line. @param unless what looks like the mark there is none */
export function line(mark: string, place: Place = "anywhere", unless?: (text: string, at: number) => boolean): Rule {
  return {
    first: mark.charAt(0),
    read({ text, comments }, at) {
      if (!text.startsWith(mark, at) || !stands(text, at, place) || unless?.(text, at)) return at;
      const end = lineEnd(text, at);
      comments.push({ start: at, end, line: true });
      return Math.max(end, at + mark.length);
    },
  };
}

function stands(text: string, at: number, place: Place): boolean {
  if (place === "line start") return atLineStart(text, at);
  if (place === "column 0") return atColumnZero(text, at);
  if (place === "after blank") return at === 0 || /[\s;&|()]/.test(text.charAt(at - 1));
  return true;
}

/** A comment up to the next closing mark, or to the end of the text. */
export function block(open: string, close: string, place: Place = "anywhere"): Rule {
  return {
    first: open.charAt(0),
    read({ text, comments }, at) {
      if (!text.startsWith(open, at) || !stands(text, at, place)) return at;
      const end = after(text, close, at + open.length);
      comments.push({ start: at, end, line: false });
      return end;
    },
  };
}

/** A block comment that may hold others of its kind. */
export function nested(open: string, close: string): Rule {
  return {
    first: open.charAt(0),
    read({ text, comments }, at) {
      if (!text.startsWith(open, at)) return at;
      let depth = 1;
      let end = at + open.length;
      while (depth > 0 && end < text.length) {
        if (text.startsWith(open, end)) {
          depth++;
          end += open.length;
        } else if (text.startsWith(close, end)) {
          depth--;
          end += close.length;
        } else end++;
      }
      comments.push({ start: at, end, line: false });
      return end;
    },
  };
}

export interface Quoting {
  /** what ends it, if not what begins it */
  close?: string;
  /** takes its meaning from the character after it; "" for none */
  escape?: string;
  /** the closing mark written twice stands for itself */
  doubled?: boolean;
  /** goes on over the end of a line */
  lines?: boolean;
  /** begins only where this says so */
  when?: (text: string, at: number) => boolean;
  /** code in it: what opens it (`${`), which ends with the bracket that closes the last character of it */
  inserted?: string;
}

/** A string. One that is not closed ends with its line, or with the text if it may have several lines. */
export function quoted(open: string, how: Quoting = {}): Rule {
  const { close = open, escape: escaping = "\\", doubled = false, lines = false, when, inserted } = how;
  return {
    first: open.charAt(0),
    read(scan, at) {
      const { text } = scan;
      if (!text.startsWith(open, at) || (when && !when(text, at))) return at;
      let end = at + open.length;
      while (end < text.length) {
        const char = text.charAt(end);
        if (inserted && text.startsWith(inserted, end)) {
          const bracket = inserted.slice(-1);
          end = readInserted(scan, end + inserted.length, bracket, closingBrackets[bracket]);
        } else if (escaping !== "" && char === escaping) end += 2;
        else if (!lines && char === "\n") return end;
        else if (text.startsWith(close, end)) {
          end += close.length;
          if (!doubled || !text.startsWith(close, end)) return end;
          end += close.length;
        } else end++;
      }
      return text.length;
    },
  };
}

/** `'a'`, `'\n'`, `'\u{1F600}'`: a character; anything else after the mark is none (`'static`, `1'000`). */
export function character(mark = "'"): Rule {
  return {
    first: mark,
    read({ text }, at) {
      if (/[\p{L}\p{N}_]/u.test(text.charAt(at - 1))) return at;
      if (text[at + 1] === "\\") {
        const end = text.indexOf(mark, at + 3);
        return end > 0 && end <= at + 14 && !text.slice(at, end).includes("\n") ? end + 1 : at;
      }
      const wide = (text.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1;
      return text[at + 1 + wide] === mark && text[at + 1] !== "\n" ? at + 2 + wide : at;
    },
  };
}

export const single = quoted("'");
export const double = quoted('"');
/** `''` and `""` as SQL and its relatives have them. */
export const singleDoubled = quoted("'", { escape: "", doubled: true, lines: true });
export const doubleDoubled = quoted('"', { escape: "", doubled: true, lines: true });
export const triple = quoted('"""', { lines: true });
export const tripleSingle = quoted("'''", { lines: true });
