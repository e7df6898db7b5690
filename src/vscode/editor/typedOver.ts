/** Loaded with activation, so it imports nothing. Pure. */

/**
 * What was typed in the place of a selection, up to the cursor. "": nothing, or something else changed too, of which nothing is
 * known: another program's change, or what the editor adds to a letter.
 */
export function typedOver(
  { before, start, end }: { before: string; start: number; end: number },
  now: string,
  cursor: number,
): string {
  const typed = now.slice(start, Math.max(start, cursor));
  return now === before.slice(0, start) + typed + before.slice(end) ? typed : "";
}
