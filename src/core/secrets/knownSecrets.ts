/** The secrets that are known by value: what `.env` files and the environment hold under names that look secret. */
import type { NamedValue } from "../ground/ports";
import { findPrivateKeys } from "../ground/text/privateKeys";
import { looksRandom, looksSecret, MIN_SECRET_LENGTH } from "./looksSecret";
import { type Letters, lettersOf, reading } from "./readings";

// The placeholder of a secret: `[secret:<name>:<12 hex digits of a keyed hash>]`.

const one = "\\[secret:[A-Za-z0-9_-]+:[0-9a-f]{12}\\]";

export const placeholder = {
  all: new RegExp(one, "g"),
  /** `split` by it gives texts and placeholders in turn */
  split: new RegExp(`(${one})`),
  nameIn: (mark: string): string => mark.split(":")[1] ?? "",
};

/** The text has a placeholder, known to this process or not. */
export const namesSecret = (text: string): boolean => placeholder.split.test(text);

export const createPlaceholder = (name: string, keyedHash: string): string =>
  `[secret:${name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) || "value"}:${keyedHash.slice(0, 12)}]`;

/** Only grows: a value that a command has just replaced in its file may still be in what the command printed. */
export class KnownSecrets {
  /** by value; the first name counts, so that a secret reads the same from turn to turn */
  private readonly values = new Map<string, { name: string; mark: string }>();
  private find: ((text: string) => WordHit[]) | undefined;
  private letters: Letters = new Uint8Array();

  constructor(private readonly markOf: (name: string, value: string) => string) {}

  get size(): number {
    return this.values.size;
  }

  /** @param least characters of a secret */
  add(entries: readonly NamedValue[], least?: number): void {
    for (const entry of entries) this.addParts(entry.name, pieces(entry, least));
  }

  /** Each unchanged. */
  addParts(name: string, values: readonly string[]): void {
    for (const value of values) if (!this.values.has(value)) this.put(name, this.markOf(name, value), value);
  }

  /** A placeholder's secret was put into a file: from now on it is hidden in every context. */
  hold(mark: string, value: string): void {
    const isLine = value.length >= MIN_SECRET_LENGTH && !/[\r\n]/.test(value);
    if (isLine && !this.values.has(value)) this.put(placeholder.nameIn(mark), mark, value);
  }

  private put(name: string, mark: string, value: string): void {
    this.values.set(value, { name, mark });
    this.find = undefined;
  }

  /** `seen` gets each placeholder that takes a value's place. Placeholders that stand in the text stay. */
  redact(text: string, seen: (mark: string, value: string) => void): string {
    if (this.values.size === 0) return text;
    if (!text.includes("[secret:")) return this.replace(text, this.hits(text), seen);
    return text
      .split(placeholder.split)
      .map((part, index) => (index % 2 === 1 ? part : this.replace(part, this.hits(part), seen)))
      .join("");
  }

  /** In the text, and in the text without the escapes of tools. */
  private hits(text: string, depth = 0): WordHit[] {
    const find = this.find ?? this.finder();
    const found = find(text);
    const read = depth < MAX_DEPTH ? reading(text, this.letters) : undefined;
    if (!read) return found;
    const more = this.hits(read.text, depth + 1);
    return apart([
      ...found,
      ...more.map(({ start, end, word }) => ({ start: read.startOf(start), end: read.endOf(end), word })),
    ]);
  }

  private finder(): (text: string) => WordHit[] {
    this.letters = lettersOf(this.values.keys());
    this.find = findAny([...this.values.keys()]);
    return this.find;
  }

  /** Where a value with blanks in it begins that the text ends within; undefined: none does. */
  openAt(text: string): number | undefined {
    const starts = [...this.values.keys()].flatMap(value => {
      if (!/\s/.test(value)) return [];
      const tail = text.slice(Math.max(0, text.length - value.length + 1));
      for (let at = 0; at < tail.length; at += 1) {
        if (value.startsWith(tail.slice(at))) return [text.length - tail.length + at];
      }
      return [];
    });
    return starts.length > 0 ? Math.min(...starts) : undefined;
  }

  private replace(text: string, found: readonly WordHit[], seen: (mark: string, value: string) => void): string {
    return replaceSpans(text, found, (value, { word }) => {
      const of = this.values.get(word);
      const mark = of && value === word ? of.mark : this.markOf(of?.name ?? "", value);
      seen(mark, value);
      return mark;
    });
  }
}

/** @param spans from left to right, not overlapping */
export function replaceSpans<S extends { start: number; end: number }>(
  text: string,
  spans: readonly S[],
  mark: (found: string, span: S) => string,
): string {
  let replaced = "";
  let at = 0;
  for (const span of spans) {
    replaced += text.slice(at, span.start) + mark(text.slice(span.start, span.end), span);
    at = span.end;
  }
  return replaced + text.slice(at);
}

