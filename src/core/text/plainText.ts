/** Text of others inside a text of ours: a summary is a system message, so nothing in it may speak for Strata. */

const REMINDER_TAG = /<(?=\s*\/?\s*system[-_ ]?reminder)/gi;

/**
 * Reminder tags begin with ‹ instead of <, half characters become U+FFFD, control characters go; all else stays, line ends
 * too. Idempotent.
 */
export function sanitizeText(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what goes
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u2028\u2029]/g, "")
      // After those: one inside of a tag would hide it.
      .replace(REMINDER_TAG, "‹")
  );
}

/** For comparing: what differs in nothing but whitespace is the same. */
export const collapseWhitespace = (text: string): string => text.replace(/\s+/g, " ").trim();

/** ms since the epoch → "2026-11-22T10:05Z"; "an unknown time" for what is none. */
export function isoMinutes(ts: number): string {
  const date = new Date(ts);
  return Number.isNaN(date.getTime()) ? "an unknown time" : `${date.toISOString().slice(0, 16)}Z`;
}

/** As a Markdown code span, whatever backticks it has. */
export function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map(run => run.length)) + 1);
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}
