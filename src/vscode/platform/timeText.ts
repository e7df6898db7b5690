import { locale } from "../../shared/l10n";

const DAY: Intl.DateTimeFormatOptions = { dateStyle: "medium" };
const TIME: Intl.DateTimeFormatOptions = { timeStyle: "short" };

/** When something was, as short as it stays clear: "11:27 PM" of today, "Nov 24, 2026, 11:27 PM". @param ms since the epoch, like `now` */
export function timeText(ms: number, now: number): string {
  const [then, today] = [new Date(ms), new Date(now)];
  const isToday = then.toDateString() === today.toDateString();
  return then.toLocaleString(locale(), isToday ? TIME : { ...DAY, ...TIME });
}
