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

/** bytes: shown whole up to so much; else so much of its beginning and its end, in whole lines */
const WHOLE = 16_000;
const FIRST = 2_000;
const LAST = 12_000;

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
  if (bytes.length <= WHOLE) return { first: decodeOutput(bytes), last: "" };
  const head = bytes.lastIndexOf(NEWLINE, FIRST - 1) + 1 || FIRST;
  const least = bytes.length - LAST;
  const tail = bytes.indexOf(NEWLINE, least - 1) + 1 || least;
  const hidden = bytes.subarray(head, tail);
  let lines = 0;
  for (let at = hidden.indexOf(NEWLINE); at >= 0; at = hidden.indexOf(NEWLINE, at + 1)) lines += 1;
  return {
    // A character that was cut in two is left out.
    first: decodeOutput(bytes.subarray(0, head)).replace(/\ufffd$/, ""),
    last: decodeOutput(bytes.subarray(tail)).replace(/^\ufffd+/, ""),
    hidden: { lines, bytes: hidden.length },
    handle,
  };
}
