/**
 * Tests wait for what happens, not for time to pass: `eventually`, an event, or a clock that they advance. A fixed wait is too
 * short on a loaded machine and too long on every other; a loop without a deadline hangs, and nobody learns what did not come.
 */
import type { Files } from "./imports";

/** Files whose business it is, each with why. */
const exceptions: Record<string, string> = {
  "test/fakes/eventually.ts": "the one loop, with its deadline",
};

/** Programs that run until they are killed, and servers that are slow on purpose: beside the test, not in it. */
const isBeside = (path: string) => /\/children\/|\.mjs$|\.bench\.ts$/.test(path);

const signs: readonly [RegExp, string][] = [
  [/\bwaitForTimeout\b/, "waits for time to pass (waitForTimeout): wait for what shows"],
  [
    /\bimport\b[^;]*\bsetTimeout\b[^;]*\btimers\/promises"/,
    "waits for time to pass (timers/promises): use eventually or a FakeClock",
  ],
  [
    /new Promise(?:<\w+>)?\(\s*\(?\w*\)?\s*=>\s*(?:void )?setTimeout\(/,
    "waits for time to pass (setTimeout): use eventually or a FakeClock",
  ],
  [
    /\bwhile\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*(?:await\b|[\w.]+ \+?= [^;]*\bawait\b)/,
    "has a loop that waits without a deadline: use eventually",
  ],
  [/\b(?:while\s*\(true\)|for\s*\(;;\))/, "has a loop without an end: use eventually, or count"],
];

/**
 * What in test/ waits for time, or without a deadline.
 * @param files path relative to the project → text
 */
export function unboundedWaits(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith("test/") || path in exceptions || isBeside(path)) return [];
    const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
    return signs.filter(([sign]) => sign.test(code)).map(([, words]) => `${path} ${words}`);
  });
}
