/**
 * Decodes a command's output. Mostly UTF-8; other lines are decoded in their own encoding, so that mixed output stays
 * readable. Binary data is counted and named. The result does not depend on how the output is chunked.
 */
import { count } from "./format";

/** The encoding that bytes are in, a name that `TextDecoder` knows; undefined: nobody can tell. */
export type EncodingOf = (bytes: Uint8Array) => Promise<string | undefined>;

/** bytes of a line that are held back for its end */
const MAX_HELD = 64 * 1024;
/** bytes that tell whether a chunk is text */
const SAMPLE = 8 * 1024;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const BOM = "\uFEFF";
const NONE = new Uint8Array(0);

export class OutputDecoder {
  /** the encodings that lines were read in, beside UTF-8; "" for none that is known */
  private readonly readAs = new Set<string>();
  private held: Uint8Array = NONE;
  private utf16: TextDecoder | undefined;
  private reader: TextDecoder | undefined;
  /** bytes of what is no text, right before now */
  private skipped = 0;
  private kind = "";
  private hasSkipped = false;
  private isFirst = true;
  private endsLine = true;

  constructor(private readonly encodingOf: EncodingOf = async () => undefined) {}

  /** Every character stands for the bytes that were printed, in UTF-8. */
  get isExact(): boolean {
    return this.readAs.size === 0 && !this.utf16 && !this.hasSkipped;
  }

  /** What is to be said of it: sentences. */
  get notes(): string[] {
    const known = [...this.readAs].filter(name => name !== "");
    return [
      ...(known.length > 0 ? [`Of the output, what is no UTF-8 was read as ${known.join(" and ")}.`] : []),
      ...(this.readAs.has("")
        ? ["Bytes of the output that are no UTF-8, in no encoding that is known, are shown as \\xNN."]
        : []),
      ...(this.utf16 ? ["The output is UTF-16, and was read as that."] : []),
    ];
  }

  /** At once where it is UTF-8, as nearly all output is. */
  push(chunk: Uint8Array): string | Promise<string> {
    const bytes = this.held.length === 0 ? chunk : joined(this.held, chunk);
    this.held = NONE;
    if (this.isFirst && bytes.length < 2) return this.hold(bytes);
    if (this.isFirst) this.utf16 = utf16Of(bytes);
    const read = this.plain(bytes);
    const text = this.isFirst && read?.startsWith(BOM) ? read.slice(1) : read;
    this.isFirst = false;
    return text === undefined ? this.other(bytes) : this.note(text);
  }

  /** No more comes. */
  end(): string | Promise<string> {
    const bytes = this.held;
    this.held = NONE;
    if (this.utf16) return this.note(this.utf16.decode());
    if (bytes.length === 0) return this.endSkipped();
    if (!this.reader && wholeCharacters(bytes) === 0) return this.cut(bytes);
    return this.lines(bytes, true).then(rest => this.endSkipped() + this.note(rest));
  }

  /** The beginning of a character, at the end. */
  private cut(bytes: Uint8Array): string {
    this.readAs.add("");
    return this.endSkipped() + this.note(escaped(bytes, true));
  }

  private hold(bytes: Uint8Array): string {
    // What comes in is used again by whoever gave it.
    this.held = bytes.slice();
    return "";
  }

  /** undefined: it is not all UTF-8 text */
  private plain(bytes: Uint8Array): string | undefined {
    if (this.utf16) return this.utf16.decode(bytes, { stream: true });
    const end = wholeCharacters(bytes);
    const text = utf8(bytes.subarray(0, end));
    if (text === undefined || (this.skipped > 0 ? hasOddCharacters(bytes) : isNoText(bytes, text))) return undefined;
    this.hold(bytes.subarray(end));
    return this.endSkipped() + text;
  }

  private async other(bytes: Uint8Array): Promise<string> {
    const text = utf8(bytes.subarray(0, wholeCharacters(bytes)));
    if (this.skipped > 0 || isNoText(bytes, text)) return this.note(await this.skip(bytes));
    return this.note(await this.lines(bytes, false));
  }

  /** Not all of it is UTF-8: each line is in one encoding. */
  private async lines(bytes: Uint8Array, isEnd: boolean): Promise<string> {
    const parts: string[] = [];
    for (let start = 0; start < bytes.length; ) {
      const at = bytes.indexOf(10, start);
      const line = bytes.subarray(start, at < 0 ? bytes.length : at + 1);
      if (at < 0 && !isEnd && line.length < MAX_HELD) {
        this.hold(line);
        break;
      }
      parts.push(utf8(line) ?? (await this.line(line, bytes)));
      start += line.length;
    }
    return parts.join("");
  }

