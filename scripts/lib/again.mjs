/**
 * The second run. Tests that wait for processes, browsers and editors may meet a moment that nobody meant: a file of them
 * that failed runs once more by itself when all else is done; all of a part where nobody knows which did. What passes then is
 * listed as flaky, not paid for.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { report } from "./parts.mjs";

/**
 * @param {Map<import("./parts.mjs").Part, import("./parts.mjs").Result>} results of the first run; those that passed now are replaced
 * @param {(part: import("./parts.mjs").Part) => Promise<import("./parts.mjs").Result>} [tell]
 * @returns {Promise<string[]>} what was flaky: `FILE: TEST`, or the part's name where it did not come to its end
 */
export async function runAgain(results, tell = report) {
  const flaky = [];
  for (const [part, first] of results) {
    if (first.failed === 0 || !part.again) continue;
    const { failures = [] } = first;
    const files = isTold(first) ? [...new Set(failures.map(({ file }) => file))] : [];
    const run = () => (files.length > 0 ? eachByItself(part, files) : part.again([]));
    const second = await tell({ ...part, name: `again: ${part.name}`, run });
    if (second.failed > 0) continue;
    results.set(part, together(first, second, files));
    const named = failures.map(({ file, title }) => `${file || part.name}: ${title}`);
    flaky.push(...(named.length > 0 ? named : [part.name]));
  }
  return flaky;
}

/** Only then all other files have run: a hook that belongs to no file, or an end before the end, may have kept them from it. */
const isTold = ({ cut, failures = [] }) => !cut && failures.every(({ file }) => file !== "");

async function eachByItself(part, files) {
  const results = [];
  for (const file of files) results.push(await part.again([file]));
  const sum = key => results.reduce((all, result) => all + (result[key] ?? 0), 0);
  const output = results.flatMap(result => result.output ?? []).join("\n\n");
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped"), ...(output && { output }) };
}

/** Counts each test once: of files that ran again, the second run. */
function together(first, second, files) {
  const before = files.reduce((sum, file) => sum + (first.passedIn?.[file] ?? 0), 0);
  return files.length > 0 ? { ...first, passed: first.passed - before + second.passed, failed: 0 } : second;
}

/** Says what was flaky, at the end of the run and in a file. */
export function tellFlaky(flaky, file) {
  rmSync(file, { force: true });
  if (flaky.length === 0) return;
  mkdirSync(dirname(file), { recursive: true });
  const lines = flaky.map(each => `flaky: ${each}\n`).join("");
  writeFileSync(file, lines);
  process.stdout.write(`\n${lines}`);
}
