/** What a command printed, for people: as the terminal had it, its beginning and its end where that is long. */
import { toHandle } from "../ground/text/format";
import { decodeOutput, outputLines, type ResultRecord, type SessionLog } from "./handles";

interface PrintedOutput {
  first: string;
  last: string;
  /** what lies between; absent: nothing, and `first` is all of it */
  hidden?: { lines: number; bytes: number };
  /** leads to the whole */
  handle?: string;
}

/** Shown whole up to so much; else so much of its beginning and its end. */
const WHOLE = { lines: 400, bytes: 32_000 };
const FIRST = { lines: 20, bytes: 2_000 };
const LAST = { lines: 200, bytes: 24_000 };

const NEWLINE = 0x0a;

/** Rejects with StorageError where the blob cannot be read. */
export async function printedOutput(
  { files }: Pick<SessionLog, "files">,
  result: ResultRecord,
): Promise<PrintedOutput> {
  const { raw, forms, ended } = result;
  const bytes = raw && !raw.inline ? await files.getBlob(raw.sha256) : undefined;
  if (raw && bytes) return cutOutput(bytes, toHandle(raw.sha256));
  if (!ended) return { first: forms.shown, last: "" };
  const { first, count } = ended.printed;
  return {
    first: outputLines(forms.shown)
      .slice(first, first + count)
      .join("\n"),
    last: "",
  };
}

/** Pure. */
function cutOutput(bytes: Uint8Array, handle: string): PrintedOutput {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  if (bytes.length <= WHOLE.bytes && lines <= WHOLE.lines) return { first: decodeOutput(bytes), last: "" };
  const head = endOfFirst(bytes);
  const tail = Math.max(head, startOfLast(bytes));
  const hidden = bytes.subarray(head, tail);
  if (hidden.length === 0) return { first: decodeOutput(bytes), last: "", handle };
  let hiddenLines = 0;
  for (let at = hidden.indexOf(NEWLINE); at >= 0; at = hidden.indexOf(NEWLINE, at + 1)) hiddenLines += 1;
  return {
    first: decodeOutput(bytes.subarray(0, head)),
    last: decodeOutput(bytes.subarray(tail)),
    hidden: { lines: hiddenLines, bytes: hidden.length },
    handle,
  };
}

/** Behind a line's end where there is one, else behind a whole character. */
function endOfFirst(bytes: Uint8Array): number {
  let end = 0;
  for (let lines = 0; lines < FIRST.lines; lines += 1) {
    const next = bytes.indexOf(NEWLINE, end);
    if (next < 0 || next >= FIRST.bytes) return end > 0 ? end : wholeCharacter(bytes, FIRST.bytes);
    end = next + 1;
  }
  return end;
}

function startOfLast(bytes: Uint8Array): number {
  const least = Math.max(0, bytes.length - LAST.bytes);
  let start = bytes.length;
  for (let lines = 0; lines < LAST.lines; lines += 1) {
    const before = start > 1 ? bytes.lastIndexOf(NEWLINE, start - 2) : -1;
    if (before < least) return start < bytes.length ? start : wholeCharacter(bytes, least);
    start = before + 1;
  }
  return start;
}

/** The next place at which no character of UTF-8 is cut in two. */
function wholeCharacter(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place < bytes.length && ((bytes[place] ?? 0) & 0xc0) === 0x80) place += 1;
  return place;
}
