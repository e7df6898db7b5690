/**
 * What a terminal would show of a stream, line by line: escape sequences go, a carriage return starts the line anew (so
 * that a progress bar leaves its last state). Streaming, in bounded memory, and the same for every way to cut the stream
 * into chunks.
 */
import { count, cutPoint } from "./format";

/** How much of a line is kept from its beginning and, beyond that, from its end. */
const HEAD = 8_000;
const TAIL = 1_000;

export interface TerminalLine {
  head: string;
  /** the end of what does not fit into `head`; with `head` the whole line where `length` is no more than both */
  tail: string;
  length: number;
}

/** At most about `most` characters of a line (no more than 8,000): its beginning and its end. */
export function lineText(line: TerminalLine, most: number): string {
  const all = line.head + line.tail;
  if (line.length <= most) return all;
  const start = cutPoint(all, Math.ceil(most / 2));
  const end = all.length - cutPoint(all, all.length - Math.floor(most / 2));
  return `${all.slice(0, start)}… [${count(line.length - start - end)} characters] …${all.slice(all.length - end)}`;
}

const ESC = 0x1b;
const CSI = 0x9b;
const LF = 0x0a;
/** Of what is nothing to see and separates all the same, NUL above all, so many in a row are shown. */
const MAX_SEPARATORS = 4;
const isSeparator = (unit: number) => unit < 7 || (unit > 0x1b && unit < 0x20);

/** A sequence that does not end by then is taken for text that was lost: nothing may swallow the rest of the output. */
const MAX_SEQUENCE = 4_098;
/** CSI with its parameters and its end; OSC, DCS, SOS, PM or APC up to BEL or `ESC \`; a character set; two characters. In a line. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals are told with
  /(?:\x1b\[|\x9b)([^\n@-~]*)([@-~])|\x1b[\]PX^_](?:[^\n\x07\x1b\x9c]|\x1b[^\n\\])*(?:\x07|\x9c|\x1b\\)|\x1b[ -/]+[^\n -/]|\x1b[^\n[\]PX^_ -/]/y;

export class TerminalText {
  /** Something that a person would have seen is not in the lines: repainted, or rubbed out. */
  repainted = false;
  /** the beginning of a sequence whose end has not come */
  private open = "";
  private head = "";
  private tail = "";
  private length = 0;
  /** A carriage return came: the next print starts the line anew. */
  private returned = false;
  /** separators right before now */
  private separators = 0;

  constructor(private readonly onLine: (line: TerminalLine) => void) {}

  push(chunk: string): void {
    const text = this.open === "" ? chunk : this.open + chunk;
    this.open = "";
    let at = 0;
    while (at < text.length) {
      CONTROL.lastIndex = at;
      const end = CONTROL.test(text) ? CONTROL.lastIndex - 1 : text.length;
      if (end > at) {
        this.separators = 0;
        this.print(text.slice(at, end));
      }
      const unit = text.charCodeAt(end);
      at = end + 1;
      if (unit === ESC || unit === CSI) at = this.sequence(text, end);
      else if (end < text.length) this.control(unit);
    }
  }

  end(): void {
    if (this.length > 0) this.emit();
  }

  private print(run: string): void {
    if (this.returned) this.clear();
    this.length += run.length;
    const room = HEAD - this.head.length;
    if (room > 0) this.head += run.slice(0, room);
    if (run.length <= room) return;
    this.tail += run.slice(Math.max(0, room));
    if (this.tail.length > 4 * TAIL) this.tail = this.tail.slice(-TAIL);
  }

  private control(unit: number): void {
    if (unit === LF) this.emit();
    else if (unit === 0x0d) this.returned = this.length > 0;
    else if (unit === 0x08) this.rubOut();
    else if (isSeparator(unit)) this.separate(unit);
  }

  /** Without it `find -print0` would be one long name. */
  private separate(unit: number): void {
    this.separators += 1;
    if (this.separators > MAX_SEPARATORS) this.repainted = true;
    else this.print(unit === 0 ? "\\0" : `\\x${unit.toString(16).toUpperCase().padStart(2, "0")}`);
  }

  /** @returns where the text continues behind it. A line end ends it: no sequence spans lines. */
  private sequence(text: string, start: number): number {
    const reach = text.slice(start, start + MAX_SEQUENCE);
    SEQUENCE.lastIndex = 0;
    const [whole, parameters, last] = SEQUENCE.exec(reach) ?? [];
    if (whole === undefined) {
      const lineEnd = reach.indexOf("\n");
      if (lineEnd >= 0) return start + lineEnd;
      if (reach.length < MAX_SEQUENCE) this.open = reach;
      return start + reach.length;
    }
    // Erase in line: the whole of it, or the rest of a line that was returned to its beginning.
    if (last === "K" && (this.returned || parameters === "2")) this.clear();
    return start + whole.length;
  }

  /** Only within the head: beyond it, what is still kept depends on how the stream was cut. */
  private rubOut(): void {
    if (this.tail !== "" || this.head === "") return;
    const end = cutPoint(this.head, this.head.length - 1);
    this.length -= this.head.length - end;
    this.head = this.head.slice(0, end);
    this.repainted = true;
  }

  private clear(): void {
    this.repainted ||= this.length > 0;
    this.startLine();
  }

  private startLine(): void {
    this.head = "";
    this.tail = "";
    this.length = 0;
    this.returned = false;
  }

  private emit(): void {
    const rest = Math.min(TAIL, this.length - this.head.length);
    const line = { head: this.head, tail: rest > 0 ? this.tail.slice(-rest) : "", length: this.length };
    this.startLine();
    this.onLine(line);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals are told with
const CONTROL = /[\0-\x08\n-\x1f\x7f-\x9f]/g;