  /** @param around more of the same kind, as far as it is there: one line may tell too little */
  private async line(line: Uint8Array, around: Uint8Array): Promise<string> {
    const known = this.reader && readWith(this.reader, line);
    if (known !== undefined) return known;
    const isDamaged = isDamagedUtf8(line);
    if (!isDamaged) {
      for (const encoding of [await this.encodingOf(around), await this.encodingOf(line)]) {
        const reader = encoding === undefined ? undefined : readerOf(encoding);
        const text = reader && readWith(reader, line);
        if (text === undefined || encoding === undefined) continue;
        this.reader = reader;
        this.readAs.add(encoding);
        return text;
      }
    }
    this.readAs.add("");
    return escaped(line, isDamaged);
  }

  private async skip(bytes: Uint8Array): Promise<string> {
    // Whole lines of text before and behind it are none of it.
    const from = this.skipped > 0 ? 0 : lineStart(bytes, textEnd(bytes));
    const to = Math.max(from, textStart(bytes));
    const before = from > 0 ? await this.lines(bytes.subarray(0, from), true) : "";
    this.note(before);
    const part = bytes.subarray(from, to);
    if (this.skipped === 0) this.kind = kindOf(part);
    this.skipped += part.length;
    this.hasSkipped = true;
    if (to === bytes.length) return before;
    const words = this.endSkipped();
    return before + words + (await this.lines(bytes.subarray(to), true));
  }

  private endSkipped(): string {
    if (this.skipped === 0) return "";
    const words = `[${count(this.skipped)} bytes that are no text${this.kind}]\n`;
    this.skipped = 0;
    return this.endsLine ? words : `\n${words}`;
  }

  private note(text: string): string {
    if (text !== "") this.endsLine = text.endsWith("\n");
    return text;
  }
}

/** What is said of both streams, each sentence once. */
export const decodingNotes = (decoders: Readonly<Record<string, OutputDecoder>>): string[] => [
  ...new Set(Object.values(decoders).flatMap(({ notes }) => notes)),
];

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

function readerOf(encoding: string): TextDecoder | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    // a name that is not known here
    return undefined;
  }
}

function readWith(reader: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return reader.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes an UTF-8 character has by its first one; 0: none begins so. */
const lengthOf = (lead: number) =>
  lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;

/** bytes of the UTF-8 character there; 0: there is none */
function characterAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lengthOf(lead);
  if (length < 2) return length;
  const second = bytes[at + 1] ?? 0;
  // longer than it need be, half of a pair, beyond Unicode
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let next = 2; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Without the beginning of a character at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const lead = bytes[bytes.length - back] ?? 0;
    if ((lead & 0xc0) === 0x80) continue;
    return lengthOf(lead) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/**
 * A character was cut, by `head -c` or `cut -b`: at the line's end or its beginning, where the rest is whole. In other encodings few
 * characters are UTF-8 by chance, of two bytes mostly.
 */
function isDamagedUtf8(line: Uint8Array): boolean {
  let good = 0;
  let places = 0;
  let isAtEdge = false;
  let wasStray = false;
  const end = lineEnd(line);
  for (let at = 0; at < Math.min(end, SAMPLE); ) {
    const length = characterAt(line, at);
    if (length === 0 && !wasStray) {
      places += 1;
      const edge = edgeAt(line, at, end);
      isAtEdge = edge !== "no";
      if (edge === "end" && places === 1 && (end - at > 1 || CUT_LEADS.includes(line[at] ?? 0))) return true;
    }
    wasStray = length === 0;
    if (length > 1) good += length > 2 ? 1 : 0.3;
    at += Math.max(1, length);
  }
  return good >= places || (good > 0 && places === 1 && isAtEdge);
}

/** Of Latin and Cyrillic letters: alone at the end they are hardly letters of another encoding. */
const CUT_LEADS = [0xc2, 0xc3, 0xd0, 0xd1];

function lineEnd(line: Uint8Array): number {
  let end = line.length;
  while (end > 0 && (line[end - 1] === 10 || line[end - 1] === 13)) end -= 1;
  return end;
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

/** Whether all that is left of a line is the beginning of a character, or all before it the end of one. */
function edgeAt(line: Uint8Array, at: number, end: number): "beginning" | "end" | "no" {
  const rest = line.subarray(at, end);
  if (lengthOf(rest[0] ?? 0) > rest.length && rest.subarray(1).every(isContinuation)) return "end";
  const first = rest.findIndex(byte => !isContinuation(byte));
  return at === 0 && first > 0 && first < 4 ? "beginning" : "no";
}

/** @param isUtf8 but for a few bytes; else what is a character of it is one by chance */
function escaped(line: Uint8Array, isUtf8: boolean): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < line.length; ) {
    const length = isUtf8 || (line[at] ?? 0) < 0x80 ? characterAt(line, at) : 0;
    if (length === 0) {
      const stray = (line[at] ?? 0).toString(16).toUpperCase();
      parts.push(utf8(line.subarray(from, at)) ?? "", `\\x${stray}`);
      from = at + 1;
    }
    at += Math.max(1, length);
  }
  return parts.join("") + (utf8(line.subarray(from)) ?? "");
}

