/** The one way in which tests wait for what others bring about: it has a deadline, and says what did not come. */
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";

/** What a look may give when there is nothing yet. */
type NotYet = undefined | null | false;

export interface Patience {
  /** ms until it is given up; 50 s, since machines are loaded and a test's own limit is 60 s or more */
  limitMs?: number;
  /** What stands there now, for the error: where what `look` gives or throws does not tell. */
  saw?: () => unknown;
}

/**
 * Looks again and again until there is something: at once, then with every turn of the event loop, soon every 20 ms.
 * @param what is waited for, as a reader of the failure wants it: "the server's process is gone"
 * @param look gives undefined, null or false for "not yet"; what it throws (an assertion) is "not yet" too
 * @returns what `look` found
 * @throws after the limit, with `what` and the last that was seen
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  { limitMs = 50_000, saw }: Patience = {},
): Promise<Exclude<T, NotYet>> {
  const end = performance.now() + limitMs;
  for (let looks = 1; ; looks++) {
    const { found, seen } = await once(look);
    if (found !== undefined && found !== null && found !== false) return found as Exclude<T, NotYet>;
    if (performance.now() > end) throw new Error(await failure(what, limitMs, saw ?? (() => seen)));
    await (looks <= 10 ? new Promise(resolve => setImmediate(resolve)) : sleep(Math.min(looks - 10, 20)));
  }
}

async function once<T>(look: () => T | Promise<T>): Promise<{ found?: T; seen: unknown }> {
  try {
    const found = await look();
    return { found, seen: found };
  } catch (error) {
    return { seen: error instanceof Error ? error.message : error };
  }
}

async function failure(what: string, limitMs: number, saw: () => unknown): Promise<string> {
  const seen = await saw();
  const text = typeof seen === "string" ? seen : inspect(seen, { depth: 4, breakLength: 120 });
  return `Not within ${limitMs / 1000} s: ${what}. Last seen: ${text.slice(0, 4000)}`;
}