/** So often what tools wrote in one way they write in another: JSON in an address. */
const MAX_DEPTH = 2;

/** From left to right; of those that overlap the first, of several at one place the longest. */
function apart(hits: readonly WordHit[]): WordHit[] {
  let end = 0;
  return hits
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(hit => {
      const isFree = hit.start >= end;
      if (isFree) end = hit.end;
      return isFree;
    });
}

/**
 * How a value is looked for: whole, also as JSON writes it; JSON and what goes over several lines also, or only, by its words, since tools put
 * numbers before lines, indent them, and pass them on one by one. (Private keys in it: privateKeys.ts.)
 */
function pieces({ name, value }: NamedValue, least?: number): string[] {
  const text = value.trim();
  if (!looksSecret({ name, value: text }, least)) return [];
  const whole = /[\r\n]/.test(text) ? [] : [...new Set([text, JSON.stringify(text).slice(1, -1), ...encoded(text)])];
  if (whole.length > 0 && !/^[[{]/.test(text)) return whole;
  return [
    ...whole,
    ...withoutKeys(text)
      .split(/[\s"'`,;:(){}[\]]+/)
      .filter(looksRandom),
  ];
}

/** Longer ones are documents, which are not passed on in an address or a header. */
const MAX_ENCODED = 1_024;

/** A value as a command passes it on: as bytes, in hex, in base64 wherever it begins there (`user:password`), in base64 of that. */
function encoded(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  if (bytes.length < MIN_SECRET_LENGTH || bytes.length > MAX_ENCODED) return [];
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
  const text = String.fromCharCode(...bytes);
  const base64 = inBase64(text);
  const all = [...base64, ...base64.flatMap(inBase64)];
  return [text, hex, hex.toUpperCase(), ...all, ...all.map(each => each.replaceAll("+", "-").replaceAll("/", "_"))];
}

/** Of three places where it may begin what no neighbour has a part in. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map(before => {
    const shifted = btoa("\0".repeat(before) + text);
    return shifted.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
  });

const withoutKeys = (text: string) =>
  findPrivateKeys(text).reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);

// Many words in a long text at once.

type WordHit = { start: number; end: number; word: string };

const BLOCK = 3;
const TABLE = 1 << 16;
/** No window is longer, so that the beginning of a word is found that a cut left. */
const WINDOW = 16;

/**
 * Finds words by the algorithm of Wu and Manber: three characters at the end of a window tell how far the window can move
 * on, so that most of the text is never looked at. (A regular expression of 200 alternatives tries them at every place.)
 * @param words each at least 3 characters long
 * @returns for a text: where they stand, from left to right, not overlapping; of several at one place the longest. A word
 *   that was cut off is found too: its beginning, at least as long as the shortest word, before an ellipsis; at the end of a
 *   line where it is half of the word, and no word of a language.
 */
export function findAny(words: readonly string[]): (text: string) => WordHit[] {
  const window = Math.min(WINDOW, ...words.map(word => word.length));
  const distance = new Uint8Array(TABLE).fill(window - BLOCK + 1);
  /** by the last characters of the window */
  const candidates = new Map<number, string[]>();
  for (const word of words) {
    for (let end = BLOCK - 1; end < window; end += 1) {
      const block = blockAt(word, end);
      distance[block] = Math.min(distance[block] ?? 0, window - 1 - end);
    }
    const last = blockAt(word, window - 1);
    candidates.set(last, [...(candidates.get(last) ?? []), word]);
  }
  return text => {
    const found: WordHit[] = [];
    for (let end = window - 1; end < text.length; ) {
      const block = blockAt(text, end);
      const far = distance[block] ?? 0;
      const hit = far === 0 ? longestAt(text, end - window + 1, candidates.get(block) ?? [], window) : undefined;
      if (hit) found.push(hit);
      end = hit ? hit.end + window - 1 : end + Math.max(1, far);
    }
    return found;
  };
}

const blockAt = (text: string, end: number) =>
  (text.charCodeAt(end - 2) * 961 + text.charCodeAt(end - 1) * 31 + text.charCodeAt(end)) & (TABLE - 1);

function isCutOff(word: string, length: number, next: string | undefined): boolean {
  if (next === "…") return true;
  const isEnd = next === undefined || next === "\n" || next === "\r";
  return isEnd && length * 2 >= word.length && looksRandom(word.slice(0, length));
}

function longestAt(text: string, start: number, words: readonly string[], window: number): WordHit | undefined {
  let best: WordHit | undefined;
  for (const word of words) {
    let length = 0;
    while (length < word.length && word[length] === text[start + length]) length += 1;
    const isHit = length === word.length || (length >= window && isCutOff(word, length, text[start + length]));
    if (isHit && start + length > (best?.end ?? 0)) best = { start, end: start + length, word };
  }
  return best;
}