/** Fewer may be names with a NUL behind each. */
const LEAST_PAIRS = 4;

/** With a mark at its beginning, or with a NUL on one side of nearly each pair of bytes. */
function utf16Of(bytes: Uint8Array): TextDecoder | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
  const pairs = Math.floor(Math.min(bytes.length, SAMPLE) / 2);
  const nuls = [0, 0];
  for (let at = 0; at < pairs * 2; at++) if (bytes[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  if (pairs < LEAST_PAIRS || Math.min(even, odd) > 0 || Math.max(even, odd) < pairs * 0.8) return undefined;
  return new TextDecoder(even === 0 ? "utf-16le" : "utf-16be");
}

/** Control characters that neither a text nor a terminal has. NUL is another matter (`find -print0`), and so are separators. */
const isOdd = (byte: number) => (byte > 0 && byte < 7) || (byte > 13 && byte < 27) || byte === 127;

const hasOddCharacters = (bytes: Uint8Array) => bytes.subarray(0, SAMPLE).some(byte => byte === 0 || isOdd(byte));

/** Where the first byte stands that no text has. */
function textEnd(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    if (length === 0 || bytes[at] === 0 || isOdd(bytes[at] ?? 0)) return at;
    at += length;
  }
  return bytes.length;
}

const lineStart = (bytes: Uint8Array, at: number) => (at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1);

const LEAST_WORD = 4;

/** Where plain text begins that all the rest is, to the end of a line. */
function textStart(bytes: Uint8Array): number {
  if (bytes.at(-1) !== 10) return bytes.length;
  let last = bytes.length - 1;
  while (last >= 0 && (bytes[last] ?? 0) < 0x80 && bytes[last] !== 0 && !isOdd(bytes[last] ?? 0)) last -= 1;
  // A few letters before the end of a line may stand in anything.
  const isWord = bytes.length - last > LEAST_WORD && bytes[last + 1] !== 10;
  return isWord ? last + 1 : bytes.indexOf(10, last + 1) + 1;
}

function isNoText(bytes: Uint8Array, text: string | undefined): boolean {
  // Of a small picture little may be odd.
  if (kindOf(bytes) !== "" && (text === undefined || hasOddCharacters(bytes))) return true;
  let odd = 0;
  let nuls = 0;
  const from = text === undefined ? textEnd(bytes) : 0;
  const sample = bytes.subarray(from, from + SAMPLE);
  for (const byte of sample) {
    if (byte === 0) nuls += 1;
    else if (isOdd(byte)) odd += 1;
  }
  if (text === undefined) return odd + nuls > sample.length / 50;
  // One or two of them may be what somebody separates fields by.
  return (odd + nuls) * 10 >= sample.length && new Set(sample.filter(isOdd)).size > (nuls > 0 ? 0 : 2);
}

const KINDS: readonly (readonly [string, string])[] = [
  ["a PNG picture", "\x89PNG\r\n"],
  ["a JPEG picture", "\xff\xd8\xff"],
  ["a GIF picture", "GIF89a"],
  ["a program", "\x7fELF"],
  ["a ZIP archive", "PK\x03\x04"],
  ["gzip", "\x1f\x8b\x08"],
  ["xz", "\xfd7zXZ"],
  ["zstd", "\x28\xb5\x2f\xfd"],
  ["WebAssembly", "\0asm"],
  ["an SQLite database", "SQLite format 3\0"],
];

function kindOf(bytes: Uint8Array): string {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  const kind = KINDS.find(([, signature]) => head.startsWith(signature))?.[0];
  return kind === undefined ? "" : `: ${kind}`;
}
