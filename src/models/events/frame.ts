/**
 * The bytes of an event around its text: thousands in a stream differ in their text alone, and one that does not differ in more from one
 * that was looked into need not be looked into. Comparing bytes costs a tenth of reading them as JSON.
 */

/** Keys of the texts that stream. */
const STREAMED = /"(?:content|reasoning_content|reasoning|arguments|text|thinking|partial_json|delta)": ?"/;
/** Texts and numbers that may be others: those that stream, and what marks each piece as its own. */
const VARYING =
  /"(?:content|reasoning_content|reasoning|arguments|text|thinking|partial_json|delta|id|responseId|obfuscation)": ?"|"(?:created|sequence_number|\w+TokenCount|\w+_tokens)": ?(?=\d)/g;

/** Longer ones are few. */
const MAX_EVENT = 65_536;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

export class Frame {
  private constructor(
    /** what stands before each text or number, and behind the last */
    private readonly parts: readonly Uint8Array[],
    /** what follows each part but the last */
    private readonly areTexts: readonly boolean[],
  ) {}

  /** @param event whole, up to its blank line, bytes as characters; undefined: nothing in it streams */
  static of(event: string): Frame | undefined {
    if (event.length > MAX_EVENT || !STREAMED.test(event)) return undefined;
    const all = Buffer.from(event, "latin1");
    const parts: Uint8Array[] = [];
    const areTexts: boolean[] = [];
    let from = 0;
    for (const { index, 0: found } of event.matchAll(VARYING)) {
      const start = index + found.length;
      // It stands in a text.
      if (start < from) continue;
      const isText = found.endsWith('"');
      parts.push(all.subarray(from, start));
      areTexts.push(isText);
      from = isText ? textEnd(all, start) : numberEnd(all, start);
    }
    return new Frame([...parts, all.subarray(from)], areTexts);
  }

  /** Where the event that begins at `at` ends, where it is like this one; else -1. */
  match(bytes: Uint8Array, at: number): number {
    const { parts, areTexts } = this;
    let place = at;
    for (let number = 0; number < parts.length; number++) {
      const part = parts[number] as Uint8Array;
      const { length } = part;
      for (let offset = 0; offset < length; offset++) if (bytes[place + offset] !== part[offset]) return -1;
      place += length;
      if (number < areTexts.length) place = areTexts[number] ? textEnd(bytes, place) : numberEnd(bytes, place);
    }
    return place;
  }
}

function textEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE || byte === NEWLINE) return at;
  }
  return at;
}

function numberEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isDigit(bytes[at] as number)) at += 1;
  return at;
}

const isDigit = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || byte === 0x2e;
