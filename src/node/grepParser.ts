/** ripgrep's text output (see `OUTPUT`) as it comes, chunk by chunk. */
import type { GrepLine, GrepQuery } from "../core/ground/ports";

/** Of a longer line what stands around its hits is given: minified files have lines of megabytes. In bytes. */
const LINE_LIMIT = 8192;
/** Bytes on each side of a hit. */
const AROUND = 600;
const MOST_HITS = 10;
/** Of a line that is longer still, nothing behind is looked at. */
const MOST_BYTES = 32 * 1024 * 1024;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const COLON = 58;

/** What stands around a hit: a colour that no file has. */
const COLOR = "213,7,91";
const RESET_TEXT = "\x1b[0m";
const HIT_TEXT = `${RESET_TEXT}\x1b[38;2;${COLOR.replaceAll(",", ";")}m`;
const RESET = Buffer.from(RESET_TEXT);
const HIT = Buffer.from(HIT_TEXT);

/** How ripgrep has to print lines: hits are marked by their colour, all else is plain. */
export const OUTPUT = [
  "--color=always",
  ...["path:none", "line:none", "match:none", `match:fg:${COLOR}`].map(each => `--colors=${each}`),
];

interface GrepSink {
  /** The name for people of a path as ripgrep printed it; undefined: the file is not wanted. */
  name(printed: string): string | undefined;
  /** Return false to end the search. */
  line(line: GrepLine): boolean | undefined;
}

export class GrepParser {
  private rest: Buffer[] = [];
  private size = 0;
  /** the line at hand is longer than MOST_BYTES and was given already: pass over the rest of it */
  private skipping = false;
  private pathBytes: Buffer | undefined;
  private path: string | undefined;

  constructor(
    private readonly mode: GrepQuery["mode"],
    private readonly sink: GrepSink,
  ) {}

  /** Returns false when the sink has had enough. */
  push(chunk: Buffer): boolean {
    this.rest.push(chunk);
    this.size += chunk.length;
    const isFiles = this.mode === "files_with_matches";
    // A long line is put together once, when it ends.
    if (!isFiles && !chunk.includes(NEWLINE) && this.size < MOST_BYTES && !this.skipping) return true;
    const data = this.rest.length > 1 ? Buffer.concat(this.rest) : chunk;
    const used = isFiles ? this.files(data) : this.lines(data);
    if (used < 0) return false;
    this.rest = used < data.length ? [data.subarray(used)] : [];
    this.size = data.length - used;
    return true;
  }

  private files(data: Buffer): number {
    let start = 0;
    for (let nul = data.indexOf(0, start); nul >= 0; nul = data.indexOf(0, start)) {
      const path = this.sink.name(data.toString("utf8", start, nul));
      if (path !== undefined && this.sink.line({ path, line: 0, kind: "match", text: "" }) === false) return -1;
      start = nul + 1;
    }
    return start;
  }

  /** How many bytes were understood; -1: the sink has had enough. */
  private lines(data: Buffer): number {
    let start = 0;
    if (this.skipping) {
      const end = data.indexOf(NEWLINE);
      if (end < 0) return data.length;
      this.skipping = false;
      start = end + 1;
    }
    for (;;) {
      const nul = data.indexOf(0, start);
      if (nul < 0) return start;
      const end = data.indexOf(NEWLINE, nul);
      if (end < 0 && data.length - nul < MOST_BYTES) return start;
      if (!this.one(data, start, nul, end < 0 ? data.length : end)) return -1;
      if (end < 0) {
        this.skipping = true;
        return data.length;
      }
      start = end + 1;
    }
  }

