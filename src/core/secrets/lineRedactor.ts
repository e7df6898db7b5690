/** Redacts a text that comes in pieces: a secret, or a private key over several lines, is found across a cut. Memory is bounded. */
import { NOTHING, type Redact, type Redacted } from "../../shared/redacted";
import type { Redactor, Timer } from "../ground/ports";
import { wordStart } from "../ground/text/format";
import { openKeyAt } from "../ground/text/privateKeys";

/** A line without an end is passed on in pieces of at least this size (characters), the last `OVERLAP` held back. */
const PIECE = 64 * 1024;
const OVERLAP = 4 * 1024;
const MAX_TRIES = 20;
/** of places that the text as a whole is redacted for */
const MAX_PROOFS = 3;
/** characters on both sides that tell whether a place is worth it */
const NEAR = 512;
/** of these, between words */
const BETWEEN_WORDS = 4;

export class LineRedactor {
  private held = "";

  /** @param safeEnd as `Redactor.safeEnd`; for `soFar` alone */
  constructor(
    private readonly redact: Redact,
    private readonly safeEnd: (text: string) => number = text => text.length,
  ) {}

  /** Takes a piece and gives what can be passed on, redacted: whole lines; parts of a line longer than 64 KB. */
  push(text: string): Redacted {
    this.held += text;
    const lines = lineCut(this.held);
    if (lines === undefined) return NOTHING;
    const { ready, rest } = lines > 0 ? split(this.held, lines, this.redact) : splitLongLine(this.held, this.redact);
    this.held = rest;
    return ready;
  }

  /** The beginning of a line that has not ended, up to its last word: for people who wait. */
  soFar(): Redacted {
    if (openKeyAt(this.held) !== undefined) return NOTHING;
    const end = Math.min(wordStart(this.held, this.held.length), this.safeEnd(this.held));
    const parts = safeSplit(this.held, end, this.redact);
    this.held = parts?.rest ?? this.held;
    return parts?.ready ?? NOTHING;
  }

  get waits(): boolean {
    return this.held !== "";
  }

  /** All that is left: no more comes. */
  end(): Redacted {
    const rest = this.held === "" ? NOTHING : this.redact(this.held);
    this.held = "";
    return rest;
  }
}

const split = (text: string, at: number, redact: Redact) => ({
  ready: redact(text.slice(0, at)),
  rest: text.slice(at),
});

/** undefined: there is a secret, since the parts, redacted each by itself, are not the whole redacted. */
function safeSplit(text: string, at: number, redact: Redact, whole: string = redact(text)) {
  const parts = split(text, at, redact);
  return parts.ready + redact(parts.rest) === whole ? parts : undefined;
}

/** Behind how many whole lines, without a private key that a cut would go through; 0: within a line; undefined: wait. */
function lineCut(text: string): number | undefined {
  const open = recentKey(text, text.length);
  let lines = endOfLine(text, open ?? text.length);
  // The last line of a key may be the one that has not ended.
  const cut = lines > 0 ? recentKey(text, lines) : undefined;
  if (cut !== undefined) lines = endOfLine(text, cut);
  // One in base64 may go on in the next line.
  if (lines > 0 && IN_BASE64.test(text.slice(Math.max(0, lines - 62), lines)))
    return text.length > 2 * OVERLAP ? 0 : undefined;
  if (lines > 0) return lines;
  return open === undefined && text.length > PIECE ? 0 : undefined;
}

const IN_BASE64 = /[A-Za-z0-9+/_-]{60}\r?\n$/;

const endOfLine = (text: string, before: number) => (before > 0 ? text.lastIndexOf("\n", before - 1) + 1 : 0);

/** Where the private key begins that is open at `end`; not one whose end should have come long ago. */
function recentKey(text: string, end: number): number | undefined {
  const begin = openKeyAt(text.slice(0, end));
  return begin !== undefined && text.length - begin < PIECE ? begin : undefined;
}

/**
 * Cuts where there is no secret. Between words first, then between tokens; where nothing in reach is safe, the whole text passes. What is around a place tells of most that they are none: to
 * redact all of the text for each took a hundred times as long as to redact it once.
 */
function splitLongLine(text: string, redact: Redact) {
  const whole = redact(text);
  let at = text.length - OVERLAP;
  let proofs = MAX_PROOFS;
  for (let tries = 0; tries < MAX_TRIES && at > 0 && proofs > 0; tries += 1) {
    const cut = goodCut(text, at, tries < BETWEEN_WORDS ? BLANKS : NO_LETTER);
    const around = text.slice(Math.max(0, cut - NEAR), cut + NEAR);
    if (cut > 0 && safeSplit(around, Math.min(cut, NEAR), redact)) {
      const parts = safeSplit(text, cut, redact, whole);
      if (parts) return parts;
      proofs -= 1;
    }
    at = cut > 0 ? cut - 1 : at - OVERLAP;
  }
  return { ready: whole, rest: "" };
}

const BLANKS = /[\s"',;]/;
const NO_LETTER = /[^A-Za-z0-9_-]/;

/** Behind the last such character before `at` that is near; else `at`, but not within a character. */
function goodCut(text: string, at: number, between: RegExp): number {
  for (let cut = at; cut > 0 && at - cut < OVERLAP; cut -= 1)
    if (between.test(text.charAt(cut - 1)) && !isSecondHalf(text, cut)) return cut;
  return isSecondHalf(text, at) ? at - 1 : at;
}

const isSecondHalf = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

// A call's live output on its way to its card: redacted line by line, and a line that takes its time word by word.

type LiveStream = "stdout" | "stderr";

/** ms that the beginning of a line is held back for its end */
const PATIENCE = 100;

export class LiveRedactor {
  private readonly lines: Record<LiveStream, LineRedactor>;
  /** calls off that what waits is shown */
  private timer: (() => void) | undefined;

  constructor(
    { redact, safeEnd }: Pick<Redactor, "redact" | "safeEnd">,
    private readonly show: (stream: LiveStream, text: Redacted) => void,
    private readonly clock: Timer,
  ) {
    this.lines = { stdout: new LineRedactor(redact, safeEnd), stderr: new LineRedactor(redact, safeEnd) };
  }

  push(stream: LiveStream, text: string): void {
    const line = this.lines[stream];
    this.pass(stream, line.push(text));
    if (line.waits) this.wait();
  }

  /** Shows the rest: no more comes. */
  end(): void {
    this.timer?.();
    this.each(line => line.end());
  }

  private wait(): void {
    this.timer ??= this.clock.after(PATIENCE, () => {
      this.timer = undefined;
      this.each(line => line.soFar());
    });
  }

  private each(take: (line: LineRedactor) => Redacted): void {
    for (const stream of ["stdout", "stderr"] as const) this.pass(stream, take(this.lines[stream]));
  }

  private pass(stream: LiveStream, text: Redacted): void {
    if (text !== "") this.show(stream, text);
  }
}
