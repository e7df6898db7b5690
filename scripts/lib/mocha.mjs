/** Mocha over bundled tests, and what its report says: which tests of which source failed, and how. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root, toolEnvironment, toolPath } from "./install.mjs";
import { run } from "./processes.mjs";

/**
 * A part of test files.
 * @param {string} name
 * @param {readonly string[]} files bundles, relative to the project
 * @param {{ weight: number, jobs?: number, args?: readonly string[], patient?: boolean }} options patient: its files get a second
 *   run, since they wait for processes, browsers and editors
 * @returns {import("./parts.mjs").Part}
 */
export function mochaPart(name, files, { weight, patient = false, ...options }) {
  const again = sources => mocha(chosenOf(files, sources), { ...options, name: `${name}, again`, jobs: 1 });
  return { name, weight, run: () => mocha(files, { ...options, name }), ...(patient && { again }) };
}

/** ms after which a part counts as hung: slow machines took 20 minutes for one, soaks take long by nature. */
export const partLimitMs = () => (process.env.STRATA_SOAK ? 120 : 45) * 60_000;

/** The bundles of these sources; all where none is named. */
export function chosenOf(files, sources) {
  return sources.length > 0 ? files.filter(file => sources.includes(sourceOf(file))) : files;
}

/**
 * Runs test files; what a failed test left open does not keep mocha (`--exit`). Its report stays in out/reports: it has the
 * time of each test.
 * @param {readonly string[]} files bundles, relative to the project
 * @param {{ name: string, args?: readonly string[], jobs?: number }} options name of the report; jobs: files at once
 * @returns {Promise<import("./parts.mjs").Result>}
 */
async function mocha(files, { name, args = [], jobs = 1 }) {
  const file = join(root, "out", "reports", `${name.replaceAll(/\W+/g, "-")}.json`);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const side = jobs > 1 && files.length > 1 ? ["--parallel", "--jobs", String(jobs)] : [];
  const asReport = ["--reporter", "json", "--reporter-option", `output=${file}`];
  const always = ["--enable-source-maps", "--no-color", "--exit"];
  const { command, ...options } = toolPath("mocha");
  const { code, output } = await run(command, [...always, ...asReport, ...side, ...args, ...files], {
    ...options,
    limitMs: partLimitMs(),
    env: toolEnvironment({ NO_COLOR: "1" }),
  });
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return resultOf(text, code, output);
}

/**
 * What a report in mocha's JSON says. A run that ends badly without a failed test has failed all the same, and so has one
 * that ran no test, did not come to its end or left no report.
 * @param {string} report
 * @param {number} code exit code
 * @param {string} output what the run printed beside
 * @returns {import("./parts.mjs").Result}
 */
export function resultOf(report, code, output) {
  if (report === "") return { passed: 0, failed: 1, output: `${output}\n(ended with code ${code}, without a report)` };
  const { stats, passes, failures: failed } = JSON.parse(report);
  const passedIn = {};
  for (const { file } of passes) passedIn[sourceOf(file)] = (passedIn[sourceOf(file)] ?? 0) + 1;
  const cut = !stats.end;
  const result = { passed: stats.passes, failed: failed.length, skipped: stats.pending, passedIn, ...(cut && { cut }) };
  if (failed.length > 0) {
    const failures = failed.map(({ file, fullTitle }) => ({ file: file ? sourceOf(file) : "", title: fullTitle }));
    return { ...result, failures, output: [...failed.map(words), output.trim()].join("\n\n") };
  }
  if (cut) return { ...result, failed: 1, output: `${output}\n(ended with code ${code} before all tests had run)` };
  if (code !== 0) return { ...result, failed: 1, output: `${output}\n(ended with code ${code})` };
  if (stats.passes === 0) return { ...result, failed: 1, output: `${output}\nIt ran no test.` };
  return result;
}

function words({ file, fullTitle, err }) {
  return `✗ ${file ? sourceOf(file) : "no file's own"}: ${fullTitle}\n${(err.stack ?? err.message ?? "").replace(/^/gm, "    ")}`;
}

/** The test's source that a bundle was made of: `out/host/trusted/code.test.js` → `test/host/trusted/code.test.ts`. */
export function sourceOf(bundle) {
  const isHere = bundle.toLowerCase().startsWith(root.toLowerCase());
  const path = (isHere ? relative(root, bundle) : bundle).replaceAll("\\", "/");
  const source = path.replace(/^out\/(?:test|crashes)\//, "test/").replace(/^out\/(host|panel)\//, "test/$1/");
  const stem = source.replace(/\.m?js$/, "");
  return existsSync(join(root, `${stem}.tsx`)) ? `${stem}.tsx` : `${stem}.ts`;
}
