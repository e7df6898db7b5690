/** How long a server asks to wait before the next request, from what it sends with its refusal. */

/**
 * `retry-after-ms`; `retry-after` in seconds or as a date; else when its limits are reset (`x-ratelimit-reset…`,
 * `anthropic-ratelimit-…-reset`).
 * @param headers lower-case names
 * @param now ms since the epoch
 * @returns ms from now; undefined: it says nothing
 */
export function retryAfter(headers: Record<string, string>, now: number): number | undefined {
  const inMs = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (inMs >= 0) return Math.round(inMs);
  return timeWritten(headers["retry-after"], now) ?? limitReset(headers, now);
}

const RESET = /^(?:x-|anthropic-)?ratelimit-(?:reset(?:-\w+)*|\w+(?:-\w+)*-reset)$/;

/** Of limits that are used up the last one; where that is not said, the next one. */
function limitReset(headers: Record<string, string>, now: number): number | undefined {
  const limits = Object.entries(headers).flatMap(([name, value]) => {
    const ms = RESET.test(name) ? timeWritten(value, now) : undefined;
    return ms === undefined ? [] : [{ ms, isUsedUp: Number(headers[name.replace("reset", "remaining")]) === 0 }];
  });
  const usedUp = limits.filter(({ isUsedUp }) => isUsedUp).map(({ ms }) => ms);
  if (usedUp.length > 0) return Math.max(...usedUp);
  return limits.length > 0 ? Math.min(...limits.map(({ ms }) => ms)) : undefined;
}

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A larger number is no duration but a time since the epoch, in seconds or ms. */
const MAX_SECONDS = 1e8;

/** `7`, `0.5`, `6m0s`, `20ms`, `2026-01-01T00:00:00Z`, `Wed, 21 Oct 2015 07:28:00 GMT`, seconds or ms since the epoch. */
export function timeWritten(text: string | undefined, now: number): number | undefined {
  const written = text?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(written)) {
    const number = Number(written);
    if (number < MAX_SECONDS) return Math.round(number * 1000);
    return Math.max(0, number < 1e11 ? number * 1000 - now : number - now);
  }
  if (/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(written)) {
    const parts = [...written.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
    return Math.round(parts.reduce((sum, [, digits, unit]) => sum + Number(digits) * (units[unit ?? ""] ?? 0), 0));
  }
  const date = /^(?:\d{4}-\d\d-\d\dT|[A-Za-z]{3,9}, )/.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const SAID = /\b(?:resets?|again|retry|retrying|wait|available)\b[^.\d]{0,20}\b(?:in|after|for)\s+(\d[\w.,\s]{0,40})/i;
const PART =
  /^,?\s*(\d+(?:\.\d+)?)\s?(?:(ms|milliseconds?)|(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?))(?![a-z])/i;

/** "Your quota will reset after 12h34m16s", "Please try again in 6m0s", "retry in 38.2s", "in 2 hours". ms; undefined: it says nothing */
export function waitSaid(words: string): number | undefined {
  let rest = SAID.exec(words.slice(0, 2_000))?.[1] ?? "";
  let wait: number | undefined;
  for (let part = PART.exec(rest); part; part = PART.exec(rest)) {
    const [whole, digits, ...fits] = part;
    const unit = ["ms", "s", "m", "h", "d"][fits.findIndex(each => each !== undefined)] ?? "";
    wait = (wait ?? 0) + Number(digits) * (units[unit] ?? 0);
    rest = rest.slice(whole.length);
  }
  return wait === undefined ? undefined : Math.round(wait);
}
