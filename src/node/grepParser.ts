/** ripgrep's text output (`--null --no-heading --with-filename --line-number`) as it comes, chunk by chunk. */
import type { GrepLine, GrepQuery } from "../core/ports";

/** Of a longer line only its beginning is given: minified files have lines of megabytes. In bytes. */
const LINE_LIMIT = 8192;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const COLON = 58;
const NONE = Buffer.alloc(0);

interface GrepSink {
  /** The name for people of a path as ripgrep printed it; undefined: the file is not wanted. */
  name(printed: string): string | undefined;
  /** Return false to end the search. */
  line(line: GrepLine): boolean | undefined;
}

export class GrepParser {
  private rest: Buffer = NONE;
  /** the line at hand is longer than LINE_LIMIT and was given already: pass over the rest of it */
  private skipping = false;
  private pathBytes: Buffer = NONE;
  private path: string | undefined;

  constructor(
    private readonly mode: GrepQuery["mode"],
    private readonly sink: GrepSink,
  ) {}

  /** Returns false when the sink has had enough. */
  push(chunk: Buffer): boolean {
    const data = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const used = this.mode === "files_with_matches" ? this.files(data) : this.lines(data);
    if (used < 0) return false;
    this.rest = used < data.length ? data.subarray(used) : NONE;
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
      if (end < 0 && data.length - nul <= LINE_LIMIT) return start;
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
    let at = nul + 1;
    let number = 0;
    for (; at < end; at++) {
      const digit = (data[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      number = number * 10 + digit;
    }
    if (this.mode === "count") {
      return this.sink.line({ path, line: 0, kind: "match", text: "", count: number }) !== false;
    }
    const kind = data[at] === COLON ? "match" : "context";
    return this.sink.line({ path, line: number, kind, text: decodeText(data, at + 1, end) }) !== false;
  }

  /** Hits of one file follow each other: its name is made once. */
  private pathAt(data: Buffer, start: number, nul: number): string | undefined {
    const length = nul - start;
    if (length !== this.pathBytes.length || data.compare(this.pathBytes, 0, length, start, nul) !== 0) {
      this.pathBytes = Buffer.from(data.subarray(start, nul));
      const printed = this.pathBytes.toString("utf8");
      // A notice ("binary file matches …") is a line without NUL: it stands before the path.
      this.path = this.sink.name(printed.slice(printed.lastIndexOf("\n") + 1));
    }
    return this.path;
  }
}

function decodeText(data: Buffer, start: number, end: number): string {
  if (end - start > LINE_LIMIT) {
    return `${data.toString("utf8", start, start + LINE_LIMIT).replace(/\uFFFD+$/, "")}…`;
  }
  const last = data[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  const text = data.toString("utf8", start, Math.max(start, last));
  return text.includes("\uFFFD") && !data.subarray(start, last).includes("\uFFFD")
    ? data.toString("latin1", start, last)
    : text;
}
