/**
 * The parts of `npm test`, `npm run check` and `npm run soak`. A part runs something and says how much of it passed; what it
 * printed is shown when it is done, so that parts can run side by side.
 */
import { availableParallelism } from "node:os";
import { explain, since } from "./console.mjs";
import { toolEnvironment, toolPath } from "./install.mjs";
import { run } from "./processes.mjs";

/**
 * @typedef {{ file: string, title: string }} Failure file: the test's source, relative to the project; "": it belongs to none
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {number} [skipped]
 * @property {string} [output] what to show of it
 * @property {Failure[]} [failures] where it can be told which tests failed
 * @property {boolean} [cut] it did not come to its end: what is not told of did not run
 * @property {Record<string, number>} [passedIn] how many passed in each file
 * @typedef {object} Part
 * @property {string} name
 * @property {number} weight how many cores it keeps busy
 * @property {() => Promise<Result>} run
 * @property {(files: string[]) => Promise<Result>} [again] runs these files of it, by themselves, or all where it is given none:
 *   for parts that wait for processes, browsers and editors
 */

/** A program of node_modules/.bin that passes by ending with 0: one check. @returns {Promise<Result>} */
export async function check(tool, ...args) {
  const { command, ...options } = toolPath(tool);
  const { code, output } = await run(command, args, { ...options, env: toolEnvironment({ NO_COLOR: "1" }) });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
}

/**
 * Runs parts in their order, as many at once as there are cores for them; none waits for more than the cores themselves.
 * @param {readonly Part[]} parts the longest first
 * @param {{ cores?: number, tell?: (part: Part) => Promise<Result> }} [options]
 * @returns {Promise<Map<Part, Result>>} in the order of the parts
 */
export async function runParts(parts, { cores = availableParallelism(), tell = report } = {}) {
  const results = new Map();
  const waiting = [...parts];
  const running = new Map();
  const busy = () => [...running.keys()].reduce((sum, { weight }) => sum + weight, 0);
  const fits = part => running.size === 0 || busy() + part.weight <= cores;
  while (waiting.length + running.size > 0) {
    for (let next = waiting.find(fits); next; next = waiting.find(fits)) {
      const part = next;
      waiting.splice(waiting.indexOf(part), 1);
      const done = tell(part).then(result => results.set(part, result));
      running.set(
        part,
        done.finally(() => running.delete(part)),
      );
    }
    await Promise.race(running.values());
  }
  return new Map(parts.map(part => [part, results.get(part)]));
}

/**
 * Runs a part and reports it: name, counts, time, and its output when something failed. A part that cannot run has failed.
 * @param {Part} part
 * @returns {Promise<Result>}
 */
export async function report(part) {
  const from = Date.now();
  const result = await part.run().catch(error => ({ passed: 0, failed: 1, output: explain(error) }));
  const { passed, failed, skipped, output } = result;
  const numbers = `${passed} passed${failed > 0 ? `, ${failed} failed` : ""}${skipped ? `, ${skipped} skipped` : ""}`;
  if (output) console.log(`\n${output.trimEnd()}\n`);
  console.log(`${failed > 0 ? "✗" : "✓"} ${part.name.padEnd(28)} ${since(from).padStart(9)}   ${numbers}`);
  return result;
}

/**
 * The last line of a run, alone on its line, and the exit code that goes with it.
 * @param {Result[]} results
 * @param {string} [word] what ran, where it is not the tests
 */
export function total(results, word) {
  const sum = key => results.reduce((all, result) => all + (result[key] ?? 0), 0);
  const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(sum);
  const numbers = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
  console.log(`\n${word ? `${word}: ` : ""}${numbers}`);
  return failed > 0 || passed === 0 ? 1 : 0;
}
