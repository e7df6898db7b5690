/** What is said below an output about what of it is kept, and where. */
import { count, recallHint, size } from "../text/format";
import type { OutputDigest } from "./outputDigest";
import { MAX_RAW, type RawCapture } from "./rawCapture";

/** @param blob holds the output, where that was needed and could be stored */
export function outputNotes(
  raw: Pick<RawCapture, "dropped" | "failure">,
  digest: Pick<OutputDigest, "complete">,
  blob: { sha256: string } | undefined,
): string[] {
  const notes: string[] = [];
  if (raw.dropped > 0)
    notes.push(`Of the output, the first ${size(MAX_RAW)} were kept; ${count(raw.dropped)} more bytes were not.`);
  if (raw.failure !== undefined) notes.push(`The complete output could not be stored: ${raw.failure}`);
  // A short output says where it was collapsed; the handle has it as it came.
  if (blob && digest.complete)
    notes.push(`(Repeated or repainted lines are collapsed; as printed: ${recallHint(blob.sha256)})`);
  return notes;
}
