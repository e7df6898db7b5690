/**
 * The parts of `npm test` and `npm run check`. A part runs something and says how much of it passed; what it printed is
 * shown when it is done, so that parts can run side by side.
 */
import { join } from "node:path";
import { explain, since } from "./console.mjs";
import { root, toolEnvironment } from "./install.mjs";
import { run } from "./processes.mjs";

/**
 * @typedef {{ passed: number, failed: number, skipped?: number, output?: string }} Result
 * @typedef {{ name: string, run: () => Promise<Result> }} Part
 */

/** A program of node_modules/.bin that passes by ending with 0: one check. @returns {Promise<Result>} */
export async function check(tool, ...args) {
  const { code, output } = await runTool(tool, args);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
}

/** Mocha over bundled tests; what a failed test left open does not keep it (`--exit`). @returns {Promise<Result>} */
export async function mocha(...args) {
  const { code, output } = await runTool("mocha", ["--enable-source-maps", "--no-color", "--exit", ...args]);
  return counts(output, code);
}

function runTool(tool, args) {
  const suffix = process.platform === "win32" ? ".cmd" : "";
  const file = join(root, "node_modules", ".bin", tool + suffix);
  return run(file, args, {
    limitMs: 20 * 60_000,
    cwd: root,
    env: toolEnvironment({ NO_COLOR: "1" }),
    shell: process.platform === "win32",
  });
}

/**
 * Counts as mocha's reporters print them. A run that ends badly without a failed test has failed all the same, and so has
 * one that ran no test.
 * @param {string} output
 * @param {number} code exit code
 * @returns {Result}
 */
export function counts(output, code) {
  const count = word => Number(output.match(new RegExp(`^\\s*(\\d+) ${word}`, "m"))?.[1] ?? 0);
  const [passed, failed, skipped] = ["passing", "failing", "pending"].map(count);
  if (failed === 0 && code !== 0) return { passed, failed: 1, skipped, output: `${output}\n(ended with code ${code})` };
  if (passed + failed === 0) return { passed, failed: 1, skipped, output: `${output}\nIt ran no test.` };
  return { passed, failed, skipped, output: failed > 0 ? output : undefined };
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
 */
export function total(results) {
  const sum = key => results.reduce((all, result) => all + (result[key] ?? 0), 0);
  const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(sum);
  console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
  return failed > 0 || passed === 0 ? 1 : 0;
}
