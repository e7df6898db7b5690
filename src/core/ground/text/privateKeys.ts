/**
 * Private keys in PEM form, of SSH2 and of PuTTY, as they come along in texts: whole, with line numbers in front (Read, Grep),
 * quoted in code, on one line with `\n` written out, or cut off before their end (a limit, `head`).
 */
import { countLineEnds, withLf } from "./lines";

interface PrivateKey {
  /** UTF-16 offsets: from the B of BEGIN's dashes to behind END, or behind the last line that is still of the key */
  start: number;
  end: number;
  whole: boolean;
}

const BEGINNINGS = ["-----BEGIN ", "---- BEGIN SSH2 ", "Private-Lines:"];
const BEGIN =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|Private-Lines: {0,4}\d{1,4}/g;
const END =
  /-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|Private-MAC: {0,4}[0-9a-f]{40,64}/;
/** No key is longer (characters); an END beyond belongs to something else. */
const MAX_KEY = 32 * 1024;
/** characters of a short line, with what stands around it */
const MAX_LINE = 512;
/** `   12\t` (Read), `12:` and `a/b.pem-12-` (Grep) */
const NUMBER = /^(?:\S*?[:-])?\s*\d+[\t:-]/;

/** Most texts do not: what begins with a rare letter is looked for at once. */
const mayHaveKey = (text: string): boolean => text.includes("BEGIN ") || text.includes("Private-Lines:");

/** Sorted, not overlapping. A BEGIN that no key follows (code that looks for one) is none. */
export function findPrivateKeys(text: string): PrivateKey[] {
  if (!mayHaveKey(text)) return [];
  const begins = [...text.matchAll(BEGIN)];
  return begins.flatMap((begin, index): PrivateKey[] => {
    const bodyStart = begin.index + begin[0].length;
    const rest = text.slice(bodyStart, Math.min(begins[index + 1]?.index ?? text.length, bodyStart + MAX_KEY));
    const end = END.exec(rest);
    if (end && rest.slice(0, end.index).split("\n").some(isKey))
      return [{ start: begin.index, end: bodyStart + end.index + end[0].length, whole: true }];
    const length = keyLines(rest);
    return length > 0 ? [{ start: begin.index, end: bodyStart + length, whole: false }] : [];
  });
}

/** Where a private key begins whose END has not come; undefined: nowhere. */
export function openKeyAt(text: string): number | undefined {
  if (!mayHaveKey(text)) return undefined;
  const begin = Math.max(...BEGINNINGS.map(begins => text.lastIndexOf(begins)));
  if (begin < 0) return undefined;
  const rest = text.slice(begin);
  const heading = /^-----? ?BEGIN [^-\n]*----/.exec(rest);
  if (heading && !heading[0].includes("PRIVATE KEY")) return undefined;
  return END.test(rest) ? undefined : begin;
}

/** A text that was redacted as a whole and then cut may have a part of a key: one of its ends, here, without the other. */
export const holdsEndOfKey = (text: string) => /PRIVATE KEY(?: BLOCK)? ?----|Private-(?:Lines|MAC):/.test(text);

/** What could be the inner line of a private key, if it stood in one: base64, perhaps quoted, and nothing else. */
export const looksLikeKeyLine = (line: string): boolean =>
  /^[\s"'`>|#*/-]{0,32}[A-Za-z0-9+/=]{24,160}(?:\\[nr]|["'`,;+\s\\]){0,16}$/.test(line);

/** A line as wide as those of keys (PEM 64, OpenSSH 70, PuTTY 64), whatever stands before it. */
export const hasKeyWidth = (text: string): boolean =>
  /(?:^|[^A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70})(?:\\n|[\s"',;]|$)/.test(text);

/** The lines of the private keys in a text, bare: also one alone, without what tells that it is of a key, can be known then. */
export function privateKeyParts(text: string): string[] {
  const keys = findPrivateKeys(text).map(({ start, end }) => withoutNumbers(text.slice(start, end)));
  return keys.flatMap(key => key.replace(/\\[nr]/g, " ").match(/[A-Za-z0-9+/=]{12,}/g) ?? []);
}

/** A key without the numbers that a tool put in front of its lines: what is the same wherever it is shown. */
export const withoutNumbers = (key: string): string =>
  key
    .split("\n")
    .map(line => line.replace(NUMBER, ""))
    .join("\n");

/** How many characters from the start on are lines of a key. */
function keyLines(rest: string): number {
  let at = 0;
  let length = 0;
  let seen: KeyLineKind = "blank";
  for (const line of rest.split("\n")) {
    const kind = lineKind(line);
    if (kind === "other" || (kind === "header" && seen !== "blank")) break;
    if (kind === "long" || kind === "short") {
      length = at + line.length;
      // The last line of a key is its only short one.
      if (kind === "short" && seen === "long") break;
      seen = kind;
    }
    at += line.length + 1;
  }
  return length;
}

type KeyLineKind = "long" | "short" | "header" | "blank" | "other";

function lineKind(line: string): KeyLineKind {
  const bare = line.replace(NUMBER, "");
  if (/[A-Za-z0-9+/=]{24}/.test(bare)) return "long";
  const words = bare.replace(/\\[nr]/g, " ");
  if (/^[^A-Za-z0-9]*$/.test(words)) return "blank";
  // Around it at most what quotes and indents a line: `.replace(` is code.
  if (words.length <= MAX_LINE && /^[\s"'`,;>|#*]*[A-Za-z0-9+/=]{4,}[\s"'`+,;\\]*$/.test(words)) return "short";
  return /^[A-Z][A-Za-z-]+: /.test(bare) ? "header" : "other";
}

const isKey = (line: string) => ["long", "short"].includes(lineKind(line));

export const KEY_LINE = "[line of a private key]";

/**
 * The lines (1-based) on which a private key of several lines stands. An excerpt that begins behind the first one cannot be
 * told from other text: so they are found in the whole text, before anything of it is shown.
 */
export function privateKeyLines(text: string): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const { start, end } of findPrivateKeys(text)) {
    const [first, last] = [start, end].map(offset => countLineEnds(withLf(text.slice(0, offset))) + 1) as [
      number,
      number,
    ];
    for (let line = first; line <= last && first < last; line += 1) lines.add(line);
  }
  return lines;
}