  private one(data: Buffer, start: number, nul: number, end: number): boolean {
    const path = this.pathAt(data, start, nul);
    if (path === undefined) return true;
    let at = skip(data, nul + 1, RESET);
    let number = 0;
    for (; at < end; at++) {
      const digit = (data[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      number = number * 10 + digit;
    }
    if (this.mode === "count") {
      return this.sink.line({ path, line: 0, kind: "match", text: "", count: number }) !== false;
    }
    at = skip(data, at, RESET);
    const kind = data[at] === COLON ? "match" : "context";
    return this.sink.line({ path, line: number, kind, ...readLine(data.subarray(at + 1, end)) }) !== false;
  }

  /** Hits of one file follow each other: its name is made once. */
  private pathAt(data: Buffer, start: number, nul: number): string | undefined {
    const bytes = data.subarray(start, nul);
    if (!this.pathBytes?.equals(bytes)) {
      this.pathBytes = Buffer.from(bytes);
      // A notice ("binary file matches …") is a line without NUL: it stands before the path.
      const from = skip(bytes, bytes.lastIndexOf(NEWLINE) + 1, RESET);
      const to = bytes.subarray(-RESET.length).equals(RESET) ? bytes.length - RESET.length : bytes.length;
      this.path = this.sink.name(bytes.toString("utf8", from, to));
    }
    return this.path;
  }
}

const skip = (data: Buffer, at: number, what: Buffer): number =>
  data.subarray(at, at + what.length).equals(what) ? at + what.length : at;

type HitSpan = readonly [from: number, to: number];

type LineParts = Pick<GrepLine, "text" | "hits" | "moreHits">;

/** A line as it was printed, without the marks, and where they were. */
function readLine(printed: Buffer): LineParts {
  const text = printed.length <= LINE_LIMIT ? printed.toString("utf8") : "\uFFFD";
  return text.includes("\uFFFD") ? readBytes(printed) : readText(text);
}

/** Most lines: text is faster to work on than bytes. */
function readText(printed: string): LineParts {
  const [front = "", ...rest] = printed.split(HIT_TEXT);
  let text = front;
  const hits = rest.map(part => {
    const end = part.indexOf(RESET_TEXT);
    const from = text.length;
    const hit = end < 0 ? part : part.slice(0, end);
    text += end < 0 ? hit : hit + part.slice(end + RESET_TEXT.length);
    return [from, from + hit.length] as const;
  });
  if (text.endsWith("\r")) text = text.slice(0, -1);
  return { text, ...(hits.length > 0 && { hits }) };
}

function readBytes(printed: Buffer): LineParts {
  const { bytes, hits } = unmarked(printed);
  const read = (from: number, to: number) => bytes.toString("utf8", from, to);
  const parts: string[] = [];
  const spans: HitSpan[] = [];
  let length = 0;
  const add = (text: string) => {
    parts.push(text);
    length += text.length;
  };
  let at = 0;
  for (const [from, to] of windows(bytes, hits)) {
    if (from > at) add("…");
    at = from;
    for (const [first, last] of hits.filter(hit => hit[0] >= from && hit[0] < to).slice(0, MOST_HITS - spans.length)) {
      add(read(at, first));
      at = whole(bytes, Math.min(last, to));
      const text = read(first, at);
      spans.push([length, length + text.length]);
      add(text);
    }
    add(read(at, to));
    at = to;
  }
  if (at < bytes.length) add("…");
  const moreHits = hits.length - spans.length;
  return { text: parts.join(""), ...(spans.length > 0 && { hits: spans }), ...(moreHits > 0 && { moreHits }) };
}

function unmarked(printed: Buffer): { bytes: Buffer; hits: HitSpan[] } {
  const hits: HitSpan[] = [];
  const parts: Buffer[] = [];
  let [at, length] = [0, 0];
  const take = (to: number) => {
    parts.push(printed.subarray(at, to));
    length += to - at;
    at = to;
  };
  for (let mark = printed.indexOf(HIT); mark >= 0; mark = printed.indexOf(HIT, at)) {
    take(mark);
    at += HIT.length;
    const end = printed.indexOf(RESET, at);
    const from = length;
    take(end < 0 ? printed.length : end);
    at += RESET.length;
    hits.push([from, length]);
  }
  if (at < printed.length) take(printed.length);
  const bytes = parts.length === 1 ? (parts[0] ?? printed) : Buffer.concat(parts);
  return { bytes: bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes, hits };
}

/** The parts of a line that are given, in order: all of one that is not too long, else what stands around the first hits. */
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
