/** What ripgrep prints, chunk by chunk: paths that end with NUL, counts, or its JSON Lines with the places of hits. */
import type { GrepLine, GrepQuery } from "../core/ground/ports";

/** Of a longer line the text around its hits is given: minified files have lines of megabytes. In bytes. */
const LINE_LIMIT = 8192;
/** Bytes on each side of a hit. */
const AROUND = 600;
const MOST_HITS = 10;
/** Of a line that takes more bytes as JSON, only its first hits are read. */
const MOST_BYTES = 16 * 1024 * 1024;

const NUL = 0;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

interface GrepSink {
  /** The name for people of a path as ripgrep printed it; undefined: the file is not wanted. */
  name(printed: string): string | undefined;
  /** Return false to end the search. */
  line(line: GrepLine): boolean | undefined;
}

/** Base64: no UTF-8. */
type TextOrBytes = { text: string } | { bytes: string };

/** The kinds of messages that have lines. */
interface LinesMessage {
  type: "match" | "context";
  data: { path: TextOrBytes; lines: TextOrBytes; line_number: number; submatches: { start: number; end: number }[] };
}
/** In bytes. */
type HitSpan = readonly [from: number, to: number];

export class GrepParser {
  private rest: Buffer[] = [];
  private size = 0;
  /** as printed, of the newest line: hits of one file follow each other, and its name is made once */
  private printed: string | undefined;
  private path: string | undefined;
  /** as printed, of a file with a NUL in a line: no text */
  private binary: string | undefined;

  constructor(
    private readonly mode: GrepQuery["mode"],
    private readonly sink: GrepSink,
  ) {}

  /** Returns false when the sink has had enough. */
  push(chunk: Buffer): boolean {
    const last = this.mode === "files_with_matches" ? NUL : NEWLINE;
    let start = 0;
    for (let end = chunk.indexOf(last); end >= 0; end = chunk.indexOf(last, start)) {
      this.keep(chunk.subarray(start, end));
      start = end + 1;
      const entry = this.rest.length === 1 ? (this.rest[0] ?? chunk) : Buffer.concat(this.rest);
      const read = this.size <= MOST_BYTES ? entry : withFirstHits(entry);
      [this.rest, this.size] = [[], 0];
      if (!this.take(read)) return false;
    }
    this.keep(chunk.subarray(start));
    return true;
  }

  private keep(part: Buffer): void {
    if (this.size <= MOST_BYTES && part.length > 0) this.rest.push(part);
    this.size += part.length;
  }

  private take(entry: Buffer): boolean {
    if (this.mode === "files_with_matches")
      return this.give(entry.toString("utf8"), { line: 0, kind: "match", text: "" });
    if (this.mode === "content") return this.takeMessage(JSON.parse(entry.toString("utf8")));
    const nul = entry.indexOf(NUL);
    // A notice ("binary file matches …") is a line without NUL.
    if (nul < 0) return true;
    const count = Number(entry.toString("latin1", nul + 1));
    return this.give(entry.toString("utf8", 0, nul), { line: 0, kind: "match", text: "", count });
  }

  private takeMessage(message: LinesMessage | { type: "begin" | "end" | "summary" }): boolean {
    if (message.type !== "match" && message.type !== "context") return true;
    const { path, lines, line_number: first, submatches } = message.data;
    const name = "text" in path ? path.text : bytesOf(path).toString("utf8");
    if ("text" in lines ? lines.text.includes("\0") : bytesOf(lines).includes(NUL)) this.binary = name;
    if (name === this.binary) return true;
    // Most lines are short ones of ASCII, in which places of bytes are those of characters.
    const plain = "text" in lines ? PLAIN.exec(lines.text)?.[1] : undefined;
    if (plain !== undefined) {
      const hits = clipped(submatches, 0, plain.length);
      return this.give(name, { line: first, kind: message.type, text: plain, ...(hits.length > 0 && { hits }) });
    }
    const bytes = bytesOf(lines);
    for (let start = 0, line = first; start < bytes.length; line += 1) {
      const newline = bytes.indexOf(NEWLINE, start);
      const next = newline < 0 ? bytes.length : newline + 1;
      const end = newline < 0 ? bytes.length : newline;
      const text = bytes.subarray(start, end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
      const hits = clipped(submatches, start, text.length);
      if (!this.give(name, { line, kind: message.type, ...readLine(text, hits) })) return false;
      start = next;
    }
    return true;
  }

  private give(printed: string, line: Omit<GrepLine, "path">): boolean {
    if (printed !== this.printed) this.path = this.sink.name(printed);
    this.printed = printed;
    return this.path === undefined || this.sink.line({ path: this.path, ...line }) !== false;
  }
}

/** ripgrep prints the hits of a line behind its text. */
function withFirstHits(entry: Buffer): Buffer {
  const hits = entry.indexOf('"submatches":[');
  const start = entry.subarray(0, hits < 0 ? 0 : hits + 10 * LINE_LIMIT);
  return Buffer.from(hits < 0 ? '{"type":"end"}' : `${start.subarray(0, start.lastIndexOf('},{"match"') + 1)}]}}`);
}

const PLAIN = /^([\x20-\x7e\t]{0,8192})\r?\n?$/;

const clipped = (submatches: LinesMessage["data"]["submatches"], start: number, length: number): HitSpan[] =>
  submatches.flatMap(hit => {
    const [from, to] = [Math.max(0, hit.start - start), Math.min(length, hit.end - start)];
    return from < to ? [[from, to] as const] : [];
  });

const bytesOf = (printed: TextOrBytes): Buffer =>
  "text" in printed ? Buffer.from(printed.text) : Buffer.from(printed.bytes, "base64");

function readLine(bytes: Buffer, hits: readonly HitSpan[]): { text: string; hits?: HitSpan[]; moreHits?: number } {
  const read = (from: number, to: number) => bytes.toString("utf8", from, to);
  const most = bytes.length <= LINE_LIMIT ? hits.length : MOST_HITS;
  const spans: HitSpan[] = [];
  let text = "";
  let at = 0;
  for (const [from, to] of windows(bytes, hits)) {
    if (from > at) text += "…";
    at = from;
    for (const [first, last] of hits.filter(hit => hit[0] >= from && hit[0] < to).slice(0, most - spans.length)) {
      text += read(at, first);
      at = whole(bytes, Math.min(last, to));
      const begin = text.length;
      text += read(first, at);
      spans.push([begin, text.length]);
    }
    text += read(at, to);
    at = to;
  }
  if (at < bytes.length) text += "…";
  const moreHits = hits.length - spans.length;
  return { text, ...(spans.length > 0 && { hits: spans }), ...(moreHits > 0 && { moreHits }) };
}

/** The parts of a line that are given, in order: the whole of a short one, else the text around the first hits. */
function windows(bytes: Buffer, hits: readonly HitSpan[]): HitSpan[] {
  if (bytes.length <= LINE_LIMIT) return [[0, bytes.length]];
  if (hits.length === 0) return [[0, whole(bytes, LINE_LIMIT)]];
  const found: [number, number][] = [];
  for (const [from, to] of hits.slice(0, MOST_HITS)) {
    const end = whole(bytes, Math.min(bytes.length, Math.min(to, from + AROUND) + AROUND));
    const last = found.at(-1);
    const start = whole(bytes, Math.max(0, from - AROUND));
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

/** Not within a character of UTF-8. */
function whole(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && at - start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
