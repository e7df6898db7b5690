/**
 * Tests wait for what happens, not for time to pass: `eventually`, an event, or a clock that they advance. A fixed wait is too
 * short on a loaded machine and too long on every other; a loop without a deadline hangs, and nobody learns what did not come.
 */
import type { Files } from "./imports";

/** Files whose business it is, each with why. */
const exceptions: Record<string, string> = {
  "test/fakes/eventually.ts": "the one loop, with its deadline",
  "test/crashes/killing.ts": "a process is killed at a random moment: the moment is what is tried",
  "test/host/fuzz/agent.ts": "an agent answers at a random moment beside people",
  "test/host/fuzz/run.ts": "people and programs act at random moments",
  "test/panel/panel.ts": "two frames of the page",
};

/** Programs that run until they are killed, and servers that are slow on purpose: beside the test, not in it. */
const isBeside = (path: string) => /\/children\/|\.mjs$|\.bench\.ts$/.test(path);
/** They name what they forbid. */
const isRule = (path: string) => path.startsWith("test/architecture");

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
];

/**
 * What in test/ waits for time, or without a deadline.
 * @param files path relative to the project → text
 */
export function unboundedWaits(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith("test/") || path in exceptions || isBeside(path) || isRule(path)) return [];
    const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "").replace(/`[^`]*`/g, "``");
    const found = signs.filter(([sign]) => sign.test(code)).map(([, words]) => `${path} ${words}`);
    return hasEndlessWait(code)
      ? [...found, `${path} has a loop without an end that waits: use eventually, or count`]
      : found;
  });
}

/** A loop without an end whose lines, down to the one that closes it, have an `await`. */
function hasEndlessWait(code: string): boolean {
  const loops = code.matchAll(/^( *)(?:while \(true\)|for \(;;\)) (.*(?:\n\1 .*)*)/gm);
  return [...loops].some(([, , body = ""]) => /\bawait\b/.test(body));
}
