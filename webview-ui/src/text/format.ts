/** Numbers and times in the words of the panel. */

import { locale, plural, t } from "../../../src/shared/l10n";

export { formatClockTime, formatDuration, formatPercent, formatTokens, sizeText } from "../../../src/shared/format";
export { exactLine, exactText, type Shown, shownLines, visibleLine, visibleText } from "../../../src/shared/shown";

/** As a sentence begins. */
export const capital = (words: string): string => words.charAt(0).toLocaleUpperCase(locale()) + words.slice(1);

/** "3:12", "1:02:09": a running clock */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "now", "5 min ago", "3 h ago", "2 days ago", then the date. Both in ms since the epoch. */
export function formatWhen(then: number, now: number): string {
  const age = now - then;
  if (age < MINUTE) return t("now");
  if (age < HOUR) return t("{0} min ago", Math.floor(age / MINUTE));
  if (age < DAY) return t("{0} h ago", Math.floor(age / HOUR));
  if (age < 7 * DAY) return plural(Math.floor(age / DAY), "1 day ago", "{0} days ago");
  return new Date(then).toLocaleDateString(locale(), { year: "numeric", month: "short", day: "numeric" });
}
