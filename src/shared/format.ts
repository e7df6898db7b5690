/** Numbers and lists in words, in the panel and the terminal alike. */
import { locale, t } from "./l10n";

/** "a, b and c", "a, b and 3 more". @param most so many are named */
export function listed(items: readonly string[], most = items.length): string {
  const more = items.length - most;
  const named = more > 0 ? [...items.slice(0, most), t("{0} more", more)] : items;
  return listText("conjunction", named);
}

/** "a, b, c", "a、b、c" */
export function namesText(names: readonly string[]): string {
  const [, comma] = new Intl.ListFormat(listLocale(), { type: "conjunction" }).formatToParts(["a", "b", "c"]);
  return names.join(comma?.value);
}

/** "3 steps, 12 s" */
export const inARow = (parts: readonly string[]): string => parts.join(t(", "));

/** "a, b or c" */
export const eitherOf = (items: readonly string[]) => listText("disjunction", items);

/** What others wrote, with the full stop that it may lack. */
export const asSentence = (text: string) => (/[.!?…。！？]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/** Sentences one after the other: behind a full-width mark no blank stands. */
export const inSentences = (sentences: readonly (string | false | undefined)[]): string =>
  sentences
    .filter(Boolean)
    .join(" ")
    .replace(/(?<=[。！？；：]) /g, "");

/** Chinese writes "A、B或C", with blanks where a word before or behind is Latin. */
function listText(type: Intl.ListFormatType, items: readonly string[]): string {
  const parts = new Intl.ListFormat(listLocale(), { type }).formatToParts(items);
  return parts
    .map(({ type: kind, value }, at) => {
      if (kind === "element" || !/^\p{Script=Han}+$/u.test(value)) return value;
      const [before = "", after = ""] = [parts[at - 1]?.value, parts[at + 1]?.value];
      return `${/[\x21-\x7e]$/.test(before) ? " " : ""}${value}${/^[\x21-\x7e]/.test(after) ? " " : ""}`;
    })
    .join("");
}

/** British English has no comma before the last one. */
const listLocale = () => (locale() === "en" ? "en-GB" : locale());

/** "Nov 24, 2026, 11:27 PM". @param ms since the epoch */
export const dateTimeText = (ms: number): string =>
  new Date(ms).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });

/** "14:05" or "2:05 PM", with the date where that was another day. Both in ms since the epoch. */
export function formatClockTime(then: number, now: number): string {
  const date = new Date(then);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? date.toLocaleTimeString(locale(), { timeStyle: "short" }) : dateTimeText(then);
}

/** "0.1 s", "12 s", "3 min 5 s" */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return t("{0} s", seconds.toFixed(1));
  if (seconds < 60) return t("{0} s", Math.round(seconds));
  const rest = Math.round(seconds) % 60;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return rest === 0 ? t("{0} min", minutes) : t("{0} min {1} s", minutes, rest);
}

/** "950", "4.2k", "41k", "1.2M" */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 9950) return `${(tokens / 1000).toFixed(1).replace(/\.0$/, "")}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
}

/** "21 %"; never 0 or 100 for a share that is not quite that */
export function formatPercent(share: number): string {
  const percent = Math.round(100 * share);
  if (share > 0 && percent === 0) return t("{0}\u00a0%", 1);
  return t("{0}\u00a0%", share < 1 && percent === 100 ? 99 : percent);
}

/** In powers of ten, as settings count: 2000000000 → "2 GB". */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  const digits = value < 10 && unit > 0 ? 1 : 0;
  return `${value.toFixed(digits).replace(/\.0$/, "")} ${units[unit]}`;
}
